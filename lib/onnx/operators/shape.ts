/** Operators about sizes, and those that make tensors or give them other sizes. */
import { bitsOf, isFloat } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { empty, hostOperand, scalar, vector } from '../make-data.js';
import { broadcast, broadcastDims, checkedLength, elementsOf, isHost, Output, permuted, type HostOperand } from '../operand.js';
import type { Numbers } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { upTo } from './tensor-helpers.js';

export const shapeOperators: Lowerings = {
  Constant(node) {
    const tensor = node.tensor('value');
    if (tensor !== undefined) return tensor;
    const [int, ints] = [node.int('value_int'), node.ints('value_ints')];
    const [float, floats] = [node.float('value_float'), node.floats('value_floats')];
    if (int !== undefined) return scalar('int64', int);
    if (ints !== undefined) return vector('int64', ints);
    if (float !== undefined) return scalar('float32', float);
    if (floats !== undefined) return vector('float32', floats);
    throw node.unsupported('the value', [...node.proto.attributes.keys()].join(', '));
  },
  ConstantOfShape(node) {
    const dims = node.numbers(node.input(0));
    if (dims.some((size) => size < 0)) throw new RangeError('a size is negative');
    const given = node.tensor('value') ?? scalar('float32', 0);
    const [element = 0] = node.elements(given);
    const { dataType, isBool } = given;
    // Elements of 4 bits have no strides.
    if (bitsOf(dataType) < 8)
      return hostOperand(dataType, dims, new Array<number | bigint>(checkedLength(productOf(dims))).fill(element));
    return broadcast(hostOperand(dataType, [], [element], isBool), dims);
  },
  /** The elements are repeated by strides of 0. */
  Expand(node) {
    const input = node.input(0);
    if (bitsOf(input.dataType) < 8) throw node.unsupported('the data type', input.dataType);
    const dims = broadcastDims(input.dims, node.numbers(node.input(1)));
    return productOf(dims) === 0 ? empty(input.dataType, dims, input.isBool) : broadcast(input, dims);
  },
  EyeLike(node) {
    const input = node.input(0);
    const number = node.int('dtype');
    const { dataType, isBool } = number === undefined ? input : node.elementType(number);
    if (input.dims.length !== 2) throw new RangeError('the input is no matrix');
    const diagonal = node.int('k', 0);
    return node.add('diagonalMatrix1', {
      ...{ outputTensor: new Output(dataType, input.dims, isBool), valueDataType: dataType, value: 1 },
      ...{ diagonalFillBegin: diagonal, diagonalFillEnd: diagonal + 1 },
    });
  },
  Flatten(node) {
    const input = node.input(0);
    const rank = input.dims.length;
    const given = node.int('axis', 1);
    const axis = given === rank ? rank : node.axis(given, rank);
    return node.reshape(input, [productOf(input.dims.slice(0, axis)), productOf(input.dims.slice(axis))]);
  },
  Identity: (node) => node.item(0),
  /** Each run computes what depends on its own elements: only their number is a part of the graph. */
  Range(node) {
    const given = [node.input(0), node.input(1), node.input(2)] as const;
    const { dataType } = given[0];
    const isKnown = given.every((each) => isHost(each) && each.data.supply?.isUnknown !== true);
    if (!isKnown)
      return rangeOf(
        dataType,
        given.map((each) => node.element(each)),
      );
    return node.computeOne(given, (...all) =>
      rangeOf(
        dataType,
        all.map((each) => elementsOf(each)[0] ?? 0),
      ),
    );
  },
  /** A size of 0 stands for that of the input, and one of -1 for what is left. */
  Reshape(node) {
    const input = node.input(0);
    const keepsZero = node.flag('allowzero');
    const dims = node.list(1, 'shape')?.map((size, i) => (size === 0 && !keepsZero ? (input.dims[i] ?? 0) : size)) ?? [];
    const place = dims.indexOf(-1);
    if (place < 0) return node.reshape(input, dims);
    const count = productOf(input.dims);
    const rest = count / productOf(dims.toSpliced(place, 1));
    if (!Number.isInteger(rest)) throw new RangeError(`${count} elements cannot become ${dims.join(' × ')}`);
    return node.reshape(input, dims.with(place, rest));
  },
  /** A part of the sizes. */
  Shape: (node) => vector('int64', node.input(0).dims.slice(node.int('start', 0), node.int('end'))),
  Size: (node) => scalar('int64', productOf(node.input(0).dims)),
  Squeeze(node) {
    const input = node.input(0);
    const axes = node.list(1, 'axes')?.map((axis) => node.axis(axis, input.dims.length));
    if (axes?.some((axis) => input.dims[axis] !== 1)) throw new RangeError('a size that is squeezed is not 1');
    return permuted(
      input,
      upTo(input.dims.length).filter((i) => (axes === undefined ? input.dims[i] !== 1 : !axes.includes(i))),
    );
  },
  Unsqueeze(node) {
    const input = node.input(0);
    const given = node.list(1, 'axes') ?? [];
    const rank = input.dims.length + given.length;
    const axes = new Set(given.map((axis) => node.axis(axis, rank)));
    if (axes.size < given.length) throw new RangeError('an axis is listed twice');
    const own = upTo(input.dims.length);
    // A dimension that there is not has the size 1.
    return permuted(
      input,
      upTo(rank).map((i) => (axes.has(i) ? Infinity : (own.shift() ?? 0))),
    );
  },
};

/** Each element is computed from its place, so that errors do not add up. */
function rangeOf(dataType: DataType, [start = 0, limit = 0, delta = 0]: readonly (number | bigint)[]): HostOperand {
  if (Number(delta) === 0) throw new RangeError('the step is 0');
  return vector(
    dataType,
    isFloat(dataType) ? floatRange(Number(start), Number(limit), Number(delta)) : range(start, limit, delta),
  );
}

function floatRange(start: number, limit: number, delta: number): Numbers {
  const length = Math.max(0, Math.ceil((limit - start) / delta));
  if (!Number.isSafeInteger(length)) throw new RangeError('the range does not end');
  return Array.from({ length: checkedLength(length) }, (_, i) => start + i * delta);
}

function range(...given: readonly [number | bigint, number | bigint, number | bigint]): readonly bigint[] {
  const [start = 0n, limit = 0n, delta = 0n] = given.map(BigInt);
  const towards = delta > 0n ? 1n : -1n;
  const length = Number((limit - start + delta - towards) / delta);
  return Array.from({ length: checkedLength(Math.max(0, length)) }, (_, i) => start + BigInt(i) * delta);
}
