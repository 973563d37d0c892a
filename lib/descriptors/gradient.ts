/** What a rule of gradients is: from the gradient of an operator's output to those of its inputs. */
import type { DataType } from '../tensors/generated/enums.js';
import type { OperatorType } from './generated/descriptors.js';
import type { Resolved, ResolvedActivation, ResolvedTensor } from './resolved.js';

/** A tensor, as rules see it: a value of a graph. */
export interface Expression {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly strides: readonly number[] | null;
  reshape(sizes: readonly number[]): Expression;
  transpose(axes?: readonly number[]): Expression;
  broadcastTo(sizes: readonly number[]): Expression;
}

/** The functions of operators; those of elements without `elementWise`. Numbers may stand for tensors, as in the functions. */
export type Operations = { readonly [Type in OperatorType as ShortName<Type>]: (...given: readonly unknown[]) => Expression } & {
  /** Zeros in the layout of a tensor. */
  readonly zeros: (like: Expression) => Expression;
  readonly constant: (dataType: DataType, sizes: readonly number[], elements: readonly number[]) => Expression;
  /** A value with its own gradient: that of an input, of which it is a linear function, by that of the value. */
  readonly linear: (value: Expression, input: Expression, gradientOf: (gradient: Expression) => Expression) => Expression;
  /** Applies an activation that another operator has in a field. */
  readonly activated: (activation: ResolvedActivation, value: Expression) => Expression;
};
type ShortName<Type extends OperatorType> = Type extends `elementWise${infer Name}` ? Uncapitalize<Name> : Type;

/** The fields of a node: its descriptor with tensors in the fields of inputs and outputs. */
export type NodeFields<Type extends OperatorType> = Type extends OperatorType
  ? { readonly [Name in keyof Resolved<Type>]: FieldOf<Resolved<Type>[Name]> }
  : never;
type FieldOf<Field> = Field extends ResolvedTensor
  ? Expression
  : Field extends readonly ResolvedTensor[]
    ? readonly Expression[]
    : Field;

/**
 * The gradients of inputs by field, each computed only if it is asked for. An input without one does not change the output, or
 * only in steps. `undefined` is the gradient 0; a text says why there is none.
 */
export type InputGradients = Readonly<Record<string, (index: number) => Expression | string | undefined>>;

/** The outputs of a node by field, computed again by operators whose gradients are known. */
export class Composed {
  readonly outputs: Readonly<Record<string, Expression>>;

  constructor(outputs: Readonly<Record<string, Expression>>) {
    this.outputs = outputs;
  }
}

/**
 * Returns the gradients of the inputs of a node, or how it is composed. `gradient` is that of its output, the first one with a
 * gradient if there are several; `gradientOf` gives the others by field, `outputTensors[1]` for an element of an array. A fused
 * activation and a `scaleBias` are the caller's affair: rules need not know them. A text says why such a node has none.
 */
export type GradientRule<Type extends OperatorType = OperatorType> = (
  node: NodeFields<Type>,
  gradient: Expression,
  operations: Operations,
  gradientOf: (path: string) => Expression | undefined,
) => InputGradients | Composed | string;

/** The rules of some operators. A text says why there is none. */
export type GradientRules<Type extends OperatorType> = { readonly [Name in Type]: GradientRule<Name> | string };

/** The rule of an operator of one tensor whose elements are computed one by one: the gradient of `x`, from `g`, that of `y`. */
export function ofElements<Type extends OperatorType>(
  gradientOf: (g: Expression, x: Expression, o: Operations, y: Expression, node: NodeFields<Type>) => Expression | undefined,
): GradientRule<Type> {
  return (node, g, o) => {
    const { inputTensor: x, outputTensor: y } = node as unknown as { inputTensor: Expression; outputTensor: Expression };
    return { inputTensor: () => gradientOf(g, x, o, y, node) };
  };
}

/** The same where the gradient is multiplied with a derivative. */
export const byDerivative = <Type extends OperatorType>(
  derivative: (x: Expression, o: Operations, y: Expression, node: NodeFields<Type>) => Expression | number,
) => ofElements<Type>((g, x, o, y, node) => o.multiply(g, derivative(x, o, y, node)));

/** Sums along the dimensions that are 1 in `sizes`. */
export function sumTo(sizes: readonly number[], value: Expression, { reduce }: Operations): Expression {
  const axes = value.sizes.flatMap((size, axis) => (sizes[axis] === 1 && size !== 1 ? [axis] : []));
  return axes.length === 0 ? value : reduce(value, { function: 'sum', axes });
}

/** The elements in a layout without strides, which can be reshaped. */
export function packed(value: Expression, { identity }: Operations): Expression {
  return value.strides === null ? value : identity(value);
}

