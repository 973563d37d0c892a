/**
 * Nodes that make a value fit: they change its data type or its number of elements, or limit its numbers. Results are packed and
 * one-dimensional.
 */
import type { OperatorType } from 'node-directml';
import { bitsOf, isFloat } from '#lib/tensors/data-types.js';
import { spanOf } from '../descriptors/candidate.js';
import type { DataType } from '../cases/case.js';
import { sizeInBytes } from '../cases/layout.js';
import type { Bounds, Domain } from './domains.js';
import { flat, type GraphWriter, type Source } from './graph-writer.js';

const PADDING_MODES = ['edge', 'reflection', 'symmetric', 'wrap'] as const;

/** The maximum number of glue nodes that one value may need. */
export const MOST_GLUE = 7;

/** True if a value of one data type can be made one of the other. The sandbox has no casts with float64. */
export function canBecome(from: DataType, to: DataType): boolean {
  const isOdd = (dataType: DataType) => dataType === 'float64' || bitsOf(dataType) < 8;
  return from === to ? bitsOf(from) >= 8 : !isOdd(from) && !isOdd(to);
}

/** The value as `count` packed elements of a data type, within the domain. */
export function fitted(writer: GraphWriter, source: Source, dataType: DataType, count: number, domain: Domain): Source {
  const compact = source.hasGaps || source.isRaw ? packed(writer, source) : source;
  const typed = compact.tensor.dataType === dataType ? compact : casted(writer, compact, dataType);
  const sized = resized(writer, typed, count);
  return typeof domain === 'object' && isFloat(dataType) ? bounded(writer, sized, domain) : sized;
}

/** True if the value fits without a node. */
export function fits({ tensor, hasGaps, isRaw, bounds }: Source, dataType: DataType, count: number, domain: Domain): boolean {
  if (hasGaps || isRaw || tensor.dataType !== dataType || spanOf(tensor) !== count) return false;
  return typeof domain !== 'object' || !isFloat(dataType) || isInside(bounds, domain);
}

function isInside(bounds: Bounds | null, { low, high, step = 0 }: Bounds): boolean {
  if (bounds === null || bounds.low < low || bounds.high > high) return false;
  return step === 0 || (bounds.step !== undefined && bounds.step % step === 0);
}

/** Packs the value, which is read in its own layout. */
export function packed(writer: GraphWriter, source: Source): Source {
  const { dataType, sizes } = source.tensor;
  const tensors = { inputTensor: writer.read(source), outputTensor: { dataType, sizes } };
  // Clips instead of copying, because a copy may make a signaling NaN quiet.
  if (source.isRaw) return writer.one({ type: 'elementWiseClip', ...tensors, min: -1000, max: 1000 });
  return writer.one({ type: 'elementWiseIdentity', ...tensors }, source.bounds);
}

function casted(writer: GraphWriter, source: Source, dataType: DataType): Source {
  const outputTensor = flat(dataType, spanOf(source.tensor));
  // Float16 can hold the limits and steps of all bounds, so casts between floats keep them.
  const bounds = isFloat(dataType) && isFloat(source.tensor.dataType) ? source.bounds : null;
  return writer.one({ type: 'cast', inputTensor: writer.readFlat(source), outputTensor }, bounds);
}

/** Changes the number of elements: takes a window, repeats elements, or adds others. */
function resized(writer: GraphWriter, source: Source, count: number): Source {
  const { random } = writer;
  const { bounds, tensor } = source;
  const length = spanOf(tensor);
  if (length >= count) return shortened(writer, source, count);
  const kind = random.int(0, 3);
  if (kind === 0) {
    const more = flat(tensor.dataType, count - length);
    const others = writer.leaf(
      more,
      random.bytes(sizeInBytes(more.dataType, more.sizes, null)).map((byte) => byte & 0x3f),
    );
    const pair = [writer.readFlat(source), writer.read(others)];
    const inputTensors = random.chance(0.5) ? pair : pair.toReversed();
    return writer.one({ type: 'join', inputTensors, outputTensor: flat(tensor.dataType, count), axis: 0 });
  }
  if (kind === 1) {
    const start = random.int(0, count - length);
    const fields = { paddingMode: random.pick(PADDING_MODES), startPadding: [start], endPadding: [count - length - start] };
    return flatNode(writer, source, 'padding', { ...fields, paddingValue: 0 }, bounds, count);
  }
  const repeats = Math.ceil(count / length);
  return shortened(writer, flatNode(writer, source, 'tile', { repeats: [repeats] }, bounds, length * repeats), count);
}

