/** Operators about sizes, and those that make tensors or give them other sizes. */
import { bitsOf, isFloat } from '../../data-types/table.js';
import { productOf } from '../../validation/tensor-size.js';
import { empty, hostOperand, scalar, vector } from '../make-data.js';
import type { Node } from '../node.js';
import {
  broadcast,
  broadcastDims,
  elementsOf,
  isHost,
  Output,
  stridesOf,
  withLayout,
  type HostOperand,
  type Item,
  type Operand,
} from '../operand.js';
import type { Lowerings } from './lowering.js';

function constant(node: Node): Operand {
  const tensor = node.tensor('value');
  if (tensor !== undefined) return tensor;
  const [int, ints] = [node.int('value_int'), node.ints('value_ints')];
  const [float, floats] = [node.float('value_float'), node.floats('value_floats')];
  if (int !== undefined) return scalar('int64', int);
  if (ints !== undefined) return vector('int64', ints);
  if (float !== undefined) return scalar('float32', float);
  if (floats !== undefined) return vector('float32', floats);
  throw node.unsupported('the value', [...node.proto.attributes.keys()].join(', '));
}

/** A part of the sizes. */
function shape(node: Node): Operand {
  const { dims } = node.input(0);
  const place = (name: string, byDefault: number) => {
    const given = node.int(name, byDefault);
    return Math.min(dims.length, Math.max(0, given < 0 ? given + dims.length : given));
  };
  return vector('int64', dims.slice(place('start', 0), place('end', dims.length)));
}

function constantOfShape(node: Node): Operand {
  const dims = node.numbers(node.input(0));
  if (dims.some((size) => size < 0)) throw new RangeError('a size is negative');
  const given = node.tensor('value') ?? scalar('float32', 0);
  const [element = 0] = node.elements(given);
  const { dataType, isBool } = given;
  if (bitsOf(dataType) < 8) return hostOperand(dataType, dims, new Array<number>(productOf(dims)).fill(Number(element)));
  return broadcast(hostOperand(dataType, [], [element], isBool), dims);
}

/** Each run computes what depends on its own elements: only their number is a part of the graph. */
function range(node: Node): Operand {
  const given = [node.input(0), node.input(1), node.input(2)] as const;
  const isKnown = given.every((each) => isHost(each) && each.data.supply?.isUnknown !== true);
  if (isKnown)
    return node.computeOne(given, (...all) =>
      rangeOf(
        all.map((each) => elementsOf(each)[0]),
        given[0],
      ),
    );
  return rangeOf(
    given.map((each) => node.element(each)),
    given[0],
  );
}

/** Each element is computed from its place, so that errors do not add up. */
function rangeOf(
  [start, limit, delta]: readonly (number | bigint | undefined)[],
  { dataType }: Pick<Operand, 'dataType'>,
): HostOperand {
  if (start === undefined || limit === undefined || delta === undefined || Number(delta) === 0) {
    throw new RangeError('the step is 0');
  }
  const elements = isFloat(dataType)
    ? floatRange(Number(start), Number(limit), Number(delta))
    : integerRange(BigInt(start), BigInt(limit), BigInt(delta));
  return vector(dataType, elements);
}

function floatRange(start: number, limit: number, delta: number): readonly number[] {
  const length = Math.max(0, Math.ceil((limit - start) / delta));
  if (!Number.isSafeInteger(length)) throw new RangeError('the range does not end');
  return Array.from({ length }, (_, i) => start + i * delta);
}

function integerRange(start: bigint, limit: bigint, delta: bigint): readonly bigint[] {
  const towards = delta > 0n ? 1n : -1n;
  const length = Number((limit - start + delta - towards) / delta);
  return Array.from({ length: Math.max(0, length) }, (_, i) => start + BigInt(i) * delta);
}

