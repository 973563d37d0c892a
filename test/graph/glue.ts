/** Nodes that make a value fit: another data type, another number of elements, numbers within bounds. Results are packed and flat. */
import { bitsOf, isFloat } from '#lib/data-types/table.js';
import type { Random } from '../random.js';
import type { DataType } from '../conformance/case.js';
import { sizeInBytes } from '../conformance/layout.js';
import type { Bounds, Domain } from './domains.js';
import { flat, spanOf, type GraphWriter, type Source } from './graph-writer.js';

const PADDING_MODES = ['edge', 'reflection', 'symmetric', 'wrap'] as const;

/** Wide enough to carry every glue node that one value may need. */
export const MOST_GLUE = 7;

/** True if a value of one data type can be made one of the other. The sandbox has no casts with float64. */
export function canBecome(from: DataType, to: DataType): boolean {
  const isOdd = (dataType: DataType) => dataType === 'float64' || bitsOf(dataType) < 8;
  return from === to || (!isOdd(from) && !isOdd(to));
}

/** The value as `count` packed elements of a data type, within the domain. */
export function fitted(
  writer: GraphWriter,
  random: Random,
  source: Source,
  dataType: DataType,
  count: number,
  domain: Domain,
): Source {
  const compact = source.hasGaps || source.isRaw ? packed(writer, source) : source;
  const typed = compact.tensor.dataType === dataType ? compact : casted(writer, compact, dataType);
  const sized = resized(writer, random, typed, count);
  return typeof domain === 'object' && isFloat(dataType) ? bounded(writer, random, sized, domain) : sized;
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

/** Reads the value in its own layout. */
export function packed(writer: GraphWriter, source: Source): Source {
  const { dataType, sizes } = source.tensor;
  const inputTensor = writer.read(source);
  // A copy may make a signaling NaN quiet.
  if (source.isRaw) return writer.addOne('elementWiseClip', { inputTensor, min: -1000, max: 1000 }, { dataType, sizes });
  return writer.addOne('elementWiseIdentity', { inputTensor }, { dataType, sizes }, { bounds: source.bounds });
}

function casted(writer: GraphWriter, source: Source, dataType: DataType): Source {
  const count = spanOf(source.tensor);
  const isSame = isFloat(dataType) && isFloat(source.tensor.dataType);
  // Float16 holds the limits and the steps of all bounds.
  const facts = isSame ? { bounds: source.bounds } : {};
  return writer.addOne('cast', { inputTensor: flatRead(writer, source) }, flat(dataType, count), facts);
}

export function flatRead(writer: GraphWriter, source: Source) {
  return writer.read(source, { sizes: [spanOf(source.tensor)] });
}

/** As many of its elements as wanted: a window, or repeated, or followed by others. */
function resized(writer: GraphWriter, random: Random, source: Source, count: number): Source {
  const length = spanOf(source.tensor);
  if (length === count) return source;
  if (length > count) return shortened(writer, random, source, count);
  const { dataType } = source.tensor;
  const { bounds } = source;
  const inputTensor = () => flatRead(writer, source);
  const kind = random.int(0, 3);
  if (kind === 0) {
    const more = flat(dataType, count - length);
    const bytes = random.bytes(sizeInBytes(dataType, more.sizes, null)).map((byte) => byte & 0x3f);
    const others = random.chance(0.5) ? writer.input(more, bytes) : writer.constant(more, bytes);
    const inputTensors = random.chance(0.5) ? [inputTensor(), writer.read(others)] : [writer.read(others), inputTensor()];
    return writer.addOne('join', { inputTensors, axis: 0 }, flat(dataType, count));
  }
  if (kind === 1) {
    const start = random.int(0, count - length);
    const paddingMode = random.pick(PADDING_MODES);
    const fields = { inputTensor: inputTensor(), paddingMode, startPadding: [start], endPadding: [count - length - start] };
    return writer.addOne('padding', { ...fields, paddingValue: 0 }, flat(dataType, count), { bounds });
  }
  const repeats = Math.ceil(count / length);
  const tiled = flat(dataType, length * repeats);
  const repeated = writer.addOne('tile', { inputTensor: inputTensor(), repeats: [repeats] }, tiled, { bounds });
  return shortened(writer, random, repeated, count);
}

function shortened(writer: GraphWriter, random: Random, source: Source, count: number): Source {
  const length = spanOf(source.tensor);
  if (length === count) return source;
  const { bounds, tensor } = source;
  const first = random.int(0, length - count);
  const inputTensor = flatRead(writer, source);
  const wanted = flat(tensor.dataType, count);
  switch (random.int(0, 2)) {
    case 0: {
      const extents = [first, count, length - first - count].filter((extent) => extent > 0);
      const outputTensors = extents.map((extent) => flat(tensor.dataType, extent));
      const parts = writer.add('split', { inputTensor, axis: 0 }, { outputTensors }, { bounds });
      return parts[first > 0 ? 1 : 0] ?? source;
    }
    case 1: {
      const fields = { inputTensor, offsets: [first], sizes: [count], strides: [1] };
      return writer.addOne('slice', fields, wanted, { bounds });
    }
    default: {
      // Sometimes backwards.
      const inputWindowStrides = [count > 1 && random.chance(0.3) ? -1 : 1];
      const fields = { inputTensor, inputWindowOffsets: [first], inputWindowSizes: [count], inputWindowStrides };
      return writer.addOne('slice1', fields, wanted, { bounds });
    }
  }
}

/** Numbers within the bounds; NaN becomes the lower one. */
export function bounded(writer: GraphWriter, random: Random, source: Source, bounds: Bounds): Source {
  if (isInside(source.bounds, bounds)) return source;
  const { low, high, step } = bounds;
  const { dataType } = source.tensor;
  const tensor = flat(dataType, spanOf(source.tensor));
  if (step === undefined) return limited(writer, random, source, bounds);
  const units = { low: Math.ceil(low / step), high: Math.floor(high / step) };
  const scaleBias = step === 1 ? null : { scale: 1 / step, bias: 0 };
  const fields = { inputTensor: flatRead(writer, source), scaleBias, min: units.low, max: units.high };
  const cut = writer.addOne('elementWiseClip', fields, tensor, { bounds: units });
  const whole = writer.addOne(
    'elementWiseRound',
    { inputTensor: writer.read(cut), roundingMode: 'halvesToNearestEven' },
    tensor,
    { bounds: { ...units, step: 1 } },
  );
  if (step === 1) return whole;
  const unscaled = { inputTensor: writer.read(whole), scaleBias: { scale: step, bias: 0 } };
  return writer.addOne('elementWiseIdentity', unscaled, tensor, { bounds });
}

function limited(writer: GraphWriter, random: Random, source: Source, bounds: Bounds): Source {
  const { low, high } = bounds;
  const { dataType } = source.tensor;
  const count = spanOf(source.tensor);
  const tensor = flat(dataType, count);
  const inputTensor = flatRead(writer, source);
  switch (random.int(0, 3)) {
    case 0:
      return writer.addOne('elementWiseClip1', { inputTensor, minMaxDataType: dataType, min: low, max: high }, tensor, {
        bounds,
      });
    case 1: {
      const limit = (value: number) => {
        const fields = { valueDataType: dataType, value };
        const filled = writer.addOne('fillValueConstant', fields, flat(dataType, 1));
        return writer.read(filled, { sizes: [count], strides: [0] });
      };
      const above = writer.addOne('elementWiseMax', { aTensor: inputTensor, bTensor: limit(low) }, tensor);
      return writer.addOne('elementWiseMin', { aTensor: writer.read(above), bTensor: limit(high) }, tensor, { bounds });
    }
    default:
      return writer.addOne('elementWiseClip', { inputTensor, min: low, max: high }, tensor, { bounds });
  }
}

/** Makes exactly the elements of a leaf, with other values of the graph on the way. Needs its data type to be no 4-bit one. */
export function carried(writer: GraphWriter, random: Random, leaf: Source, others: readonly Source[]): Source {
  const { dataType } = leaf.tensor;
  const count = spanOf(leaf.tensor);
  const tensor = flat(dataType, count);
  const own = () => flatRead(writer, leaf);
  const other = others.find((candidate) => canBecome(candidate.tensor.dataType, dataType));
  const kind = other === undefined ? random.int(3, 5) : random.int(0, 5);
  const binary = (type: 'elementWiseBitXor' | 'elementWiseBitAnd' | 'elementWiseBitOr', a: Source, b: Source) =>
    writer.addOne(type, { aTensor: flatRead(writer, a), bTensor: flatRead(writer, b) }, tensor);
  if (other !== undefined && kind < 2) {
    // (leaf ^ other) ^ other: the other value must still be the same when it is read again.
    const mask = fitted(writer, random, other, dataType, count, 'any');
    return exact(binary('elementWiseBitXor', binary('elementWiseBitXor', leaf, mask), mask));
  }
  if (other !== undefined && kind === 2) {
    const mask = fitted(writer, random, other, dataType, count, 'any');
    return exact(binary('elementWiseBitAnd', leaf, binary('elementWiseBitOr', leaf, mask)));
  }
  if (kind === 3) {
    const inverse = writer.addOne('elementWiseBitNot', { inputTensor: own() }, tensor);
    return exact(writer.addOne('elementWiseBitNot', { inputTensor: writer.read(inverse) }, tensor));
  }
  if (kind === 4 && count > 1) {
    const first = random.int(1, count - 1);
    const outputTensors = [flat(dataType, first), flat(dataType, count - first)];
    const parts = writer.add('split', { inputTensor: own(), axis: 0 }, { outputTensors });
    return writer.addOne('join', { inputTensors: parts.map((part) => writer.read(part)), axis: 0 }, tensor);
  }
  return writer.addOne('elementWiseIdentity', { inputTensor: own() }, tensor);
}

/** The elements of the leaf, whose bits an operator may move. */
function exact(source: Source): Source {
  return { ...source, isRaw: false };
}
