/**
 * The data types and ranks that each operator supports: those of the specification that DirectML can compute. `opSupportLimits`
 * returns this table, and the builder checks operands against it.
 */
import type { FeatureLevel } from '../tensors/generated/enums.js';
import type { MLOperandDataType, MLOpSupportLimits, MLTensorLimits } from './generated/types.js';
import { maxByteLength, maxRank, type OperatorName } from './ml-operand.js';

/** The feature level from which on DirectML supports everything in the limits. */
export const neededFeatureLevel: FeatureLevel = '6.3';

/** The limits of an operand. It must have the data type of the operand `like`. */
export interface OperandLimits {
  readonly dataTypes: readonly MLOperandDataType[];
  readonly min: number;
  readonly max: number;
  readonly like?: string;
}

type OperatorLimits = Readonly<Record<string, OperandLimits>>;

const floats: readonly MLOperandDataType[] = ['float32', 'float16'];
const any: readonly MLOperandDataType[] = [...floats, 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];
const fourBits: readonly MLOperandDataType[] = ['int4', 'uint4'];
const signed: readonly MLOperandDataType[] = [...floats, 'int64', 'int32', 'int8'];
const summable: readonly MLOperandDataType[] = [...floats, 'int32', 'uint32', 'int64', 'uint64'];
const bytes: readonly MLOperandDataType[] = ['uint8'];
const indices: readonly MLOperandDataType[] = ['int32', 'uint32', 'int64'];
const quantized: readonly MLOperandDataType[] = ['int8', 'uint8', ...fourBits];

/** Of 0 to all dimensions, unless the limits are given. */
function of(dataTypes: readonly MLOperandDataType[], min = 0, max = maxRank): OperandLimits {
  return { dataTypes, min, max };
}

/** With the data type of another operand. */
function like(other: string, dataTypes: readonly MLOperandDataType[], min = 0, max = maxRank): OperandLimits {
  return { dataTypes, min, max, like: other };
}

function unary(dataTypes: readonly MLOperandDataType[], min = 0, max = maxRank): OperatorLimits {
  return { input: of(dataTypes, min, max), output: of(dataTypes, min, max) };
}

function binary(dataTypes: readonly MLOperandDataType[], output = dataTypes, min = 0): OperatorLimits {
  return { a: of(dataTypes, min), b: like('a', dataTypes, min), output: of(output, min) };
}

function each<Name extends OperatorName>(names: readonly Name[], limits: OperatorLimits): Record<Name, OperatorLimits>;
function each(names: readonly string[], limits: OperatorLimits): Record<string, OperatorLimits> {
  return Object.fromEntries(names.map((name) => [name, limits]));
}

const convolution: OperatorLimits = {
  input: of(floats, 4, 4),
  filter: like('input', floats, 4, 4),
  bias: like('input', floats, 1, 1),
  output: of(floats, 4, 4),
};

/** Operands of a recurrent network, all of one data type, with this many dimensions. */
function recurrent(ranks: Readonly<Record<string, number>>): OperatorLimits {
  const limits = (name: string, rank: number) => (name === 'input' ? of(floats, rank, rank) : like('input', floats, rank, rank));
  return Object.fromEntries(Object.entries(ranks).map(([name, rank]) => [name, limits(name, rank)]));
}

