/** Operators that read or write elements at given places. */
import { roundToFloat16 } from '../../tensors/float16.js';
import { isFloat, wrapped } from '../../tensors/data-types.js';
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { hostOperand, scalar, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, elementsOf, numbersOf, permuted, reshaped, withRank, type HostOperand, type Operand } from '../operand.js';
import { coordinatesOf, dot, partsOf, type Numbers } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { cornerOf, joined, partOf, taken } from './move-helpers.js';
import { ones, upTo } from './tensor-helpers.js';

export const gatherOperators: Lowerings = {
  Gather(node) {
    const input = node.input(0);
    return taken(node, input, node.axis(node.int('axis', 0), input.dims.length), node.input(1));
  },
  GatherElements(node) {
    const [input, indicesTensor] = [node.input(0), node.input(1)];
    const axis = node.axis(node.int('axis', 0), input.dims.length);
    const { dims } = indicesTensor;
    const inputTensor = cornerOf(node, input, dims.with(axis, input.dims[axis] ?? 1));
    return node.add('gatherElements', { inputTensor, indicesTensor, axis, outputTensor: like(input, dims) });
  },
  GatherND(node) {
    const [input, indices] = [node.input(0), node.input(1)];
    const batches = node.int('batch_dims', 0);
    const dims = [...indices.dims.slice(0, -1), ...input.dims.slice(batches + (indices.dims.at(-1) ?? 0))];
    const rank = Math.max(input.dims.length, indices.dims.length, dims.length);
    const made = node.add('gatherNd1', {
      inputTensor: withRank(input, rank),
      indicesTensor: withRank(indices, rank),
      outputTensor: like(input, [...ones(rank - dims.length), ...dims]),
      inputDimensionCount: input.dims.length,
      indicesDimensionCount: indices.dims.length,
      batchDimensionCount: batches,
    });
    return reshaped(made, dims);
  },
  ScatterElements: scatterElements,
  Scatter: scatterElements,
  ScatterND(node) {
    const [input, indices, updates] = [node.input(0), node.input(1), node.input(2)];
    if (productOf(updates.dims) === 0 || productOf(input.dims) === 0) return input;
    const reduction = reductionOf(node, input);
    if (reduction !== null) return reduced(node, reduction, placesOfTuples);
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
    const [input, updatesTensor, given] = [node.input(0), node.input(1), node.optional(2)];
    const axis = node.axis(node.int('axis', -2), input.dims.length);
    const mode = node.text('mode', 'linear');
    if (mode !== 'linear' && mode !== 'circular') throw node.unsupported('the mode', mode);
    if (axis === 0) throw new RangeError('the axis is that of the batch');
    if (productOf(updatesTensor.dims) === 0) return input;
    const alone = ones(input.dims.length);
    const count = updatesTensor.dims[axis] ?? 1;
    const steps = hostOperand('int32', alone.with(axis, count), upTo(count));
    const starts = given && node.reshape(node.cast(given, 'int32'), alone.with(0, input.dims[0] ?? 1));
    const sums = starts === undefined ? steps : node.arithmetic('elementWiseAdd', starts, steps);
    const size = scalar('int32', input.dims[axis] ?? 1);
    const places = mode === 'linear' ? sums : node.arithmetic('elementWiseModulusFloor', sums, size);
    return node.map('scatterElements', input, { indicesTensor: broadcast(places, updatesTensor.dims), updatesTensor, axis });
  },
  OneHot(node) {
    const [given, values] = [node.input(0), node.input(2)];
    const rank = given.dims.length + 1;
    const axis = node.axis(node.int('axis', -1), rank);
    const depth = Math.trunc(node.number(node.input(1)));
    const indices = ['int32', 'int64', 'uint32', 'uint64'].includes(given.dataType) ? given : node.cast(given, 'int64');
    const dims = given.dims.toSpliced(axis, 0, depth);
    return node.add('oneHot', {
      indicesTensor: node.reshape(indices, dims.with(axis, 1)),
      valuesTensor: withRank(node.packed(values), rank),
      outputTensor: like(values, dims),
      axis,
    });
  },
  NonZero: (node) =>
    node.computeOne([node.input(0)], (input) => {
      const found = placesOfNonZero(input).map((place) => coordinatesOf(place, input.dims));
      const rows = input.dims.map((_, axis) => found.map((coordinates) => coordinates[axis] ?? 0));
      return hostOperand('int64', [rows.length, found.length], rows.flat());
    }),
  Compress(node) {
    const [input, axis] = flatUnlessAlong(node);
    const chosen = node.computeOne([node.input(1)], (condition) => {
      const places = placesOfNonZero(condition);
      return vector(
        'int64',
        places.filter((place) => place < (input.dims[axis] ?? 1)),
      );
    });
    return taken(node, input, axis, chosen);
  },
  Unique(node) {
    const [input, axis] = flatUnlessAlong(node);
    const isSorted = node.flag('sorted', true);
    const [firsts = input, ...others] = node.compute([input], (given) => unique(given, axis, isSorted));
    return [taken(node, input, axis, firsts), firsts, ...others];
  },
};

/** The input and the axis; all elements in one dimension if there is no axis. */
function flatUnlessAlong(node: Node): readonly [input: Operand, axis: number] {
  const input = node.input(0);
  const axis = node.int('axis');
  if (axis !== undefined) return [input, node.axis(axis, input.dims.length)];
  return [node.reshape(input, [productOf(input.dims)]), 0];
}

