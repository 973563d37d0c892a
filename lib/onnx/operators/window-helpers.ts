/** Where the windows of convolutions and poolings lie. */
import type { Node } from '../node.js';
import { ones } from './tensor-helpers.js';

interface Places {
  /** The number of places along each dimension of space. */
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly startPadding: readonly number[];
  readonly endPadding: readonly number[];
  /** The part of `endPadding` that only rounding up the number of places adds. */
  readonly extraPadding: readonly number[];
}

/** The places of a window in space, from the attributes of a convolution or pooling. */
export function placesOf(node: Node, space: readonly number[], window: readonly number[]): Places {
  if (window.length !== space.length) throw new RangeError(`a window of ${window.length} dimensions lies in ${space.length}`);
  const strides = numbersOr(node, 'strides', ones(space.length));
  const dilations = numbersOr(node, 'dilations', ones(space.length));
  const lines = space.map((size, i) => {
    const stride = strides[i] ?? 1;
    const span = ((window[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    const { start, end } = paddingOf(node, i, space.length, (Math.ceil(size / stride) - 1) * stride + span - size);
    const room = size + start + end - span;
    // A window that is too large has a place if the step is longer than what it lacks: ONNX cuts the quotient towards zero.
    const cut = Math.max(0, Math.trunc(room / stride) + 1);
    // A last window may reach past the padding, unless it begins there.
    const isOneMore = node.flag('ceil_mode') && room > 0 && room % stride !== 0 && cut * stride < size + start;
    const count = cut + Number(isOneMore);
    const extra = Math.max(0, (count - 1) * stride - room);
    return { count, start, end: end + extra, extra };
  });
  return {
    sizes: lines.map(({ count }) => count),
    strides,
    dilations,
    startPadding: lines.map(({ start }) => start),
    endPadding: lines.map(({ end }) => end),
    extraPadding: lines.map(({ extra }) => extra),
  };
}

/** A list attribute; one without elements means the default too. */
export function numbersOr(node: Node, name: string, byDefault: readonly number[]): readonly number[] {
  const given = node.ints(name);
  return given === undefined || given.length === 0 ? byDefault : given;
}

/** `same` is the padding with which there are as many places as strides. */
function paddingOf(node: Node, axis: number, rank: number, same: number): { start: number; end: number } {
  const mode = node.text('auto_pad', 'NOTSET');
  if (mode === 'VALID') return { start: 0, end: 0 };
  if (mode !== 'NOTSET' && mode !== '') return halves(node, Math.max(0, same));
  const pads = node.ints('pads') ?? [];
  return { start: pads[axis] ?? 0, end: pads[axis + rank] ?? 0 };
}

/** Divides padding between both ends; what is left over goes to the end that the attribute names. */
export function halves(node: Node, total: number): { start: number; end: number } {
  const mode = node.text('auto_pad', 'NOTSET');
  const less = Math.floor(total / 2);
  return mode === 'SAME_UPPER' ? { start: less, end: total - less } : { start: total - less, end: less };
}
