/** Matrix products, softmax, reductions and normalizations. */
import type { Operand, OperandDescriptor, OperatorName } from '../ml-operand.js';
import type { MLArgMinMaxOptions, MLReduceOptions } from '../generated/arguments.js';
import { list, type Check, type Validators } from './check.js';

export const matrices: Validators<Matrices> = {
  matmul(check, a, b) {
    const [rows = 1, inner = 1] = a.shape.slice(-2);
    const [innerB = 1, columns = 1] = b.shape.slice(-2);
    check.that(inner === innerB, () => `the shapes ${list(a.shape)} and ${list(b.shape)} do not multiply`);
    const batch = check.broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
    return { dataType: a.dataType, shape: [...batch, rows, columns] };
  },
  gemm(check, a, b, { c, aTranspose, bTranspose }) {
    const [rows = 1, inner = 1] = aTranspose ? a.shape.toReversed() : a.shape;
    const [innerB = 1, columns = 1] = bTranspose ? b.shape.toReversed() : b.shape;
    check.that(inner === innerB, () => `a has ${inner} columns, but b has ${innerB} rows`);
    if (c !== undefined) check.broadcastTo('c', c.shape, [rows, columns]);
    return { dataType: a.dataType, shape: [rows, columns] };
  },
  softmax(check, input, axis) {
    check.axis('axis', axis, input);
    return { dataType: input.dataType, shape: input.shape };
  },
  cumulativeSum(check, input, axis) {
    check.axis('axis', axis, input);
    return { dataType: input.dataType, shape: input.shape };
  },
  argMin: argMinMax,
  argMax: argMinMax,
  reduceL1: reduce,
  reduceL2: reduce,
  reduceLogSum: reduce,
  reduceLogSumExp: reduce,
  reduceMax: reduce,
  reduceMean: reduce,
  reduceMin: reduce,
  reduceProduct: reduce,
  reduceSum: reduce,
  reduceSumSquare: reduce,
  batchNormalization(check, input, mean, variance, { axis, scale, bias }) {
    check.axis('axis', axis, input);
    const expected = [input.shape[axis] ?? 1];
    for (const [name, operand] of Object.entries({ mean, variance, scale, bias })) check.shape(name, operand, expected);
    return { dataType: input.dataType, shape: input.shape };
  },
  instanceNormalization(check, input, { scale, bias, layout }) {
    const expected = [input.shape[layout === 'nchw' ? 1 : 3] ?? 1];
    check.shape('scale', scale, expected);
    check.shape('bias', bias, expected);
    return { dataType: input.dataType, shape: input.shape };
  },
  layerNormalization(check, input, { scale, bias, axes = normalizedAxes(input.rank) }) {
    check.axes('axes', axes, input);
    const expected = axes.map((axis) => input.shape[axis] ?? 1);
    check.shape('scale', scale, expected);
    check.shape('bias', bias, expected);
    return { dataType: input.dataType, shape: input.shape };
  },
};

/** The axes of a layer normalization that names none: all but the first. */
export function normalizedAxes(rank: number): readonly number[] {
  return rank > 1 ? Array.from({ length: rank - 1 }, (_, i) => i + 1) : [];
}

function argMinMax(check: Check, input: Operand, axis: number, options: MLArgMinMaxOptions): OperandDescriptor {
  check.axis('axis', axis, input);
  const { outputDataType, keepDimensions } = options;
  const isIndex = outputDataType === 'int32' || outputDataType === 'int64';
  check.that(isIndex, () => `outputDataType is ${outputDataType}, not int32 or int64`);
  return { dataType: outputDataType, shape: reducedShape(input.shape, [axis], keepDimensions) };
}

function reduce(check: Check, input: Operand, { axes, keepDimensions }: MLReduceOptions): OperandDescriptor {
  check.axes('axes', axes, input);
  return { dataType: input.dataType, shape: reducedShape(input.shape, axes ?? [...input.shape.keys()], keepDimensions) };
}

function reducedShape(shape: readonly number[], axes: readonly number[], keepDimensions: boolean): readonly number[] {
  if (keepDimensions) return shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  return shape.filter((_, axis) => !axes.includes(axis));
}

type Matrices = Extract<
  OperatorName,
  | ('matmul' | 'gemm' | 'softmax' | 'cumulativeSum' | 'argMin' | 'argMax')
  | ('reduceL1' | 'reduceL2' | 'reduceLogSum' | 'reduceLogSumExp' | 'reduceMax' | 'reduceMean' | 'reduceMin')
  | ('reduceProduct' | 'reduceSum' | 'reduceSumSquare')
  | ('batchNormalization' | 'instanceNormalization' | 'layerNormalization')
>;
