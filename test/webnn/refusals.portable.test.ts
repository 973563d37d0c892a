/** For each rule of the specification on operands and options: a call that breaks the rule, and the message of the error. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createML, MLGraphBuilder, type MLContext, type MLOperand, type MLOperandDataType } from 'node-directml/webnn';

interface Scene {
  readonly b: MLGraphBuilder;
  /** A new input, by default of float32. */
  of(shape: readonly number[], dataType?: MLOperandDataType): MLOperand;
}

type Call = (scene: Scene) => unknown;
type Refusal = readonly [message: string, call: Call];

let context: MLContext;

beforeAll(async () => {
  context = await createML({ backend: 'reference' }).createContext();
});

function newScene(): Scene {
  const b = new MLGraphBuilder(context);
  let count = 0;
  return { b, of: (shape, dataType = 'float32') => b.input(`x${count++}`, { dataType, shape }) };
}

const typeError = (message: string) => expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) });

/** Calls that violate only the rule that the message names. */
const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  add: [
    ['add: the shapes [2, 3] and [2] do not broadcast', ({ b, of }) => b.add(of([2, 3]), of([2]))],
    ['add: b has the data type int32, not that of a, float32', ({ b, of }) => b.add(of([2]), of([2], 'int32'))],
    ['add [sum]: the shapes [2] and [3] do not broadcast', ({ b, of }) => b.add(of([2]), of([3]), { label: 'sum' })],
  ],
  logicalAnd: [
    ['logicalAnd: a has the data type float32, which is none of [uint8]', ({ b, of }) => b.logicalAnd(of([2]), of([2]))],
  ],
  clamp: [['minValue 2 is greater than maxValue 1', ({ b, of }) => b.clamp(of([2]), { minValue: 2, maxValue: 1 })]],
  where: [
    ['the shapes [2] and [3] do not broadcast', ({ b, of }) => b.where(of([1], 'uint8'), of([2]), of([3]))],
    ['the shapes [3] and [2] do not broadcast', ({ b, of }) => b.where(of([3], 'uint8'), of([2]), of([2]))],
  ],
  quantizeLinear: [
    ['zeroPoint has the shape [1], not [2]', ({ b, of }) => b.quantizeLinear(of([4]), of([2]), of([1], 'int8'))],
    [
      "scale of the shape [3] does not divide the input's [4]",
      ({ b, of }) => b.quantizeLinear(of([4]), of([3]), of([3], 'int8')),
    ],
  ],
  dequantizeLinear: [
    [
      "scale of the shape [1, 4] does not divide the input's [4]",
      ({ b, of }) => b.dequantizeLinear(of([4], 'int8'), of([1, 4]), of([1, 4], 'int8')),
    ],
  ],
  matmul: [
    ['the shapes [2, 3] and [2, 3] do not multiply', ({ b, of }) => b.matmul(of([2, 3]), of([2, 3]))],
    ['the shapes [2] and [3] do not broadcast', ({ b, of }) => b.matmul(of([2, 1, 1]), of([3, 1, 1]))],
    [
      'matmul: the output has 4294967296 bytes; at most 2147483647 are supported',
      ({ b, of }) => b.matmul(of([2 ** 15, 1]), of([1, 2 ** 15])),
    ],
  ],
  gemm: [
    ['a has 3 columns, but b has 2 rows', ({ b, of }) => b.gemm(of([2, 3]), of([2, 3]))],
    ['a has 2 columns, but b has 3 rows', ({ b, of }) => b.gemm(of([2, 3]), of([2, 3]), { aTranspose: true, bTranspose: true })],
    ['c of the shape [3] does not broadcast to [2, 2]', ({ b, of }) => b.gemm(of([2, 3]), of([3, 2]), { c: of([3]) })],
  ],
  softmax: [['axis is 2, but the input has 2 dimensions', ({ b, of }) => b.softmax(of([2, 3]), 2)]],
  cumulativeSum: [['axis is 2, but the input has 2 dimensions', ({ b, of }) => b.cumulativeSum(of([2, 3]), 2)]],
  argMax: [
    ['axis is 1, but the input has 1 dimensions', ({ b, of }) => b.argMax(of([2]), 1)],
    ['outputDataType is uint8, not int32 or int64', ({ b, of }) => b.argMax(of([2]), 0, { outputDataType: 'uint8' })],
  ],
  reduceSum: [
    ['axes is 2, but the input has 2 dimensions', ({ b, of }) => b.reduceSum(of([2, 3]), { axes: [0, 2] })],
    ['axes has an axis twice: [1, 1]', ({ b, of }) => b.reduceSum(of([2, 3]), { axes: [1, 1] })],
  ],
  batchNormalization: [
    ['axis is 2, but', ({ b, of }) => b.batchNormalization(of([2, 3]), of([3]), of([3]), { axis: 2 })],
    ['mean has the shape [2], not [3]', ({ b, of }) => b.batchNormalization(of([2, 3]), of([2]), of([3]))],
    ['variance has the shape [2], not [3]', ({ b, of }) => b.batchNormalization(of([2, 3]), of([3]), of([2]))],
    ['scale has the shape [2], not [3]', ({ b, of }) => b.batchNormalization(of([2, 3]), of([3]), of([3]), { scale: of([2]) })],
    ['bias has the shape [2], not [3]', ({ b, of }) => b.batchNormalization(of([2, 3]), of([3]), of([3]), { bias: of([2]) })],
  ],
  instanceNormalization: [
    ['scale has the shape [4], not [2]', ({ b, of }) => b.instanceNormalization(of([1, 2, 3, 4]), { scale: of([4]) })],
    [
      'bias has the shape [2], not [4]',
      ({ b, of }) => b.instanceNormalization(of([1, 2, 3, 4]), { bias: of([2]), layout: 'nhwc' }),
    ],
    ['input has 3 dimensions, not 4', ({ b, of }) => b.instanceNormalization(of([1, 2, 3]))],
    ['input has 5 dimensions, not 4', ({ b, of }) => b.instanceNormalization(of([1, 2, 3, 4, 5]))],
  ],
  layerNormalization: [
    ['axes is 2, but the input has 2 dimensions', ({ b, of }) => b.layerNormalization(of([2, 3]), { axes: [2] })],
    ['scale has the shape [2], not [3]', ({ b, of }) => b.layerNormalization(of([2, 3]), { scale: of([2]) })],
    ['bias has the shape [3], not [2]', ({ b, of }) => b.layerNormalization(of([2, 3]), { bias: of([3]), axes: [0] })],
  ],
  reshape: [['newShape [4] has 4 elements, but the input has 6', ({ b, of }) => b.reshape(of([2, 3]), [4])]],
  expand: [
    ['input of the shape [2] does not broadcast to [3]', ({ b, of }) => b.expand(of([2]), [3])],
    ['input of the shape [1, 3] does not broadcast to [3]', ({ b, of }) => b.expand(of([1, 3]), [3])],
  ],
  transpose: [
    ['permutation has 1 elements, not 2', ({ b, of }) => b.transpose(of([2, 3]), { permutation: [0] })],
    ['permutation has an axis twice: [0, 0]', ({ b, of }) => b.transpose(of([2, 3]), { permutation: [0, 0] })],
  ],
  concat: [
    ['inputs is empty', ({ b }) => b.concat([], 0)],
    ['axis is 1, but the input has 1 dimensions', ({ b, of }) => b.concat([of([2])], 1)],
    ['inputs[1] has the data type int32, not float32', ({ b, of }) => b.concat([of([2]), of([2], 'int32')], 0)],
    ['inputs[1] of the shape [2, 2] does not join [2, 3] at axis 0', ({ b, of }) => b.concat([of([2, 3]), of([2, 2])], 0)],
    ['inputs[1] of the shape [2] does not join [2, 3] at axis 0', ({ b, of }) => b.concat([of([2, 3]), of([2])], 0)],
  ],
  split: [
    ['axis is 1, but', ({ b, of }) => b.split(of([6]), 2, { axis: 1 })],
    ['a size of 6 cannot be split into 4 equal parts', ({ b, of }) => b.split(of([6]), 4)],
    ['splits [2, 3] has the sum 5, but the input has the size 6 at axis 0', ({ b, of }) => b.split(of([6]), [2, 3])],
    ['splits has an element that is not positive: [6, 0]', ({ b, of }) => b.split(of([6]), [6, 0])],
    ['splits makes 0 outputs', ({ b, of }) => b.split(of([6]), [])],
  ],
  slice: [
    ['starts has 2 elements, not 1', ({ b, of }) => b.slice(of([4]), [0, 0], [2])],
    ['sizes has 2 elements, not 1', ({ b, of }) => b.slice(of([4]), [0], [2, 2])],
    ['strides has 2 elements, not 1', ({ b, of }) => b.slice(of([4]), [0], [2], { strides: [1, 1] })],
    ['sizes has an element that is not positive: [0]', ({ b, of }) => b.slice(of([4]), [0], [0])],
    ['strides has an element that is not positive: [0]', ({ b, of }) => b.slice(of([4]), [0], [2], { strides: [0] })],
    ['starts and sizes reach to 5 in dimension 0, which has 4', ({ b, of }) => b.slice(of([4]), [3], [2])],
  ],
  pad: [
    ['beginningPadding has 1 elements, not 2', ({ b, of }) => b.pad(of([2, 3]), [1], [1, 1])],
    ['endingPadding has 1 elements, not 2', ({ b, of }) => b.pad(of([2, 3]), [1, 1], [1])],
    ['a reflection of 2 needs more than 2 elements', ({ b, of }) => b.pad(of([2]), [2], [0], { mode: 'reflection' })],
    ['a reflection of 2 needs more than 2 elements', ({ b, of }) => b.pad(of([2]), [0], [2], { mode: 'reflection' })],
  ],
  tile: [
    ['repetitions has 1 elements, not 2', ({ b, of }) => b.tile(of([2, 3]), [1])],
    ['repetitions has an element that is not positive: [0]', ({ b, of }) => b.tile(of([2]), [0])],
  ],
  reverse: [['axes is 1, but the input has 1 dimensions', ({ b, of }) => b.reverse(of([2]), { axes: [1] })]],
  gather: [['axis is 1, but the input has 1 dimensions', ({ b, of }) => b.gather(of([2]), of([2], 'int32'), { axis: 1 })]],
  gatherElements: [
    ['axis is 1, but', ({ b, of }) => b.gatherElements(of([2]), of([2], 'int32'), { axis: 1 })],
    ['indices of the shape [1, 2] do not fit [2, 3] at axis 0', ({ b, of }) => b.gatherElements(of([2, 3]), of([1, 2], 'int32'))],
    ['indices of the shape [3] do not fit [2, 3] at axis 0', ({ b, of }) => b.gatherElements(of([2, 3]), of([3], 'int32'))],
  ],
  gatherND: [
    ['indices has 0 dimensions, not 1 to 8', ({ b, of }) => b.gatherND(of([2]), of([], 'int32'))],
    ['indices has tuples of 2, but the input has 1 dimensions', ({ b, of }) => b.gatherND(of([2]), of([2], 'int32'))],
  ],
  scatterElements: [
    ['updates has the shape [3], not [2]', ({ b, of }) => b.scatterElements(of([4]), of([2], 'int32'), of([3]))],
    [
      'updates has the data type int32, not that of input',
      ({ b, of }) => b.scatterElements(of([4]), of([2], 'int32'), of([2], 'int32')),
    ],
  ],
  scatterND: [['updates has the shape [2], not [2, 3]', ({ b, of }) => b.scatterND(of([4, 3]), of([2, 1], 'int32'), of([2]))]],
  conv2d: [
    [
      'the input has 2 channels in 1 groups, which do not fit the 3 of the filter',
      ({ b, of }) => b.conv2d(of([1, 2, 4, 4]), of([1, 3, 1, 1])),
    ],
    [
      'the filter has 3 outputs, which 2 groups do not divide',
      ({ b, of }) => b.conv2d(of([1, 2, 4, 4]), of([3, 1, 1, 1]), { groups: 2 }),
    ],
    ['in 0 groups', ({ b, of }) => b.conv2d(of([1, 2, 4, 4]), of([1, 2, 1, 1]), { groups: 0 })],
    ['bias has the shape [2], not [1]', ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { bias: of([2]) })],
    ['the output would have the height 0 and the width 4', ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 5, 1]))],
    ['padding has 2 elements, not 4', ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { padding: [1, 1] })],
    ['strides has 1 elements, not 2', ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { strides: [1] })],
    ['dilations has 1 elements, not 2', ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { dilations: [1] })],
    [
      'strides has an element that is not positive',
      ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { strides: [0, 1] }),
    ],
    [
      'dilations has an element that is not positive',
      ({ b, of }) => b.conv2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { dilations: [1, 0] }),
    ],
  ],
  convTranspose2d: [
    ['the input has 2 channels', ({ b, of }) => b.convTranspose2d(of([1, 2, 4, 4]), of([1, 2, 1, 1]))],
    [
      'the input has 1 channels in 0 groups, which do not fit the 1 of the filter',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { groups: 0 }),
    ],
    [
      'bias has the shape [2], not [4]',
      ({ b, of }) => b.convTranspose2d(of([1, 2, 4, 4]), of([2, 2, 1, 1]), { groups: 2, bias: of([2]) }),
    ],
    [
      'the output would have the height 0 and the width 4',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { padding: [2, 2, 0, 0] }),
    ],
    ['padding has 2 elements, not 4', ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { padding: [1, 1] })],
    [
      'outputPadding [1, 2] is not smaller than strides [2, 2]',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { strides: [2, 2], outputPadding: [1, 2] }),
    ],
    [
      'outputSizes is [9, 7]; the least sizes are [7, 7], and strides [2, 2]',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { strides: [2, 2], outputSizes: [9, 7] }),
    ],
    [
      'outputSizes is [7, 6]; the least sizes are [7, 7], and strides [2, 2]',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { strides: [2, 2], outputSizes: [7, 6] }),
    ],
    ['bias has the shape [1], not [2]', ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 2, 1, 1]), { bias: of([1]) })],
    [
      'outputPadding has 1 elements, not 2',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { outputPadding: [0] }),
    ],
    [
      'outputPadding [0, 1] is not smaller than strides [1, 1]',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { outputPadding: [0, 1] }),
    ],
    [
      'outputSizes has 1 elements, not 2',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { outputSizes: [4] }),
    ],
    [
      'outputSizes is [4, 3]; the least sizes are [4, 4]',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { outputSizes: [4, 3] }),
    ],
    [
      'outputSizes is [5, 4]; the least sizes are [4, 4]',
      ({ b, of }) => b.convTranspose2d(of([1, 1, 4, 4]), of([1, 1, 1, 1]), { outputSizes: [5, 4] }),
    ],
  ],
  maxPool2d: [
    ['windowDimensions has 1 elements, not 2', ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { windowDimensions: [2] })],
    [
      'windowDimensions has an element that is not positive: [0, 2]',
      ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { windowDimensions: [0, 2] }),
    ],
    ['outputSizes has 1 elements, not 2', ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { outputSizes: [1] })],
    ['outputSizes is [2, 1], neither [1, 1] nor [1, 1]', ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { outputSizes: [2, 1] })],
    [
      'outputSizes is [3, 3], neither [2, 3] nor [3, 4]',
      ({ b, of }) => b.maxPool2d(of([1, 1, 5, 7]), { windowDimensions: [2, 2], strides: [2, 2], outputSizes: [3, 3] }),
    ],
    ['padding has 1 elements, not 4', ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { padding: [1] })],
    ['dilations has 3 elements, not 2', ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { dilations: [1, 1, 1] })],
    [
      'the output would have the height 4 and the width 0',
      ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { windowDimensions: [1, 5] }),
    ],
    ['strides has an element that is not positive', ({ b, of }) => b.maxPool2d(of([1, 1, 4, 4]), { strides: [1, 0] })],
  ],
  resample2d: [
    ['scales has 1 elements, not 2', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { scales: [2] })],
    ['scales has an element that is not positive: [0, 2]', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { scales: [0, 2] })],
    ['sizes has 3 elements, not 2', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { sizes: [2, 2, 2] })],
    ['sizes has an element that is not positive: [2, 0]', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { sizes: [2, 0] })],
    ['axes has 1 elements, not 2', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { axes: [2] })],
    ['axes has an axis twice: [2, 2]', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { axes: [2, 2] })],
    ['axes is 4, but the input has 4 dimensions', ({ b, of }) => b.resample2d(of([1, 1, 4, 4]), { axes: [3, 4] })],
  ],
};

