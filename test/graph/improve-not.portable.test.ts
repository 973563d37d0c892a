/** What is nearly a pattern, and stays as it was written. */
import type { DataType, Graph, Value } from 'node-directml';
import {
  activationRelu as relu,
  activationSigmoid as sigmoid,
  batchNormalization,
  cast,
  convolution,
  elementWiseAbs as abs,
  elementWiseAdd as add,
  elementWiseConstantPow as power,
  elementWiseDivide as divide,
  elementWiseErf as erf,
  elementWiseExp as exp,
  elementWiseIdentity as identity,
  elementWiseMultiply as multiply,
  elementWisePow as pow,
  elementWiseSqrt as sqrt,
  elementWiseSubtract as subtract,
  gemm,
  gru,
  meanVarianceNormalization2 as normalize,
  reduce,
  split,
} from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { nodesOf } from './nodes-of.js';

type Floats = Value<'float32'>;

interface Scene {
  readonly graph: Graph;
  /** [8, 8], as is w */
  readonly x: Floats;
  readonly w: Floats;
  /** The same of float16, for which the types of the functions have no place here. */
  readonly half: Floats;
  constant(sizes: readonly number[], element: number, dataType?: DataType): Floats;
}

const average = (x: Floats, axes: readonly number[] = [1]) => reduce(x, { function: 'average', axes }) as Floats;
const wide = (x: Floats, like: Floats) => x.broadcastTo(like.sizes);

/** A layer normalization, with parts of it replaced. */
function normal(
  x: Floats,
  {
    mean = average(x),
    root = (variance: Floats) => sqrt(variance),
    sum = (variance: Floats): Floats => add(variance, 1e-5),
    square = (d: Floats): Floats => multiply(d, d),
    variance = (squares: Floats) => average(squares),
  } = {},
): Floats {
  const distance = subtract(x, wide(mean, x));
  return divide(distance, wide(root(sum(variance(square(distance)))), x));
}

const errorFunction = (x: Floats, factor = Math.SQRT1_2, addend = 1): Floats => add(erf(multiply(x, factor)), addend);
/** Two times two products of two rows and two columns. */
const small = (x: Floats, w: Floats): Floats => gemm(x.reshape([2, 2, 2, 8]), w.reshape([2, 2, 8, 2]));
const inBatch = (x: Floats) => x.reshape([1, 8, 8]);
const image = (x: Floats) => x.reshape([1, 1, 8, 8]);

/** A batch normalization of a convolution with two filters, all by constants. */
function folded(
  { x, constant }: Scene,
  { filter = constant([2, 1, 3, 3], 0.25), numbers = [0.5, 0.5, 0.5, 0.5], fields = {}, options = {} } = {},
): Floats {
  const sums = convolution(image(x), filter, fields);
  const [mean, variance, scale, bias] = numbers.map((number) => constant([1, 2, 1, 1], number));
  if (!mean || !variance || !scale || !bias) throw new Error('there are four');
  return batchNormalization(sums, mean, variance, scale, bias, options);
}

/** A method that programs do not see. */
interface Recomputing {
  readonly recompute: (work: () => Floats) => Floats;
}

/** A value of any data type, for the types of which there is no place here. */
const casted = (x: Floats, dataType: DataType) => cast(x, { outputTensor: { dataType } }) as Floats;

type Program = (scene: Scene) => Floats | readonly Floats[];