function shortened(writer: GraphWriter, source: Source, count: number): Source {
  const { random } = writer;
  const { bounds, tensor } = source;
  const length = spanOf(tensor);
  if (length === count) return source;
  const first = random.int(0, length - count);
  switch (random.int(0, 2)) {
    case 0: {
      const extents = [first, count, length - first - count].filter((extent) => extent > 0);
      const outputTensors = extents.map((extent) => flat(tensor.dataType, extent));
      const parts = writer.add({ type: 'split', inputTensor: writer.readFlat(source), outputTensors, axis: 0 }, bounds);
      return parts[first > 0 ? 1 : 0] ?? source;
    }
    case 1:
      return flatNode(writer, source, 'slice', { offsets: [first], sizes: [count], strides: [1] }, bounds, count);
    default: {
      // The window is sometimes read backwards.
      const inputWindowStrides = [count > 1 && random.chance(0.3) ? -1 : 1];
      const window = { inputWindowOffsets: [first], inputWindowSizes: [count], inputWindowStrides };
      return flatNode(writer, source, 'slice1', window, bounds, count);
    }
  }
}

/** Adds a node that reads all elements as one dimension, and writes one dimension, by default of the same size. */
function flatNode(
  writer: GraphWriter,
  source: Source,
  type: OperatorType,
  fields: object,
  bounds: Bounds | null,
  count = spanOf(source.tensor),
): Source {
  const outputTensor = flat(source.tensor.dataType, count);
  return writer.one({ type, inputTensor: writer.readFlat(source), outputTensor, ...fields }, bounds);
}

/** Limits the numbers to the bounds; NaN becomes the lower bound. */
export function bounded(writer: GraphWriter, source: Source, bounds: Bounds): Source {
  if (isInside(source.bounds, bounds)) return source;
  const { low, high, step } = bounds;
  if (step === undefined) return limited(writer, source, bounds);
  const units = { low: Math.ceil(low / step), high: Math.floor(high / step) };
  const scaleBias = step === 1 ? null : { scale: 1 / step, bias: 0 };
  const cut = flatNode(writer, source, 'elementWiseClip', { scaleBias, min: units.low, max: units.high }, units);
  const whole = flatNode(writer, cut, 'elementWiseRound', { roundingMode: 'halvesToNearestEven' }, { ...units, step: 1 });
  return step === 1 ? whole : flatNode(writer, whole, 'elementWiseIdentity', { scaleBias: { scale: step, bias: 0 } }, bounds);
}

function limited(writer: GraphWriter, source: Source, bounds: Bounds): Source {
  const { low: min, high: max } = bounds;
  const { dataType } = source.tensor;
  const count = spanOf(source.tensor);
  switch (writer.random.int(0, 3)) {
    case 0:
      return flatNode(writer, source, 'elementWiseClip1', { minMaxDataType: dataType, min, max }, bounds);
    case 1: {
      const limit = (value: number) => {
        const filled = writer.one({ type: 'fillValueConstant', outputTensor: flat(dataType, 1), valueDataType: dataType, value });
        return writer.read(filled, { sizes: [count], strides: [0] });
      };
      const outputTensor = flat(dataType, count);
      const above = writer.one({ type: 'elementWiseMax', aTensor: writer.readFlat(source), bTensor: limit(min), outputTensor });
      return writer.one({ type: 'elementWiseMin', aTensor: writer.read(above), bTensor: limit(max), outputTensor }, bounds);
    }
    default:
      return flatNode(writer, source, 'elementWiseClip', { min, max }, bounds);
  }
}

/** Reproduces exactly the elements of a leaf, with other values of the graph on the way. Its data type must not be a 4-bit one. */
export function carried(writer: GraphWriter, leaf: Source, others: readonly Source[]): Source {
  const { random } = writer;
  const { dataType } = leaf.tensor;
  const count = spanOf(leaf.tensor);
  const outputTensor = flat(dataType, count);
  const other = others.find((candidate) => canBecome(candidate.tensor.dataType, dataType));
  const kind = random.int(other === undefined ? 3 : 0, 5);
  if (other !== undefined && kind < 3) {
    const mask = fitted(writer, other, dataType, count, 'any');
    const both = (type: 'elementWiseBitXor' | 'elementWiseBitAnd' | 'elementWiseBitOr', a: Source, b: Source) =>
      writer.one({ type, aTensor: writer.readFlat(a), bTensor: writer.readFlat(b), outputTensor });
    if (kind === 2) return exact(both('elementWiseBitAnd', leaf, both('elementWiseBitOr', leaf, mask)));
    // (leaf ^ other) ^ other: the other value must still be the same when it is read again.
    return exact(both('elementWiseBitXor', both('elementWiseBitXor', leaf, mask), mask));
  }
  if (kind === 3) {
    const inverse = flatNode(writer, leaf, 'elementWiseBitNot', {}, null);
    return exact(flatNode(writer, inverse, 'elementWiseBitNot', {}, null));
  }
  if (kind === 4 && count > 1) {
    const first = random.int(1, count - 1);
    const outputTensors = [flat(dataType, first), flat(dataType, count - first)];
    const parts = writer.add({ type: 'split', inputTensor: writer.readFlat(leaf), outputTensors, axis: 0 });
    return writer.one({ type: 'join', inputTensors: parts.map((part) => writer.read(part)), outputTensor, axis: 0 });
  }
  return flatNode(writer, leaf, 'elementWiseIdentity', {}, null);
}

/** Marks a result as having the elements of the leaf, whose bits an operator may move. */
function exact(source: Source): Source {
  return { ...source, isRaw: false };
}