type Reduction = (old: number | bigint, update: number | bigint) => number | bigint;

/** What a scatter makes of an element and its update, rounded or wrapped each time. The sum of bool is `or`, the product `and`. */
function reductionOf(node: Node, { isBool, dataType }: Operand): Reduction | null {
  const name = node.text('reduction', 'none');
  if (name === 'none') return null;
  const isMax = name === 'max' || (isBool && name === 'add');
  if (isMax || name === 'min' || (isBool && name === 'mul')) {
    // NaN stays.
    return (old, update) => ((isMax ? old > update : old < update) || Number.isNaN(old) ? old : update);
  }
  if (name !== 'add' && name !== 'mul') throw node.unsupported('the reduction', name);
  const isSum = name === 'add';
  if (!isFloat(dataType)) {
    return (old, update) => wrapped(dataType, isSum ? BigInt(old) + BigInt(update) : BigInt(old) * BigInt(update));
  }
  const round = dataType === 'float16' ? roundToFloat16 : dataType === 'float32' ? Math.fround : Number;
  return (old, update) => round(isSum ? Number(old) + Number(update) : Number(old) * Number(update));
}

function scatterElements(node: Node): Operand {
  const [input, indices, updatesTensor] = [node.input(0), node.input(1), node.input(2)];
  const { dims } = input;
  const axis = node.axis(node.int('axis', 0), dims.length);
  if (productOf(indices.dims) === 0) return input;
  const size = dims[axis] ?? 1;
  const isLonger = (indices.dims[axis] ?? 1) > size;
  const reduction = reductionOf(node, input) ?? (isLonger ? (_: unknown, update: number | bigint) => update : null);
  if (reduction !== null) {
    return reduced(node, reduction, (places) =>
      numbersOf(places).map((index, i) => placeOf(coordinatesOf(i, places.dims).with(axis, fromStart(index, size)), dims)),
    );
  }
  const corner = indices.dims.with(axis, size);
  const made = node.add('scatterElements', {
    ...{ inputTensor: cornerOf(node, input, corner), indicesTensor: indices, updatesTensor, axis },
    outputTensor: like(input, corner),
  });
  // What lies beyond the indices in other dimensions is joined to the corner, dimension by dimension.
  return corner.reduce((result, covered, i) => {
    const own = dims[i] ?? 1;
    if (covered === own) return result;
    const rest = partOf(node, cornerOf(node, input, result.dims.with(i, own)), i, covered, own);
    return joined(node, [result, rest], i);
  }, made);
}

/** The elements with updates in them, one after the other. */
function reduced(node: Node, reduction: Reduction, placesOf: (indices: HostOperand, dims: Numbers) => Numbers): Operand {
  return node.computeOne([node.input(0), node.input(1), node.input(2)], (data, indices, updates) => {
    const elements = [...elementsOf(data)];
    const news = elementsOf(updates);
    for (const [i, place] of placesOf(indices, data.dims).entries()) {
      const [old, update] = [elements[place], news[i]];
      if (old === undefined || update === undefined) throw new RangeError('an index is out of range');
      elements[place] = reduction(old, update);
    }
    return hostOperand(data.dataType, data.dims, elements, data.isBool);
  });
}

/** The places of blocks that tuples of indices name. */
function placesOfTuples(indices: HostOperand, dims: Numbers): Numbers {
  const block = productOf(dims.slice(indices.dims.at(-1) ?? 1));
  const tuples = partsOf(numbersOf(indices), productOf(indices.dims.slice(0, -1)));
  return tuples.flatMap((tuple) => {
    const first = placeOf(
      tuple.map((index, axis) => fromStart(index, dims[axis] ?? 1)),
      dims,
    );
    return upTo(block).map((i) => first + i);
  });
}

function placeOf(coordinates: Numbers, dims: Numbers): number {
  return dot(coordinates, packedStrides(dims));
}

/** An index that may count from the end. */
function fromStart(index: number, size: number): number {
  if (!(index >= -size && index < size)) throw new RangeError(`the index ${index} is none of ${size} elements`);
  return index < 0 ? index + size : index;
}

function placesOfNonZero(operand: HostOperand): Numbers {
  return numbersOf(operand).flatMap((number, i) => (number === 0 ? [] : [i]));
}

/** Of the different slices along an axis: where each is first, which one each is, and how many are the same. */
function unique(input: HostOperand, axis: number, isSorted: boolean): readonly HostOperand[] {
  const others = upTo(input.dims.length).filter((i) => i !== axis);
  const slices = partsOf(elementsOf(permuted(input, [axis, ...others])), input.dims[axis] ?? 1);
  const groups: number[][] = [];
  for (const i of [...slices.keys()].sort((a, b) => compareLists(slices[a], slices[b]))) {
    const last = groups.at(-1);
    if (last !== undefined && compareLists(slices[last[0] ?? 0], slices[i]) === 0) last.push(i);
    else groups.push([i]);
  }
  if (!isSorted) groups.sort(([a = 0], [b = 0]) => a - b);
  const which = new Array<number>(slices.length);
  for (const [i, group] of groups.entries()) for (const each of group) which[each] = i;
  return [groups.map(([first = 0]) => first), which, groups.map(({ length }) => length)].map((list) => vector('int64', list));
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