/** By what is written: the program, and the nodes that are left. */
const programs: Readonly<Record<string, Readonly<Record<string, readonly [program: Program, nodes: string]>>>> = {
  'a layer normalization': {
    'becomes one node': [({ x }) => normal(x), 'meanVarianceNormalization2'],
    'by the largest element in place of the mean': [
      ({ x }) => normal(x, { mean: reduce(x, { function: 'max', axes: [1] }) as Floats }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by the mean of another value': [
      ({ x, w }) => normal(x, { mean: average(w) }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by a mean along another axis': [
      ({ x }) => normal(x, { mean: average(x, [0]) }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by the largest square': [
      ({ x }) => normal(x, { variance: (squares) => reduce(squares, { function: 'max', axes: [1] }) as Floats }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by the distances in place of their squares': [
      ({ x }) => normal(x, { square: (d) => abs(d) }),
      'elementWiseAbs elementWiseDivide elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by products of two values': [
      ({ x, w }) => normal(x, { square: (d) => multiply(d, w) }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by squares of scaled distances': [
      ({ x }) => normal(x, { square: (d) => power(d, { exponent: 2, scaleBias: { scale: 2, bias: 0 } }) }),
      'elementWiseConstantPow elementWiseDivide elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'with an addend below 0': [
      ({ x }) => normal(x, { sum: (variance) => subtract(variance, 1e-5) }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'of a scaled variance': [
      ({ x }) => normal(x, { sum: (variance) => add(multiply(variance, 2), 1e-5) }),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'by the root of a scaled sum': [
      ({ x }) => normal(x, { root: (variance) => sqrt(variance, { scaleBias: { scale: 2, bias: 0 } }) }),
      'elementWiseAdd elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'of single elements': [
      ({ x }) => normal(x.reshape([64, 1])),
      'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'of float16': [
      ({ half }) => normal(half),
      'elementWiseAdd elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
    ],
    'with two scales': [({ x, w }) => multiply(multiply(normal(x), w), w), 'elementWiseMultiply meanVarianceNormalization2'],
    'with two biases': [({ x, w }) => add(add(normal(x), w), w), 'elementWiseAdd meanVarianceNormalization2'],
    'with an activation before the scale': [
      ({ x, w }) => multiply(normalize(x, { axes: [1], fusedActivation: { type: 'activationRelu' } }), w),
      'elementWiseMultiply meanVarianceNormalization2',
    ],
  },
  gelu: {
    'of float16': [
      ({ half }) => multiply(multiply(half, 0.5), errorFunction(half)),
      'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply elementWiseMultiply',
    ],
    'with another half': [
      ({ x }) => multiply(multiply(x, 0.6), errorFunction(x)),
      'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply',
    ],
    'with another root': [
      ({ x }) => multiply(multiply(x, 0.5), errorFunction(x, 0.75)),
      'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply',
    ],
    'with another addend': [
      ({ x }) => multiply(multiply(x, 0.5), errorFunction(x, Math.SQRT1_2, 2)),
      'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply',
    ],
    'with a third factor': [
      ({ x, w }) => multiply(multiply(multiply(x, 0.5), w), errorFunction(x)),
      'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply elementWiseMultiply',
    ],
    'with an addend inside': [
      ({ x }) => multiply(multiply(x, 0.5), add(erf(add(multiply(x, Math.SQRT1_2), 1)), 1)),
      'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply',
    ],
    'with few digits': [({ x }) => multiply(multiply(x, 0.50005), errorFunction(x, 0.70715)), 'activationGelu'],
    'whose half is two factors': [({ x }) => multiply(multiply(x, 0.25), multiply(errorFunction(x), 2)), 'activationGelu'],
  },
  swish: {
    'of a value of float16 by a factor': [
      ({ half }) => multiply(half, sigmoid(multiply(half, 1.5))),
      'activationSigmoid elementWiseMultiply elementWiseMultiply',
    ],
    'of a value of float16': [({ half }) => multiply(half, sigmoid(half)), 'activationSwish'],
    'of another value by a factor': [
      ({ x, w }) => multiply(w, sigmoid(multiply(x, 1.5))),
      'activationSigmoid elementWiseMultiply elementWiseMultiply',
    ],
  },
  'factors and addends': {
    'of float16': [({ half }) => exp(add(multiply(half, 2), 1)), 'elementWiseAdd elementWiseExp elementWiseMultiply'],
    'of an identity of float16': [
      ({ half }) => exp(identity(half, { scaleBias: { scale: 2, bias: 0 } })),
      'elementWiseExp elementWiseIdentity',
    ],
    'of an identity': [({ x }) => exp(identity(x, { scaleBias: { scale: 2, bias: 0 } })), 'elementWiseExp'],
    'that are infinite': [({ x }) => exp(add(x, Infinity)), 'elementWiseAdd elementWiseExp'],
    'by a division by 0': [({ x }) => exp(divide(x, 0)), 'elementWiseDivide elementWiseExp'],
    'by a division of a number': [({ x }) => exp(divide(2, x)), 'elementWiseDivide elementWiseExp'],
    'of two values': [({ x, w }) => exp(add(x, w)), 'elementWiseAdd elementWiseExp'],
    'by a constant of several elements': [({ x, constant }) => exp(add(x, constant([8, 8], 2))), 'elementWiseAdd elementWiseExp'],
    'before a function that has a factor': [
      ({ x }) => exp(multiply(x, 2), { scaleBias: { scale: 3, bias: 0 } }),
      'elementWiseExp elementWiseMultiply',
    ],
    'before a function of two values': [({ x, w }) => divide(add(x, 1), w), 'elementWiseAdd elementWiseDivide'],
    'two of them': [({ x }) => subtract(multiply(x, 2), 3), 'elementWiseIdentity'],
    'with a number first': [({ x }) => subtract(3, multiply(x, 2)), 'elementWiseIdentity'],
  },
  'a product of matrices': {
    'with a bias of float16': [({ half }) => add(gemm(half, half), half), 'elementWiseAdd gemm'],
    'with a factor of float16': [({ half }) => multiply(gemm(half, half), 2), 'elementWiseMultiply gemm'],
    'with an activation before the bias': [
      ({ x, w }) => add(gemm(x, w, { fusedActivation: { type: 'activationRelu' } }), x),
      'elementWiseAdd gemm',
    ],
    'with an activation before the factor': [
      ({ x, w }) => multiply(gemm(x, w, { fusedActivation: { type: 'activationRelu' } }), 2),
      'elementWiseMultiply gemm',
    ],
    'with C before the factor': [({ x, w }) => multiply(gemm(x, w, { cTensor: x }), 2), 'elementWiseMultiply gemm'],
    'with a bias that is read in another order': [
      ({ x, w }) => add(inBatch(gemm(x, w)).transpose([0, 2, 1]), inBatch(x)),
      'elementWiseAdd gemm',
    ],
    'with two columns and two rows that are read in another order': [
      ({ x, w }) => add(small(x, w).transpose([0, 1, 3, 2]), 1),
      'elementWiseAdd gemm',
    ],
    'of two matrices that are read in another order': [
      ({ x, w }) => relu(add(small(x, w).transpose([1, 0, 2, 3]), 1)),
      'elementWiseAdd1 gemm',
    ],
    'and the same in their order': [({ x, w }) => add(small(x, w), 1), 'gemm'],
    'of which a part gets the bias': [
      ({ x, w }) => add(split(gemm(x, w), { axis: 0, outputTensors: [{ sizes: [4, 8] }, { sizes: [4, 8] }] })[0] as Floats, 1),
      'elementWiseAdd gemm split',
    ],
    'that a bias repeats': [({ x, w }) => add(gemm(x, w).reshape([1, 8, 8]).broadcastTo([2, 8, 8]), 1), 'elementWiseAdd gemm'],
    'whose output has gaps, with another shape': [
      ({ x, w }) => add(inBatch(gemm(x, w)), inBatch(x), { outputTensor: { sizes: [1, 8, 8], strides: [128, 16, 1] } }),
      'elementWiseAdd gemm',
    ],
    'and the same with packed output': [({ x, w }) => add(inBatch(gemm(x, w)), inBatch(x)), 'gemm'],
  },
  'a convolution': {
    'with a batch normalization': [(scene) => folded(scene), 'convolution'],
    'with an activation before it': [
      (scene) => folded(scene, { fields: { fusedActivation: { type: 'activationRelu' } } }),
      'batchNormalization convolution',
    ],
    'backward before it': [
      (scene) => folded(scene, { filter: scene.constant([1, 2, 3, 3], 0.25), fields: { direction: 'backward' } }),
      'batchNormalization convolution',
    ],
    'with filters that become infinite': [
      (scene) => folded(scene, { filter: scene.constant([2, 1, 3, 3], 3e38), numbers: [0, 0, 100, 0], options: { epsilon: 1 } }),
      'batchNormalization convolution',
    ],
    'with a bias that becomes infinite': [
      (scene) => folded(scene, { numbers: [-3e38, 0, 3, 3e38], options: { epsilon: 1 } }),
      'batchNormalization convolution',
    ],
    'with filters in another order': [
      (scene) => folded(scene, { filter: scene.constant([1, 2, 3, 3], 0.25).transpose([1, 0, 2, 3]) }),
      'convolution',
    ],
    'with filters whose rows are columns': [
      (scene) => folded(scene, { filter: scene.constant([2, 1, 3, 3], 0.25).transpose([0, 1, 3, 2]) }),
      'batchNormalization convolution',
    ],
    'with a bias of float16': [
      ({ half, constant }) =>
        add(convolution(image(half), constant([1, 1, 3, 3], 1, 'float16')), constant([1, 1, 6, 6], 1, 'float16')),
      'convolution elementWiseAdd',
    ],
    'with a second bias': [
      ({ x, constant }) =>
        add(
          convolution(image(x), constant([2, 1, 3, 3], 1), { biasTensor: constant([1, 2, 1, 1], 1) }),
          constant([1, 2, 1, 1], 2).broadcastTo([1, 2, 6, 6]),
        ),
      'convolution elementWiseAdd',
    ],
    'with a bias for each row': [
      ({ x, constant }) =>
        add(convolution(image(x), constant([2, 1, 3, 3], 1)), constant([1, 1, 6, 1], 2).broadcastTo([1, 2, 6, 6])),
      'convolution elementWiseAdd',
    ],
  },
  'casts and equal nodes': {
    'of floats to a larger type and back': [
      ({ half }) => abs(casted(casted(half, 'float32'), 'float16')),
      'cast cast elementWiseAbs',
    ],
    'of integers without signs to a larger type and back': [
      ({ x }) => casted(casted(casted(casted(x, 'uint8'), 'uint32'), 'uint8'), 'float32'),
      'cast cast',
    ],
    'of nodes that compute something again': [
      ({ graph, x }) => [abs(x), (graph as unknown as Recomputing).recompute(() => abs(x))],
      'elementWiseAbs elementWiseAbs',
    ],
    'of nodes that read an input and a node of the same number': [
      ({ x }) => [abs(x), abs(exp(x))],
      'elementWiseAbs elementWiseAbs elementWiseExp',
    ],
    'of nodes that read two outputs of a node': [
      ({ x }) => split(x, { axis: 0, outputTensors: [{ sizes: [4, 8] }, { sizes: [4, 8] }] }).map((part) => abs(part)),
      'elementWiseAbs elementWiseAbs split',
    ],
    'of nodes that read the same output of a node': [
      ({ x }) => {
        const [part] = split(x, { axis: 0, outputTensors: [{ sizes: [4, 8] }, { sizes: [4, 8] }] });
        return [exp(abs(part as Floats)), sqrt(abs(part as Floats))];
      },
      'elementWiseAbs elementWiseExp elementWiseSqrt split',
    ],
    'of nodes that read an output in two orders': [
      ({ x, w }) => [abs(small(x, w)), abs(small(x, w).transpose([0, 1, 3, 2]))],
      'elementWiseAbs elementWiseAbs gemm',
    ],
    'an addend of a base': [({ x, w }) => pow(add(x, 1), w), 'elementWiseAdd elementWisePow'],
    'an addend of a base with a constant exponent': [
      ({ x }) => power(add(x, 1), { exponent: 3 }),
      'elementWiseAdd elementWiseConstantPow',
    ],
  },
  'an activation': {
    'after an activation': [
      ({ x, w }) => relu(gemm(x, w, { fusedActivation: { type: 'activationSigmoid' } })),
      'activationRelu gemm',
    ],
    'after a network with several outputs': [
      ({ x, constant }) => {
        const made = gru(x.reshape([1, 8, 8, 1]), constant([1, 1, 6, 1], 1), constant([1, 1, 6, 2], 1), {
          outputSingleTensor: {},
          outputSequenceTensor: {},
          direction: 'forward',
          linearBeforeReset: false,
          activationDescs: [{ type: 'activationSigmoid' }, { type: 'activationTanh' }],
        });
        return relu(made.outputSingleTensor as Floats);
      },
      'activationRelu gru',
    ],
    'of a product that is repeated': [
      ({ x, w }) => relu(gemm(reduce(x, { function: 'max', axes: [0] }) as Floats, w).broadcastTo([8, 8])),
      'activationRelu gemm reduce',
    ],
    'after a function of each element': [({ x }) => relu(abs(x)), 'activationRelu elementWiseAbs'],
    'of a cast': [
      ({ x, w }) => relu(cast(gemm(x, w), { outputTensor: { dataType: 'float16' } }) as unknown as Floats),
      'activationRelu cast gemm',
    ],
  },
};

const device = deviceOn('reference');

describe.each(Object.entries(programs))('%s', (_name, each) => {
  test.each(Object.entries(each))('%s', (_title, [program, nodes]) => {
    const graph = device().createGraph();
    const desc = { dataType: 'float32', sizes: [8, 8] } as const;
    const inputs = new Map<string, Floats>();
    const input = (name: string, dataType: DataType) => {
      const made = inputs.get(name) ?? (graph.input(name, { ...desc, dataType }) as Floats);
      inputs.set(name, made);
      return made;
    };
    const values = [
      program({
        graph,
        get x() {
          return input('x', 'float32');
        },
        get w() {
          return input('w', 'float32');
        },
        get half() {
          return input('half', 'float16');
        },
        constant: (sizes, element, dataType = 'float32') => {
          const count = sizes.reduce((product, size) => product * size, 1);
          return graph.constant({ dataType, sizes }, new Array<number>(count).fill(element)) as Floats;
        },
      }),
    ].flat();
    const picture = graph.toMermaid(Object.fromEntries(values.map((value, i) => [`y${i}`, value])), { optimize: 'fast' });
    expect(nodesOf(picture)).toBe(nodes);
  });
});
