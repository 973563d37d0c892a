/** Operators that read or write elements at given places. */
import { packedStrides, productOf } from '../../validation/tensor-size.js';
import { empty, hostOperand, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, elementsOf, numbersOf, reshaped, withRank, type HostOperand, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { cornerOf, joined, partOf, taken } from './move-helpers.js';
import { reductions, type Reduction } from './scatter-reductions.js';

export const gatherOperators: Lowerings = {
  Gather(node) {
    const input = node.input(0);
    return taken(node, input, node.axis(node.int('axis', 0), input.dims.length), node.input(1));
  },
  GatherElements(node) {
    const input = node.input(0);
    const indices = node.input(1);
    const axis = node.axis(node.int('axis', 0), input.dims.length);
    if (productOf(indices.dims) === 0) return empty(input.dataType, indices.dims, input.isBool);
    const inputTensor = cornerOf(node, input, indices.dims.with(axis, input.dims[axis] ?? 1));
    return node.add('gatherElements', {
      ...{ inputTensor, indicesTensor: indices, axis },
      outputTensor: like(input, indices.dims),
    });
  },
  GatherND(node) {
    const input = node.input(0);
    const indices = node.input(1);
    const batches = node.int('batch_dims', 0);
    const dims = [...indices.dims.slice(0, -1), ...input.dims.slice(batches + (indices.dims.at(-1) ?? 0))];
    const rank = Math.max(input.dims.length, indices.dims.length, dims.length);
    if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
    const made = node.add('gatherNd1', {
      inputTensor: withRank(input, rank),
      indicesTensor: withRank(indices, rank),
      outputTensor: like(input, [...new Array<number>(rank - dims.length).fill(1), ...dims]),
      inputDimensionCount: input.dims.length,
      indicesDimensionCount: indices.dims.length,
      batchDimensionCount: batches,
    });
    return reshaped(made, dims);
  },
  ScatterElements: scatterElements,
  Scatter: scatterElements,
  ScatterND(node) {
    const input = node.input(0);
    const indices = node.input(1);
    const updates = node.input(2);
    if (productOf(updates.dims) === 0 || productOf(input.dims) === 0) return input;
    const reduction = reductionOf(node, input);
    if (reduction !== null) {
      return node.compute([input, indices, updates], (data, places, news) =>
        reduced(data, news, reduction, (count) => placesOfTuples(places, data, count)),
      );
    }
    const rank = Math.max(input.dims.length, indices.dims.length, updates.dims.length);
    const made = node.add('scatterNd', {
      inputTensor: withRank(input, rank),
      indicesTensor: withRank(node.packed(indices), rank),
      updatesTensor: withRank(updates, rank),
      outputTensor: like(input, withRank(input, rank).dims),
      inputDimensionCount: input.dims.length,
      indicesDimensionCount: indices.dims.length,
    });
    return reshaped(made, input.dims);
  },
  TensorScatter(node) {
    const input = node.input(0);
    const updates = node.input(1);
    const given = node.optional(2);
    const rank = input.dims.length;
    const axis = node.axis(node.int('axis', -2), rank);
    const mode = node.text('mode', 'linear');
    if (mode !== 'linear' && mode !== 'circular') throw node.unsupported('the mode', mode);
    if (axis === 0) throw new RangeError('the axis is that of the batch');
    if (productOf(updates.dims) === 0) return input;
    const ones = input.dims.map(() => 1);
    const count = updates.dims[axis] ?? 1;
    const steps = hostOperand('int32', ones.with(axis, count), Array(count).keys());
    const starts = given && node.reshape(node.cast(given, 'int32'), ones.with(0, input.dims[0] ?? 1));
    const sums = starts === undefined ? steps : node.arithmetic('elementWiseAdd', starts, steps);
    const size = hostOperand('int32', ones, [input.dims[axis] ?? 1]);
    const places = mode === 'linear' ? sums : node.arithmetic('elementWiseModulusFloor', sums, size);
    const indicesTensor = broadcast(places, updates.dims);
    return node.map('scatterElements', input, { indicesTensor, updatesTensor: updates, axis });
  },
  OneHot(node) {
    const given = node.input(0);
    const values = node.input(2);
    const rank = given.dims.length + 1;
    const axis = node.axis(node.int('axis', -1), rank);
    const depth = Math.trunc(node.number(node.input(1)));
    const indices = ['int32', 'int64', 'uint32', 'uint64'].includes(given.dataType) ? given : node.cast(given, 'int64');
    const dims = given.dims.toSpliced(axis, 0, depth);
    if (productOf(dims) === 0) return empty(values.dataType, dims, values.isBool);
    return node.add('oneHot', {
      indicesTensor: node.reshape(indices, dims.with(axis, 1)),
      valuesTensor: withRank(node.packed(values), rank),
      outputTensor: like(values, dims),
      axis,
    });
  },
  NonZero: (node) =>
    node.compute([node.input(0)], (input) => {
      const { dims } = input;
      const found = placesOfNonZero(input);
      const strides = packedStrides(dims);
      const rows = dims.map((size, i) => found.map((place) => Math.floor(place / (strides[i] ?? 1)) % size));
      return [hostOperand('int64', [dims.length, found.length], rows.flat())];
    }),
  Compress(node) {
    const given = node.input(0);
    const axis = node.int('axis');
    const input = axis === undefined ? node.reshape(given, [productOf(given.dims)]) : given;
    const place = node.axis(axis ?? 0, input.dims.length);
    const size = input.dims[place] ?? 1;
    const [chosen] = node.compute([node.input(1)], (condition) => {
      return [
        vector(
          'int64',
          placesOfNonZero(condition).filter((each) => each < size),
        ),
      ];
    });
    return taken(node, input, place, chosen ?? vector('int64', []));
  },
  Unique(node) {
    const axis = node.int('axis');
    const isSorted = node.flag('sorted', true);
    return node.compute([node.input(0)], (input) => unique(input, isSorted, axis && node.axis(axis, input.dims.length)));
  },
};

/** The sum of bool is `or`, the product `and`. */
const ofBool: Readonly<Record<string, string | undefined>> = { __proto__: null as never, add: 'max', mul: 'min' };

function reductionOf(node: Node, { isBool, dataType }: Operand): Reduction | null {
  const name = node.text('reduction', 'none');
  if (name === 'none') return null;
  const reduction = reductions[(isBool ? ofBool[name] : undefined) ?? name];
  if (reduction === undefined) throw node.unsupported('the reduction', name);
  return reduction(dataType);
}

function scatterElements(node: Node) {
  const input = node.input(0);
  const indices = node.input(1);
  const updates = node.input(2);
  const { dims } = input;
  const axis = node.axis(node.int('axis', 0), dims.length);
  if (productOf(indices.dims) === 0) return input;
  const reduction = reductionOf(node, input);
  const isLonger = (indices.dims[axis] ?? 1) > (dims[axis] ?? 1);
  if (reduction !== null || isLonger) {
    return node.compute([input, indices, updates], (data, places, news) =>
      reduced(data, news, reduction ?? ((_, update) => update), () => placesAlong(places, data, axis)),
    );
  }
  const corner = indices.dims.with(axis, dims[axis] ?? 1);
  const made = node.add('scatterElements', {
    inputTensor: cornerOf(node, input, corner),
    ...{ indicesTensor: indices, updatesTensor: updates, axis },
    outputTensor: like(input, corner),
  });
  // What lies beyond the indices in other dimensions is joined to the corner, dimension by dimension.
  return corner.reduce((result, size, i) => {
    const own = dims[i] ?? 1;
    if (size === own) return result;
    const rest = partOf(node, cornerOf(node, input, result.dims.with(i, own)), i, size, own);
    return joined(node, [result, rest], i);
  }, made);
}

/** The elements with updates in them, one after the other. */
function reduced(
  data: HostOperand,
  updates: HostOperand,
  reduction: Reduction,
  placesOf: (count: number) => readonly number[],
): readonly HostOperand[] {
  const elements = [...elementsOf(data)];
  const news = elementsOf(updates);
  for (const [i, place] of placesOf(news.length).entries()) {
    const [old, update] = [elements[place], news[i]];
    if (old === undefined || update === undefined) throw new RangeError('an index is out of range');
    elements[place] = reduction(old, update);
  }
  return [hostOperand(data.dataType, data.dims, elements, data.isBool)];
}

/** The place of each update, whose coordinate along the axis is an index. */
function placesAlong(indices: HostOperand, { dims }: Operand, axis: number): readonly number[] {
  const strides = packedStrides(dims);
  const own = packedStrides(indices.dims);
  return numbersOf(indices).map((index, i) =>
    strides.reduce((place, stride, k) => {
      const coordinate = Math.floor(i / (own[k] ?? 1)) % (indices.dims[k] ?? 1);
      return place + stride * (k === axis ? fromStart(index, dims[k] ?? 1) : coordinate);
    }, 0),
  );
}

/** The places of `count` updates, which are blocks that tuples of indices name. */
function placesOfTuples(indices: HostOperand, { dims }: Operand, count: number): readonly number[] {
  const length = indices.dims.at(-1) ?? 1;
  const block = productOf(dims.slice(length));
  const strides = packedStrides(dims);
  const coordinates = numbersOf(indices);
  return Array.from({ length: count }, (_, i) => {
    const tuple = Math.floor(i / block) * length;
    let place = i % block;
    for (let k = 0; k < length; k++) place += (strides[k] ?? 0) * fromStart(coordinates[tuple + k] ?? 0, dims[k] ?? 1);
    return place;
  });
}

/** An index that may count from the end. */
function fromStart(index: number, size: number): number {
  if (!(index >= -size && index < size)) throw new RangeError(`the index ${index} is none of ${size} elements`);
  return index < 0 ? index + size : index;
}

function placesOfNonZero(operand: HostOperand): readonly number[] {
  const places: number[] = [];
  for (const [i, number] of numbersOf(operand).entries()) if (number !== 0) places.push(i);
  return places;
}

/** The different elements, or slices along an axis: themselves, where each is first, which one each is, and how many. */
function unique(input: HostOperand, isSorted: boolean, axis: number | undefined): readonly HostOperand[] {
  const { dims, dataType, isBool } = input;
  const size = axis === undefined ? productOf(dims) : (dims[axis] ?? 1);
  const inner = axis === undefined ? 1 : productOf(dims.slice(axis + 1));
  const outer = axis === undefined ? 1 : productOf(dims.slice(0, axis));
  const elements = elementsOf(input);
  const slices = Array.from({ length: size }, (_, i) =>
    Array.from({ length: outer * inner }, (_each, k) => {
      return elements[(Math.floor(k / inner) * size + i) * inner + (k % inner)] ?? 0;
    }),
  );
  const order = [...slices.keys()].sort((a, b) => compareLists(slices[a], slices[b]) || a - b);
  const groups: number[][] = [];
  for (const i of order) {
    const last = groups.at(-1);
    if (last !== undefined && compareLists(slices[last[0] ?? 0], slices[i]) === 0) last.push(i);
    else groups.push([i]);
  }
  if (!isSorted) groups.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  const firsts = groups.map(([first = 0]) => first);
  const which = new Array<number>(size);
  for (const [i, group] of groups.entries()) for (const each of group) which[each] = i;
  const made = Array.from({ length: outer * inner * firsts.length }, (_, i) => {
    const [row, rest] = [Math.floor(i / (inner * firsts.length)), i % (inner * firsts.length)];
    return slices[firsts[Math.floor(rest / inner)] ?? 0]?.[row * inner + (rest % inner)] ?? 0;
  });
  return [
    hostOperand(dataType, axis === undefined ? [firsts.length] : dims.with(axis, firsts.length), made, isBool),
    vector('int64', firsts),
    vector('int64', which),
    vector(
      'int64',
      groups.map(({ length }) => length),
    ),
  ];
}

type Elements = readonly (number | bigint)[];

/** In the order of the first elements that differ; NaN comes last. */
function compareLists(a: Elements = [], b: Elements = []): number {
  for (const [i, element] of a.entries()) {
    const difference = compare(element, b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compare(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}