export const operatorLimits: Readonly<Record<OperatorName, OperatorLimits>> = {
  ...each(['argMin', 'argMax'], { input: of(any, 1), output: of(['int32', 'int64']) }),
  batchNormalization: {
    input: of(floats, 1),
    ...Object.fromEntries(['mean', 'variance', 'scale', 'bias'].map((name) => [name, like('input', floats, 1, 1)])),
    output: of(floats, 1),
  },
  cast: unary(any),
  ...each(['clamp', 'identity', 'expand', 'pad', 'reverse', 'slice', 'tile', 'transpose'], unary(any)),
  reshape: unary([...any, ...fourBits]),
  concat: { inputs: of(any, 1), output: of(any, 1) },
  split: { input: of(any, 1), outputs: of(any, 1) },
  triangular: unary(any, 2),
  ...each(['conv2d', 'convTranspose2d'], convolution),
  cumulativeSum: unary(summable, 1),
  ...each(['add', 'sub', 'mul', 'div', 'max', 'min', 'pow'], binary(any)),
  ...each(['equal', 'notEqual', 'greater', 'greaterOrEqual', 'lesser', 'lesserOrEqual'], binary(any, bytes)),
  logicalNot: { a: of(bytes), output: of(bytes) },
  ...each(['logicalAnd', 'logicalOr', 'logicalXor'], binary(bytes)),
  ...each(['isNaN', 'isInfinite'], { a: of(floats), output: of(bytes) }),
  ...each(['abs', 'neg', 'sign'], unary(signed)),
  ...each(['ceil', 'cos', 'erf', 'exp', 'floor', 'log', 'reciprocal', 'roundEven', 'sin', 'sqrt', 'tan'], unary(floats)),
  dequantizeLinear: {
    input: of(['int32', 'uint32', ...quantized]),
    scale: of(floats),
    zeroPoint: like('input', ['int32', 'uint32', ...quantized]),
    output: of(floats),
  },
  quantizeLinear: {
    input: of(floats),
    scale: like('input', floats),
    zeroPoint: of(['int32', 'uint32', ...quantized]),
    output: of(['int32', 'uint32', ...quantized]),
  },
  ...each(['elu', 'gelu', 'hardSigmoid', 'hardSwish', 'leakyRelu', 'linear'], unary(floats)),
  ...each(['sigmoid', 'softplus', 'softsign', 'tanh'], unary(floats)),
  softmax: unary(floats, 1),
  relu: unary(signed),
  prelu: { input: of(signed), slope: like('input', signed), output: of(signed) },
  gather: { input: of(any, 1), indices: of(indices), output: of(any) },
  gatherND: { input: of(any, 1), indices: of(indices, 1), output: of(any) },
  gatherElements: { input: of(any, 1), indices: of(indices, 1), output: of(any, 1) },
  gemm: { a: of(floats, 2, 2), b: like('a', floats, 2, 2), c: like('a', floats, 0, 2), output: of(floats, 2, 2) },
  gru: recurrent({
    ...{ input: 3, weight: 3, recurrentWeight: 3, bias: 2, recurrentBias: 2, initialHiddenState: 3 },
    ...{ output0: 3, output1: 4 },
  }),
  gruCell: recurrent({ input: 2, weight: 2, recurrentWeight: 2, hiddenState: 2, bias: 1, recurrentBias: 1, output: 2 }),
  lstm: recurrent({
    ...{ input: 3, weight: 3, recurrentWeight: 3, bias: 2, recurrentBias: 2, peepholeWeight: 2 },
    ...{ initialHiddenState: 3, initialCellState: 3, output0: 3, output1: 3, output2: 4 },
  }),
  lstmCell: recurrent({
    ...{ input: 2, weight: 2, recurrentWeight: 2, hiddenState: 2, cellState: 2, bias: 1, recurrentBias: 1 },
    ...{ peepholeWeight: 1, output0: 2, output1: 2 },
  }),
  instanceNormalization: {
    input: of(floats, 4, 4),
    scale: like('input', floats, 1, 1),
    bias: like('input', floats, 1, 1),
    output: of(floats, 4, 4),
  },
  layerNormalization: {
    input: of(floats),
    scale: like('input', floats),
    bias: like('input', floats),
    output: of(floats),
  },
  matmul: binary(floats, floats, 2),
  ...each(['averagePool2d', 'l2Pool2d'], unary(floats, 4, 4)),
  maxPool2d: unary(any, 4, 4),
  ...each(['reduceL1', 'reduceSum', 'reduceSumSquare', 'reduceProduct'], unary(summable)),
  ...each(['reduceL2', 'reduceLogSum', 'reduceLogSumExp', 'reduceMean'], unary(floats)),
  ...each(['reduceMax', 'reduceMin'], unary(any)),
  resample2d: unary([...floats, 'int8', 'uint8'], 4, 4),
  scatterElements: {
    input: of(any, 1),
    indices: of(indices, 1),
    updates: like('input', any, 1),
    output: of(any, 1),
  },
  scatterND: { input: of(any, 1), indices: of(indices, 1), updates: like('input', any), output: of(any, 1) },
  where: { condition: of(bytes), trueValue: of(any), falseValue: like('trueValue', any), output: of(any) },
};

/** The data types of inputs, constants and outputs of a graph. */
export const ports = of([...any, ...fourBits]);

/** What `opSupportLimits` returns. */
export function supportLimits(): MLOpSupportLimits {
  const operators = Object.entries(operatorLimits).map(([name, operands]) => {
    return [name, Object.fromEntries(Object.entries(operands).map(([operand, limits]) => [operand, tensorLimits(limits)]))];
  });
  const limits: unknown = {
    preferredInputLayout: 'nchw',
    maxTensorByteLength: maxByteLength,
    input: tensorLimits(ports),
    constant: tensorLimits(ports),
    output: tensorLimits(ports),
    ...Object.fromEntries(operators),
  };
  // a test compares it with the generated type
  return limits as MLOpSupportLimits;
}

function tensorLimits({ dataTypes, min, max }: OperandLimits): MLTensorLimits {
  return { dataTypes: [...dataTypes], rankRange: { min, max } };
}