describe.each(Object.entries(refusals))('%s', (_operator, calls) => {
  test.each(calls)('%s', (message, call) => {
    expect(() => call(newScene())).toThrow(typeError(message));
  });
});

/** Changes to a valid recurrent operator with one step, batch and direction, 4 inputs, and a state of 3 numbers. */
interface Network {
  readonly steps?: number;
  readonly hiddenSize?: number;
  readonly weight?: readonly number[];
  readonly recurrentWeight?: readonly number[];
  readonly hiddenState?: readonly number[];
  readonly cellState?: readonly number[];
  /** By the name of the option: the shape of its operand, or the names of activations. */
  readonly options?: Readonly<Record<string, readonly number[] | readonly string[]>>;
}

const gates = { gru: 3, gruCell: 3, lstm: 4, lstmCell: 4 };
const networks = Object.keys(gates) as (keyof typeof gates)[];

function addNetwork(name: keyof typeof gates, { steps = 1, hiddenSize = 3, options = {}, ...given }: Network): unknown {
  const { b, of } = newScene();
  const isCell = name.endsWith('Cell');
  const whole = (...shape: number[]) => (isCell ? shape : [1, ...shape]);
  const input = of(whole(1, 4));
  const weight = of(given.weight ?? whole(3 * gates[name], 4));
  const recurrentWeight = of(given.recurrentWeight ?? whole(3 * gates[name], 3));
  const made = Object.fromEntries(
    Object.entries(options).map(([option, value]) => [option, option === 'activations' ? value : of(value as readonly number[])]),
  );
  const [hiddenState, cellState] = [of(given.hiddenState ?? [1, 3]), of(given.cellState ?? [1, 3])];
  if (name === 'gru') return b.gru(input, weight, recurrentWeight, steps, hiddenSize, made);
  if (name === 'gruCell') return b.gruCell(input, weight, recurrentWeight, hiddenState, hiddenSize, made);
  if (name === 'lstm') return b.lstm(input, weight, recurrentWeight, steps, hiddenSize, made);
  return b.lstmCell(input, weight, recurrentWeight, hiddenState, cellState, hiddenSize, made);
}

