/** What JavaScript computes from elements in memory, for data types and operators that DirectML lacks. */
import type { DataType } from '../../tensors/generated/enums.js';
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import {
  broadcast,
  broadcastDims,
  checkedLength,
  isHost,
  numbersOf,
  permuted,
  type HostOperand,
  type Operand,
} from '../operand.js';

export type Numbers = readonly number[];

/** Undefined for elements that are not the same in each run. */
export function constantOf(operand: Operand | undefined): HostOperand | undefined {
  return operand !== undefined && isHost(operand) && operand.data.supply === null ? operand : undefined;
}

/** Computes each number of a tensor by itself. */
export function mapInMemory(
  node: Node,
  input: Operand,
  map: (element: number, place: number) => number | bigint,
  dataType: DataType = input.dataType,
  isBool = false,
): Operand {
  return node.computeOne([input], (given) => hostOperand(dataType, input.dims, numbersOf(given).map(map), isBool));
}

export function testInMemory(node: Node, input: Operand, test: (element: number) => boolean): Operand {
  return mapInMemory(node, input, (element) => Number(test(element)), 'uint8', true);
}

/** Combines the elements of two tensors that broadcast. */
export function combineInMemory(
  node: Node,
  a: Operand,
  b: Operand,
  combine: (a: number, b: number) => number | boolean,
  dataType: DataType = a.dataType,
  isBool = false,
): Operand {
  const dims = broadcastDims(a.dims, b.dims);
  return node.computeOne([a, b], (...given) => {
    const [left = [], right = []] = given.map((operand) => numbersOf(broadcast(operand, dims)));
    const elements = left.map((element, i) => Number(combine(element, right[i] ?? NaN)));
    return hostOperand(dataType, dims, elements, isBool);
  });
}

/** Undefined for a tensor that is left out or has no elements. */
export function firstOf(operand: HostOperand | undefined): number | undefined {
  return operand && numbersOf(operand)[0];
}

/** A list in parts of one length. */
export function partsOf<T>(list: readonly T[], count: number): readonly (readonly T[])[] {
  const length = list.length / count;
  return Array.from({ length: count }, (_, i) => list.slice(i * length, (i + 1) * length));
}

/** The numbers along an axis, for each place of the other dimensions. */
export function linesOf(given: HostOperand, axis: number): readonly Numbers[] {
  const { dims } = given;
  const others = [...dims.keys()].filter((i) => i !== axis);
  return partsOf(numbersOf(permuted(given, [...others, axis])), productOf(dims.toSpliced(axis, 1)));
}

/** A tensor of lines along an axis. */
export function fromLines(dataType: DataType, dims: Numbers, axis: number, lines: readonly Numbers[]): HostOperand {
  const size = dims[axis] ?? 1;
  const after = productOf(dims.slice(axis + 1));
  const elements = Array.from({ length: checkedLength(productOf(dims)) }, (_, i) => {
    const line = lines[Math.floor(i / size / after) * after + (i % after)];
    return line?.[Math.floor(i / after) % size] ?? NaN;
  });
  return hostOperand(dataType, dims, elements);
}

/** Where the i-th element of a tensor lies in each dimension. */
export function coordinatesOf(i: number, dims: Numbers): readonly number[] {
  const strides = packedStrides(dims);
  return dims.map((size, axis) => Math.floor(i / (strides[axis] ?? 1)) % size);
}

/** The sum of products. */
export function dot(a: Numbers, b: Numbers, start = 0): number {
  return a.reduce((sum, each, i) => sum + each * (b[i] ?? 0), start);
}
