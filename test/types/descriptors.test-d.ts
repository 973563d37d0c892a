/**
 * Descriptors that the compiler accepts or refuses. Nothing here runs: the test fails if a line below `@ts-expect-error`
 * compiles.
 */
import { describe, expectTypeOf, test } from 'vitest';
import type {
  ConvolutionFusedActivation,
  DataType,
  Device,
  FusedActivation,
  GatherDescriptor,
  GemmFusedActivation,
  OperatorDescriptor,
  OperatorDescriptors,
  OperatorType,
  ReduceFunction,
  ResolvedDescriptor,
  ResolvedTensorDesc,
  TensorDesc,
} from 'node-directml';
import { minimalDescriptors } from '../../checks/cases/generated/minimal-descriptors.js';

declare const device: Device;
declare function take(descriptor: OperatorDescriptor): void;

const tensor: TensorDesc = { dataType: 'float32', sizes: [1, 1, 2, 3] };
const inOut = { inputTensor: tensor, outputTensor: tensor };
const ab = { aTensor: tensor, bTensor: tensor, outputTensor: tensor };
const gather = { type: 'gather', ...inOut, indicesTensor: tensor, axis: 0, indexDimensions: 1 } as const;
const windows = { strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] };
const convolution = {
  ...inOut,
  ...windows,
  type: 'convolution',
  filterTensor: tensor,
  mode: 'crossCorrelation',
  direction: 'forward',
  outputPadding: [0, 0],
  groupCount: 1,
} as const;
const gemm = { ...ab, type: 'gemm', transA: 'none', transB: 'transpose', alpha: 1, beta: 0 } as const;
const rnn = {
  type: 'rnn',
  inputTensor: tensor,
  weightTensor: tensor,
  recurrenceTensor: tensor,
  direction: 'bidirectional',
} as const;

describe('of all operators', () => {
  test('a minimal descriptor has exactly the required fields', () => {
    // The compiler checks each descriptor in the generated file that defines minimalDescriptors.
    expectTypeOf(minimalDescriptors).toEqualTypeOf<OperatorDescriptors>();
  });

  test('the field type equals the key of the descriptor in OperatorDescriptors', () => {
    type Types = { readonly [Type in OperatorType]: OperatorDescriptors[Type]['type'] };
    expectTypeOf<Types>().toEqualTypeOf<{ readonly [Type in OperatorType]: Type }>();
    expectTypeOf<OperatorDescriptor['type']>().toEqualTypeOf<OperatorType>();
  });

  test('no descriptor accepts arbitrary fields, and only those of diagonalMatrix need nothing but their type', () => {
    type Open = { [Type in OperatorType]: string extends keyof OperatorDescriptors[Type] ? Type : never };
    type Empty = { [Type in OperatorType]: { type: Type } extends OperatorDescriptors[Type] ? Type : never };
    expectTypeOf<Open[OperatorType]>().toBeNever();
    // Their types let the output be left out, though the device requires it; all other fields have defaults.
    expectTypeOf<Empty[OperatorType]>().toEqualTypeOf<'diagonalMatrix' | 'diagonalMatrix1'>();
  });
});