describe.each(networks)('%s', (name) => {
  const isCell = name.endsWith('Cell');
  const isLstm = name.startsWith('lstm');
  const whole = (...shape: number[]) => (isCell ? shape : [1, ...shape]);
  const size = 3 * gates[name];
  const activations = Array.from({ length: isLstm ? 3 : 2 }, () => 'relu');
  const tooMany = [...activations, 'relu'];
  const right = { bias: whole(size), recurrentBias: whole(size), activations, ...(isLstm ? { peepholeWeight: whole(9) } : {}) };

  test('accepts operands and options that fit', () => {
    expect(addNetwork(name, { options: right })).toBeInstanceOf(Object);
  });

  test.each([
    ['weight has the shape', { weight: whole(size, 5) }],
    ['recurrentWeight has the shape', { recurrentWeight: whole(size, 4) }],
    ['bias has the shape', { options: { bias: whole(size + 1) } }],
    ['recurrentBias has the shape', { options: { recurrentBias: whole(size - 1) } }],
    [`activations has ${tooMany.length} elements, not ${activations.length}`, { options: { activations: tooMany } }],
    [`activations has 1 elements, not ${activations.length}`, { options: { activations: ['relu'] } }],
    ['hiddenSize', { hiddenSize: 0 }],
    ...(isLstm ? ([['peepholeWeight has the shape', { options: { peepholeWeight: whole(12) } }]] as const) : []),
    ...(isCell ? ([['hiddenState has the shape [1, 4], not [1, 3]', { hiddenState: [1, 4] }]] as const) : []),
    ...(isCell && isLstm ? ([['cellState has the shape [2, 3], not [1, 3]', { cellState: [2, 3] }]] as const) : []),
    ...(isCell ? [] : ([['initialHiddenState has the shape', { options: { initialHiddenState: [1, 1, 4] } }]] as const)),
    ...(isCell ? [] : ([['steps is 2, but input has the shape [1, 1, 4]', { steps: 2 }]] as const)),
    ...(isCell || !isLstm ? [] : ([['initialCellState has the shape', { options: { initialCellState: [1, 1, 4] } }]] as const)),
  ] as readonly (readonly [string, Network])[])('%s', (message, network) => {
    expect(() => addNetwork(name, network)).toThrow(typeError(message));
  });
});

