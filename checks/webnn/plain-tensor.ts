/** Tensors as plain lists of numbers, for formulas that read like the specification. Nothing here is fast or rounds. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { coordinatesOf as coordinatesAt, ones, product } from '../cases/layout.js';

/** A bigint for integers of 64 bits, otherwise a number. */
export type Element = number | bigint;

export type Shape = readonly number[];

export interface PlainTensor {
  readonly dataType: MLOperandDataType;
  readonly shape: Shape;
  /** In row-major order. The results of formulas are not rounded to the data type. */
  readonly data: readonly Element[];
  /** The largest magnitude among the terms of each element, if a formula adds terms that may cancel each other. */
  readonly scale?: readonly number[];
  /** By index: other results that the specification allows for elements that it leaves open. */
  readonly also?: ReadonlyMap<number, Also>;
}

/** Further results, a range of them, or any at all. */
type Also = readonly Element[] | { readonly from: Element; readonly to: Element } | 'any';

/** An element of a formula's result, with its scale and the other results that are allowed. */
export interface Outcome {
  readonly value: Element;
  readonly scale?: number;
  readonly also?: Also;
}

/** Makes a tensor by calling the function with the coordinates of each element. */
export function makeTensor(
  dataType: MLOperandDataType,
  shape: Shape,
  elementAt: (coordinates: Shape) => Element | Outcome,
): PlainTensor {
  const data: Element[] = [];
  const scale: number[] = [];
  const also = new Map<number, Also>();
  for (const coordinates of coordinatesOf(shape)) {
    const result = elementAt(coordinates);
    const outcome: Outcome = typeof result === 'object' ? result : { value: result };
    if (outcome.also !== undefined) also.set(data.length, outcome.also);
    data.push(outcome.value);
    scale.push(outcome.scale ?? 0);
  }
  return { dataType, shape, data, scale, also };
}

/** Broadcasts the tensors to one shape, and computes each element with the function. */
export function combined(
  dataType: MLOperandDataType,
  tensors: readonly PlainTensor[],
  combine: (...elements: Element[]) => Element | Outcome,
): PlainTensor {
  const shape = tensors.map((tensor) => tensor.shape).reduce(broadcastShapes);
  return makeTensor(dataType, shape, (coordinates) => combine(...tensors.map((tensor) => at(tensor, coordinates))));
}

/** The element at these coordinates; a dimension of 1 serves every coordinate, and leading coordinates may be missing. */
export function at(tensor: PlainTensor, coordinates: Shape): Element {
  const { shape, data } = tensor;
  const skipped = coordinates.length - shape.length;
  if (skipped < 0) throw new RangeError(`${coordinates.length} coordinates for ${shape.length} dimensions`);
  let index = 0;
  for (const [axis, size] of shape.entries()) index = index * size + (size === 1 ? 0 : (coordinates[axis + skipped] ?? 0));
  const element = data[index];
  if (element === undefined) throw new RangeError(`no element at [${coordinates.join()}] of the shape [${shape.join()}]`);
  return element;
}

/** Like {@link at}, for a tensor whose elements are numbers. */
export function numberAt(tensor: PlainTensor, coordinates: Shape): number {
  const element = at(tensor, coordinates);
  if (typeof element === 'bigint') throw new TypeError(`${tensor.dataType} has bigints`);
  return element;
}

/** All coordinates of a shape in row-major order; one empty list for a shape without dimensions. */
export function* coordinatesOf(shape: Shape): Generator<Shape> {
  const count = sizeOf(shape);
  for (let index = 0; index < count; index++) yield coordinatesAt(index, shape);
}

export const sizeOf: (shape: Shape) => number = product;

/** The shape that both shapes broadcast to. */
export function broadcastShapes(a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  const padded = (shape: Shape) => [...ones(rank - shape.length), ...shape];
  const [left, right] = [padded(a), padded(b)];
  return left.map((size, axis) => {
    const other = right[axis] ?? 1;
    if (size !== other && size !== 1 && other !== 1) throw new RangeError(`[${a.join()}] and [${b.join()}] do not broadcast`);
    return Math.max(size, other);
  });
}