describe('fields', () => {
  test('are those of the operator type', () => {
    expectTypeOf<OperatorDescriptor<'gather'>>().toEqualTypeOf<GatherDescriptor>();
    expectTypeOf<Extract<OperatorDescriptor, { type: 'gather' }>>().toEqualTypeOf<GatherDescriptor>();
    expectTypeOf<keyof GatherDescriptor>().toEqualTypeOf<
      'type' | 'inputTensor' | 'indicesTensor' | 'outputTensor' | 'axis' | 'indexDimensions'
    >();
  });

  test('and no others', () => {
    take(gather);
    // @ts-expect-error: an unknown field
    take({ ...gather, indices: tensor });
    // @ts-expect-error: a field of reduce
    take({ type: 'gather', ...inOut, indicesTensor: tensor, axis: 0, indexDimensions: 1, axes: [0] });
    // @ts-expect-error: no such operator
    take({ type: 'scatterND', ...inOut });
    // @ts-expect-error: DirectML's own name
    take({ type: 'DML_OPERATOR_CAST', ...inOut });
    // @ts-expect-error: a field of TensorDesc by another name
    take({ type: 'cast', inputTensor: { dataType: 'float32', shape: [1] }, outputTensor: tensor });
  });

  test('that are required must be present and not null', () => {
    // @ts-expect-error: no input
    take({ type: 'cast', outputTensor: tensor });
    // @ts-expect-error: indexDimensions is missing
    take({ type: 'gather', ...inOut, indicesTensor: tensor, axis: 0 });
    // @ts-expect-error: null for a tensor that is needed
    take({ type: 'cast', inputTensor: tensor, outputTensor: null });
    // @ts-expect-error: windowSize is missing
    take({ type: 'maxPooling', ...inOut, strides: [1, 1] });
  });

  test('that are optional may be absent, undefined or null', () => {
    take({ type: 'elementWiseAbs', ...inOut });
    take({ type: 'elementWiseAbs', ...inOut, scaleBias: undefined });
    take({ type: 'elementWiseAbs', ...inOut, scaleBias: null });
    take({ type: 'elementWiseAbs', ...inOut, scaleBias: { scale: 2, bias: 0 } });
    take({ ...convolution, biasTensor: null });
    take({ ...rnn, activationDescs: [], outputSequenceTensor: null, outputSingleTensor: tensor });
    // @ts-expect-error: half a scale and bias
    take({ type: 'elementWiseAbs', ...inOut, scaleBias: { scale: 2 } });
  });
});

describe('outputs', () => {
  test('may be left out, as a whole or in part', () => {
    take({ type: 'cast', inputTensor: tensor });
    take({ type: 'cast', inputTensor: tensor, outputTensor: {} });
    take({ type: 'cast', inputTensor: tensor, outputTensor: { dataType: 'int8' } });
    take({ type: 'cast', inputTensor: tensor, outputTensor: { dataType: undefined, sizes: [1], strides: null } });
    take({ type: 'split', inputTensor: tensor, outputTensors: [{ sizes: [1] }, {}], axis: 0 });
    // @ts-expect-error: an input without its sizes
    take({ type: 'cast', inputTensor: { dataType: 'int8' } });
    // @ts-expect-error: a misspelt field
    take({ type: 'cast', inputTensor: tensor, outputTensor: { type: 'int8' } });
  });

  test('are complete in a descriptor that a device has resolved, like all fields', () => {
    const { outputTensor, scaleBias } = device.resolve({ type: 'elementWiseAbs', inputTensor: tensor });
    expectTypeOf(outputTensor).toEqualTypeOf<ResolvedTensorDesc>();
    expectTypeOf(scaleBias).toEqualTypeOf<{ readonly scale: number; readonly bias: number } | null>();
    expectTypeOf<ResolvedDescriptor<'split'>['outputTensors']>().toEqualTypeOf<readonly ResolvedTensorDesc[]>();
    expectTypeOf<ResolvedDescriptor<'split'>['outputCount']>().toEqualTypeOf<number>();
    expectTypeOf<ResolvedDescriptor<'lstm'>['outputSequenceTensor']>().toEqualTypeOf<ResolvedTensorDesc | null>();
    expectTypeOf<ResolvedDescriptor<'slice'>['sizes']>().toEqualTypeOf<readonly number[]>();
    expectTypeOf<ResolvedDescriptor>().toExtend<OperatorDescriptor>();
    // @ts-expect-error: a misspelt field
    device.resolve({ type: 'elementWiseAbs', inputTensor: tensor, output: tensor });
  });
});