describe('build', () => {
  test('refuses an input or a constant as an output', async () => {
    const { b, of } = newScene();
    const constant = b.constant({ dataType: 'float32', shape: [1] }, new Float32Array(1));
    await expect(b.build({ y: of([2]) })).rejects.toThrow("the output 'y' is an input");
    await expect(b.build({ y: constant })).rejects.toThrow("the output 'y' is a constant");
  });

  test('refuses an empty record, an empty name, and an operand of another builder', async () => {
    const [{ b, of }, other] = [newScene(), newScene()];
    await expect(b.build({})).rejects.toThrow('there are no outputs');
    await expect(b.build({ '': b.relu(of([2])) })).rejects.toThrow('the name of an output is empty');
    await expect(b.build({ y: other.b.relu(other.of([2])) })).rejects.toThrow('belongs to another builder');
  });
});

test('long names and labels are shortened', async () => {
  const long = 'x'.repeat(1_000_000);
  const desc = { dataType: 'float32', shape: [2] } as const;
  const { b, of } = newScene();
  const [first, second] = [b.input(long, desc), b.input(long, desc)];
  const tensor = await context.createTensor(desc);
  const scene = newScene();
  const graph = await scene.b.build({ y: scene.b.abs(scene.of([2])) });
  const calls: (() => unknown)[] = [
    () => b.add(of([2]), of([3]), { label: long }),
    () => b.cast(of([2]), long as MLOperandDataType),
    () => b.build({ y: b.add(first, second) }),
    () => b.build({ [long]: of([2]) }),
    () => b.build({ [long]: newScene().of([2]) }),
    () => context.dispatch(graph, { [long]: tensor }, { y: tensor }),
    () => context.dispatch(graph, { x0: tensor }, { [long]: tensor }),
    () => Reflect.apply(context.dispatch, context, [graph, { [long]: 3 }, {}]),
  ];
  for (const call of calls) {
    const { message } = await messageOf(call);
    expect(message.length, String(call)).toBeLessThan(500);
  }
});

async function messageOf(call: () => unknown): Promise<Error> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