function eyeLike(node: Node): Operand {
  const input = node.input(0);
  const number = node.int('dtype');
  const { dataType, isBool } = number === undefined ? input : node.elementType(number);
  if (input.dims.length !== 2) throw new RangeError('the input is no matrix');
  const diagonal = node.int('k', 0);
  return node.add('diagonalMatrix1', {
    ...{ outputTensor: new Output(dataType, input.dims, isBool), valueDataType: dataType, value: oneOf(dataType) },
    ...{ diagonalFillBegin: diagonal, diagonalFillEnd: diagonal + 1 },
  });
}

function oneOf(dataType: string): number | bigint {
  return dataType === 'int64' || dataType === 'uint64' ? 1n : 1;
}

/** A size of 0 stands for that of the input, and one of -1 for what is left. */
function reshape(node: Node): Operand {
  const input = node.input(0);
  const given = node.list(1, 'shape') ?? [];
  const keepsZero = node.flag('allowzero');
  const dims = given.map((size, i) => (size === 0 && !keepsZero ? (input.dims[i] ?? 0) : size));
  return node.reshape(input, withRest(dims, productOf(input.dims)));
}

function withRest(dims: readonly number[], count: number): readonly number[] {
  const place = dims.indexOf(-1);
  if (place < 0) return dims;
  const rest = count / productOf(dims.toSpliced(place, 1));
  if (!Number.isInteger(rest)) throw new RangeError(`${count} elements cannot become ${dims.join(' × ')}`);
  return dims.with(place, rest);
}

function flatten(node: Node): Operand {
  const input = node.input(0);
  const rank = input.dims.length;
  const given = node.int('axis', 1);
  const axis = given === rank ? rank : node.axis(given, rank);
  return node.reshape(input, [productOf(input.dims.slice(0, axis)), productOf(input.dims.slice(axis))]);
}

function squeeze(node: Node): Operand {
  const input = node.input(0);
  const given = node.list(1, 'axes');
  const axes = given?.map((axis) => node.axis(axis, input.dims.length));
  if (axes?.some((axis) => input.dims[axis] !== 1)) throw new RangeError('a size that is squeezed is not 1');
  const keeps = input.dims.map((size, i) => (axes === undefined ? size !== 1 : !axes.includes(i)));
  const strides = stridesOf(input);
  return withLayout(
    input,
    input.dims.filter((_, i) => keeps[i]),
    strides.filter((_, i) => keeps[i]),
  );
}

function unsqueeze(node: Node): Operand {
  const input = node.input(0);
  const given = node.list(1, 'axes') ?? [];
  const rank = input.dims.length + given.length;
  const axes = new Set(given.map((axis) => node.axis(axis, rank)));
  if (axes.size < given.length) throw new RangeError('an axis is listed twice');
  const own = [...input.dims.entries()];
  const strides = stridesOf(input);
  const sizes = Array.from({ length: rank }, (_, i) => (axes.has(i) ? undefined : own.shift()));
  return withLayout(
    input,
    sizes.map((entry) => entry?.[1] ?? 1),
    sizes.map((entry) => (entry === undefined ? 0 : (strides[entry[0]] ?? 0))),
  );
}

/** The elements are repeated by strides of 0. */
function expand(node: Node): Operand {
  const input = node.input(0);
  if (bitsOf(input.dataType) < 8) throw node.unsupported('the data type', input.dataType);
  const dims = broadcastDims(input.dims, node.numbers(node.input(1)));
  return productOf(dims) === 0 ? empty(input.dataType, dims, input.isBool) : broadcast(input, dims);
}

/** Operators about sizes, and those that make tensors or give them other sizes. */
export const shapeOperators: Lowerings = {
  Constant: constant,
  ConstantOfShape: constantOfShape,
  Expand: expand,
  EyeLike: eyeLike,
  Flatten: flatten,
  Identity: (node): Item => node.item(0),
  Range: range,
  Reshape: reshape,
  Shape: shape,
  Size: (node) => scalar('int64', productOf(node.input(0).dims)),
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
};
