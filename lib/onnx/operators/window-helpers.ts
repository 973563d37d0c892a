/** Where the windows of convolutions and poolings lie. */
import type { Node } from '../node.js';
import { ones } from './tensor-helpers.js';

export interface Places {
  /** The number of places along each dimension of space. */
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly startPadding: readonly number[];
  readonly endPadding: readonly number[];
  /** The part of `endPadding` that only rounding up the number of places adds. */
  readonly extraPadding: readonly number[];
}

/** One dimension. */
interface Line {
  readonly size: number;
  readonly stride: number;
  readonly span: number;
}

/** The places of a window in space, from the attributes of a convolution or pooling. */
export function placesOf(node: Node, space: readonly number[], window: readonly number[]): Places {
  if (window.length !== space.length) throw new RangeError(`a window of ${window.length} dimensions lies in ${space.length}`);
  const strides = numbersOr(node, 'strides', ones(space.length));
  const dilations = numbersOr(node, 'dilations', ones(space.length));
  const lines = space.map((size, i) => {
    const line = { size, stride: strides[i] ?? 1, span: ((window[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1 };
    return { ...line, ...paddingOf(node, line, i, space.length) };
  });
  const places = lines.map((line) => countOf(line, node.flag('ceil_mode')));
  return {
    sizes: places.map(({ count }) => count),
    strides,
    dilations,
    startPadding: lines.map(({ start }) => start),
    endPadding: lines.map(({ end }, i) => end + (places[i]?.extra ?? 0)),
    extraPadding: places.map(({ extra }) => extra),
  };
}

/** A list attribute; one without elements means the default too. */
export function numbersOr(node: Node, name: string, byDefault: readonly number[]): readonly number[] {
  const given = node.ints(name);
  return given === undefined || given.length === 0 ? byDefault : given;
}

function paddingOf(node: Node, { size, stride, span }: Line, axis: number, rank: number): { start: number; end: number } {
  const mode = node.text('auto_pad', 'NOTSET');
  if (mode === 'NOTSET' || mode === '') {
    const pads = node.ints('pads') ?? [];
    return { start: pads[axis] ?? 0, end: pads[axis + rank] ?? 0 };
  }
  if (mode === 'VALID') return { start: 0, end: 0 };
  const total = Math.max(0, (Math.ceil(size / stride) - 1) * stride + span - size);
  return halves(node, total);
}

/** Divides padding between both ends; what is left over goes to the end that the attribute names. */
export function halves(node: Node, total: number): { start: number; end: number } {
  const mode = node.text('auto_pad', 'NOTSET');
  const less = Math.floor(total / 2);
  return mode === 'SAME_UPPER' ? { start: less, end: total - less } : { start: total - less, end: less };
}

/**
 * With `ceil_mode`, a last window may reach past the padding, unless it begins there. A window that is too large has one place if
 * the step is longer than what it lacks, because ONNX's and onnxruntime's quotients are cut towards zero.
 */
function countOf(line: Line & { start: number; end: number }, isRoundedUp: boolean): { count: number; extra: number } {
  const { size, stride, span, start, end } = line;
  const room = size + start + end - span;
  const cut = Math.max(0, Math.trunc(room / stride) + 1);
  const isOneMore = isRoundedUp && room > 0 && room % stride !== 0 && cut * stride < size + start;
  const count = isOneMore ? cut + 1 : cut;
  return { count, extra: Math.max(0, (count - 1) * stride - room) };
}