describe('values', () => {
  test('enums are unions of strings', () => {
    expectTypeOf<OperatorDescriptor<'reduce'>['function']>().toEqualTypeOf<ReduceFunction>();
    expectTypeOf<'sumSquare'>().toExtend<ReduceFunction>();
    take({ type: 'reduce', function: 'sum', ...inOut, axes: [3] });
    // @ts-expect-error: no such function
    take({ type: 'reduce', function: 'median', ...inOut, axes: [3] });
    // @ts-expect-error: DirectML's number
    take({ type: 'reduce', function: 10, ...inOut, axes: [3] });
    // @ts-expect-error: no such data type
    const dataType: DataType = 'float31';
    expectTypeOf(dataType).toExtend<DataType>();
    // DirectML calls this field Type, but here `type` is the type of the operator.
    expectTypeOf<OperatorDescriptor<'randomGenerator'>['generatorType']>().toEqualTypeOf<'philox4x32_10' | undefined>();
  });

  test('counts may be left out, because the length of an array gives them', () => {
    take({ type: 'join', inputTensors: [tensor, tensor], outputTensor: tensor, axis: 0 });
    take({ type: 'join', inputTensors: [tensor, tensor], inputCount: 2, outputTensor: tensor, axis: 0 });
    take({ type: 'split', inputTensor: tensor, outputTensors: [tensor], axis: 0 });
    expectTypeOf<OperatorDescriptor<'join'>['inputCount']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<OperatorDescriptor<'convolution'>['dimensionCount']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<OperatorDescriptor<'reduce'>['axisCount']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<OperatorDescriptor<'lstm'>['activationDescCount']>().toEqualTypeOf<number | undefined>();
    // @ts-expect-error: one tensor instead of an array
    take({ type: 'join', inputTensors: tensor, outputTensor: tensor, axis: 0 });
    // @ts-expect-error: strings instead of numbers
    take({ type: 'reduce', function: 'sum', ...inOut, axes: ['3'] });
  });

  test('scalars, sizes, flags', () => {
    const fill = { type: 'fillValueConstant', outputTensor: tensor } as const;
    take({ ...fill, valueDataType: 'int64', value: 1n });
    take({ ...fill, valueDataType: 'float32', value: 0.5 });
    // @ts-expect-error: a string for a number
    take({ ...fill, valueDataType: 'float32', value: '0.5' });
    take({ type: 'upsample2d', ...inOut, scaleSize: { width: 2, height: 2 }, interpolationMode: 'nearestNeighbor' });
    // @ts-expect-error: a pair instead of width and height
    take({ type: 'upsample2d', ...inOut, scaleSize: [2, 2], interpolationMode: 'nearestNeighbor' });
    expectTypeOf<OperatorDescriptor<'gru'>['linearBeforeReset']>().toEqualTypeOf<boolean>();
  });

  test('descriptors that were written to JSON, or frozen', () => {
    const frozen: Readonly<GatherDescriptor> = Object.freeze({ ...gather });
    take(frozen);
    take({ ...gather, inputTensor: { ...tensor, strides: null, flags: 'ownedByDml' } });
  });
});

describe('activations in other operators', () => {
  test('are written without their tensors', () => {
    take({ ...convolution, fusedActivation: { type: 'activationLeakyRelu', alpha: 0.1 } });
    take({ ...convolution, fusedActivation: { type: 'activationRelu', inputTensor: null, outputTensor: null } });
    // @ts-expect-error: beta is missing
    take({ ...convolution, fusedActivation: { type: 'activationLinear', alpha: 1 } });
    // @ts-expect-error: with a tensor
    take({ ...convolution, fusedActivation: { type: 'activationRelu', inputTensor: tensor } });
    // @ts-expect-error: no activation
    take({ ...convolution, fusedActivation: { type: 'cast' } });
    // @ts-expect-error: an activation that nothing fuses
    take({ ...convolution, fusedActivation: { type: 'activationHardmax' } });
  });

  test('gemm takes softmax too, gemm and convolution clip', () => {
    take({ ...gemm, fusedActivation: { type: 'activationSoftmax1', axes: [3] } });
    take({ ...gemm, fusedActivation: { type: 'elementWiseClip', min: 0, max: 1 } });
    take({ ...convolution, fusedActivation: { type: 'elementWiseClip', min: 0, max: 1 } });
    // @ts-expect-error: only gemm
    take({ ...convolution, fusedActivation: { type: 'activationSoftmax' } });
    // @ts-expect-error: not into an addition
    take({ ...ab, type: 'elementWiseAdd1', fusedActivation: { type: 'elementWiseClip', min: 0, max: 1 } });
    expectTypeOf<FusedActivation>().toExtend<ConvolutionFusedActivation>();
    expectTypeOf<ConvolutionFusedActivation>().toExtend<GemmFusedActivation>();
  });

  test('recurrent operators take arrays of them', () => {
    take({ ...rnn, activationDescs: [{ type: 'activationTanh' }, { type: 'activationElu', alpha: 1 }] });
    // @ts-expect-error: one instead of an array
    take({ ...rnn, activationDescs: { type: 'activationTanh' } });
    // @ts-expect-error: beta is missing
    take({ ...rnn, activationDescs: [{ type: 'activationLinear', alpha: 1 }] });
    take(rnn);
  });
});