/** The most elements of a matrix that picks rows. More rows are summed block by block. */
const maxPicked = 2 ** 20;

/**
 * Sums the rows [batch, count, width] into [batch, height, width] by their indices [batch or 1, count, 1]. DirectML has no scatter
 * that adds, so a matrix of ones and zeros does: it has count rows, and as many columns as there are rows or places, which is less.
 */
export function sumRows(rows: Expression, indices: Expression, height: number, o: Operations): Expression {
  const [batch = 1, count = 1, width = 1] = rows.sizes;
  const places = indices.broadcastTo([batch, count, width]);
  const sum = count > height ? sumByPlace(rows, indices, height, o) : scattered(rows, indices, places, height, o);
  return o.linear(sum, rows, (gradient) => o.gatherElements(gradient, places, { axis: 1 }));
}

/** The places and lengths of blocks of rows, for a matrix with so many columns. */
function blocksOf(count: number, columns: number): readonly (readonly [start: number, length: number])[] {
  const length = Math.max(1, Math.floor(maxPicked / columns));
  const starts = Array.from({ length: Math.ceil(count / length) }, (_, i) => i * length);
  return starts.map((start) => [start, Math.min(length, count - start)]);
}

/** Each row becomes the sum of all rows with its index, and then all of them go to one place. */
function scattered(rows: Expression, indices: Expression, places: Expression, height: number, o: Operations): Expression {
  const { dataType, sizes } = rows;
  const [batch = 1, count = 1, width = 1] = sizes;
  const batches = indices.sizes[0] ?? 1;
  const line = packed(indices, o).reshape([batches, 1, count]);
  const sums = blocksOf(count, batches * count).map(([start, length]) => {
    const own = length === count ? indices : along(indices, 1, start, length, o);
    const whole = [batches, length, count];
    const isSame = o.cast(o.logicalEquals(own.broadcastTo(whole), line.broadcastTo(whole)), { outputTensor: { dataType } });
    return product(isSame, rows, {}, o).reshape([batch, length, width]);
  });
  const zeros = o.identity(o.zeros({ ...rows, sizes: [batch, height, width] }));
  return o.scatterElements(zeros, places, sums.length === 1 ? sums[0] : o.join(sums, { axis: 1 }), { axis: 1 });
}

function sumByPlace(rows: Expression, indices: Expression, height: number, o: Operations): Expression {
  const { dataType, sizes } = rows;
  const [batch = 1, count = 1, width = 1] = sizes;
  const batches = indices.sizes[0] ?? 1;
  const values = o.constant(dataType, [2], [0, 1]);
  const sum = blocksOf(count, batches * height).reduce<Expression | undefined>((before, [start, length]) => {
    const part = (value: Expression) => (length === count ? value : along(value, 1, start, length, o));
    const picks = o.oneHot(part(indices), values, { axis: 2, outputTensor: { dataType, sizes: [batches, length, height] } });
    return product(picks, part(rows), { transA: 'transpose', ...(before && { cTensor: before }) }, o);
  }, undefined);
  return (sum ?? rows).reshape([batch, height, width]);
}

/** The product of a matrix, which all batches may share, with rows. */
function product(matrix: Expression, rows: Expression, fields: object, o: Operations): Expression {
  const [batch = 1, ...size] = rows.sizes;
  const [batches = 1, ...own] = matrix.sizes;
  return o.gemm(
    matrix.reshape([1, batches, ...own]).broadcastTo([1, batch, ...own]),
    packed(rows, o).reshape([1, batch, ...size]),
    fields,
  );
}

/** The elements from `start` on along an axis. */
export function along(value: Expression, axis: number, start: number, size: number, { slice }: Operations): Expression {
  const sizes = value.sizes.with(axis, size);
  return slice(value, { offsets: sizes.map((_, i) => (i === axis ? start : 0)), sizes, strides: sizes.map(() => 1) });
}

/** Adds elements before and after those along an axis. */
export function padded(value: Expression, axis: number, start: number, end: number, { padding }: Operations): Expression {
  const only = (size: number) => value.sizes.map((_, i) => (i === axis ? size : 0));
  return padding(value, { paddingMode: 'constant', paddingValue: 0, startPadding: only(start), endPadding: only(end) });
}

/** Equal parts along an axis. */
export function parts(value: Expression, axis: number, count: number, { split }: Operations): readonly Expression[] {
  const sizes = value.sizes.with(axis, (value.sizes[axis] ?? 1) / count);
  const outputTensors = Array.from({ length: count }, () => ({ dataType: value.dataType, sizes }));
  return split(value, { axis, outputTensors }) as unknown as readonly Expression[];
}
