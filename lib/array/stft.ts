/** Spectra of short pieces of signals, by the names of PyTorch, and mel filters, by those of librosa. */
import { contextOf, type Device } from '../api/device.js';
import type { Tensor } from '../api/memory/tensor.js';
import {
  elementWiseAdd,
  elementWiseDivide,
  elementWiseIf,
  elementWiseLogicalEquals,
  elementWiseMultiply,
  gather,
  join,
  padding,
  slice1,
} from '../functions/index.js';
import type { Input, Output } from '../functions/types.js';
import { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, booleanOption, byteCount, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { define } from './define.js';
import { complexOf, eachPart, firstOf, padTo, paired, realOf, transformed, type Float } from './fft-transform.js';
import { slice } from './shape.js';
import { as, constantIn, packed } from './values.js';

/** The windows that have a name, at each part of the whole. */
const windows = {
  hann: (part: number) => 0.5 - 0.5 * Math.cos(2 * Math.PI * part),
  hamming: (part: number) => 0.54 - 0.46 * Math.cos(2 * Math.PI * part),
  blackman: (part: number) => 0.42 - 0.5 * Math.cos(2 * Math.PI * part) + 0.08 * Math.cos(4 * Math.PI * part),
  ones: () => 1,
} as const;

/** Options of `stft` and `istft`. */
export interface StftOptions {
  /** The length of each piece. */
  readonly nFft: number;
  /** The distance between the starts of two pieces. Default: a quarter of `nFft`. */
  readonly hopLength?: number | undefined;
  /** The factors of the elements of a piece: a tensor of `nFft` elements, or a name. Default: `'hann'`, the periodic one. */
  readonly window?: keyof typeof windows | Input | undefined;
  /** Whether the signal is continued by its mirror image, so that pieces are centred on multiples of `hopLength`. Default: true. */
  readonly center?: boolean | undefined;
}

/** The spectrum of each piece of signals `[..., time]`: `[..., frequency, piece, 2]`, with `nFft / 2 + 1` frequencies. */
export const stft = define('stft', (x: unknown, options: unknown) => {
  const value = realOf('stft', x);
  const { nFft, hop, window, isCentred } = read('stft', value, options);
  const leading = value.sizes.slice(0, -1);
  const time = value.sizes.at(-1) ?? 1;
  const half = Math.floor(nFft / 2);
  const least = isCentred ? half + 1 : nFft;
  if (time < least) {
    throw fieldError('ERR_SIZES', { operator: 'stft', field: 'x.sizes' }, `a last size of at least ${least}`, list(value.sizes));
  }
  const rows = packed(value).reshape([productOf(leading), time]) as Float;
  const signal = isCentred ? padding(rows, { paddingMode: 'reflection', startPadding: [0, half], endPadding: [0, half] }) : rows;
  const pieces = piecesOf(signal, nFft, hop);
  const count = pieces.sizes[1] ?? 1;
  const weighted = elementWiseMultiply(pieces, window.broadcastTo(pieces.sizes)).reshape([productOf(leading) * count, nFft]);
  const spectrum = transformed({ re: weighted, im: null }, nFft, { isInverse: false, fromReal: true, scale: 1 });
  const order = [...leading.keys(), leading.length + 1, leading.length];
  return paired(eachPart(spectrum, (part) => part.reshape([...leading, count, half + 1]).transpose(order)));
}) as <A extends Input>(x: A, options: StftOptions) => Output<[A], 'float32'>;

/**
 * The signals `[..., time]` whose pieces have these spectra, if there are any; else signals near them. Where all windows are 0, the
 * signal is, too, as in librosa.
 */
export const istft = define('istft', (x: unknown, options: unknown) => {
  const value = complexOf('istft', x);
  const { nFft, hop, window, isCentred, length } = read('istft', value.re, options, ['length']);
  const leading = value.re.sizes.slice(0, -2);
  const [frequencies = 1, count = 1] = value.re.sizes.slice(-2);
  const half = Math.floor(nFft / 2);
  if (value.re.sizes.length < 2 || frequencies !== half + 1) {
    const expected = `[..., ${half + 1} frequencies, pieces, 2]`;
    throw fieldError('ERR_SIZES', { operator: 'istft', field: 'x.sizes' }, expected, list([...value.re.sizes, 2]));
  }
  const order = [...leading.keys(), leading.length + 1, leading.length];
  const rows = eachPart(
    value,
    (part) => packed(part.transpose(order)).reshape([productOf(leading) * count, frequencies]) as Float,
  );
  const pieces = transformed(rows, nFft, { isInverse: true, toReal: true, scale: 1 / nFft }).re;
  const whole = [productOf(leading), count, nFft];
  const weighted = elementWiseMultiply(pieces.reshape(whole), window.broadcastTo(whole));
  const squares = elementWiseMultiply(window, window).broadcastTo([1, count, nFft]);
  const given = length === undefined ? undefined : byteCount('istft', 'length', length, 1);
  const cut = (signal: Float): Float => {
    const [start, stop] = isCentred ? [half, (signal.sizes[1] ?? 0) - half] : [0, signal.sizes[1] ?? 0];
    return slice(signal, null, [start, given === undefined ? stop : Math.min(start + given, signal.sizes[1] ?? 0)]);
  };
  const [sums, weights] = [cut(added(weighted, hop)), cut(added(packed(squares) as Float, hop))];
  const divisors = elementWiseIf(elementWiseLogicalEquals(weights, 0), 1, weights);
  const signal = elementWiseDivide(sums, divisors.broadcastTo(sums.sizes));
  const placed = given === undefined ? signal : padTo(signal, given);
  return placed.reshape([...leading, placed.sizes[1] ?? 1]);
}) as <A extends Input>(
  x: A,
  options: StftOptions & {
    /** The number of samples, by default as many as the pieces have. */
    readonly length?: number | undefined;
  },
) => Output<[A], 'float32'>;

function read(method: string, x: Value, options: unknown, more: readonly string[] = []) {
  const given = readOptions<string>(method, options, ['nFft', 'hopLength', 'window', 'center', ...more]);
  const nFft = byteCount(method, 'nFft', given.get('nFft'), 1);
  const hop = byteCount(method, 'hopLength', given.get('hopLength') ?? Math.max(1, Math.floor(nFft / 4)), 1);
  const isCentred = booleanOption(method, 'center', given.get('center') ?? true);
  return { nFft, hop, isCentred, window: windowOf(method, x, given.get('window') ?? 'hann', nFft), length: given.get('length') };
}

function windowOf(method: string, x: Value, window: unknown, nFft: number): Float {
  if (typeof window === 'string' && Object.hasOwn(windows, window)) {
    const at = windows[window as keyof typeof windows];
    return constantIn(
      x,
      'float32',
      [nFft],
      Float32Array.from({ length: nFft }, (_, i) => at(i / nFft)),
    );
  }
  if (!Value.is(window)) throw argumentError(method, 'window', `a tensor, or one of ${Object.keys(windows).join(', ')}`, window);
  if (window.sizes.length === 1 && window.sizes[0] === nFft) return as(window, 'float32') as Float;
  throw fieldError('ERR_SIZES', { operator: method, field: 'window.sizes' }, list([nFft]), list(window.sizes));
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** The pieces of rows: `[rows, pieces, length]`. With up to 64 blocks in a piece, they are slices, whose gradient is fast. */
function piecesOf(signal: Float, length: number, hop: number): Float {
  const [rows = 1, time = 1] = signal.sizes;
  const count = Math.floor((time - length) / hop) + 1;
  const block = commonDivisor(length, hop);
  const [perPiece, step] = [length / block, hop / block];
  if (perPiece > 64) {
    const at = Uint32Array.from({ length: count * length }, (_, i) => Math.floor(i / length) * hop + (i % length));
    const indices = constantIn(signal, 'uint32', [1, at.length], at);
    return gather(signal, indices, { axis: 1, indexDimensions: 1 }).reshape([rows, count, length]);
  }
  const blocks = (count - 1) * step + perPiece;
  const whole = firstOf(signal, blocks * block).reshape([rows, blocks, block]);
  const part = (i: number): Float =>
    slice1(whole, {
      inputWindowOffsets: [0, i, 0],
      inputWindowSizes: [rows, (count - 1) * step + 1, block],
      inputWindowStrides: [1, step, 1],
      outputTensor: { sizes: [rows, count, block] },
    });
  return join(
    Array.from({ length: perPiece }, (_, i) => part(i)),
    { axis: 2 },
  );
}

/** The sums of pieces `[rows, pieces, length]` in their places: `[rows, time]`. */
function added(pieces: Float, hop: number): Float {
  const [rows = 1, count = 1, length = 1] = pieces.sizes;
  const block = commonDivisor(length, hop);
  const [perPiece, step] = [length / block, hop / block];
  const blocks = (count - 1) * step + perPiece;
  let sum: Float | undefined;
  for (let i = 0; i < perPiece; i++) {
    const part = slice(pieces, null, null, [i * block, (i + 1) * block]);
    const apart = padding(part.reshape([rows, count, 1, block]), { startPadding: [0, 0, 0, 0], endPadding: [0, 0, step - 1, 0] });
    const kept = Math.min(count * step, blocks - i);
    const cut = firstOf(apart.reshape([rows, count * step * block]), kept * block);
    const placed = padding(cut, { startPadding: [0, i * block], endPadding: [0, (blocks - i - kept) * block] });
    sum = sum === undefined ? placed : elementWiseAdd(sum, placed);
  }
  if (sum === undefined) throw new TypeError('a piece has a block');
  return sum;
}

/** Options of `melFilters`. */
export interface MelOptions {
  /** Samples per second. */
  readonly sampleRate: number;
  /** The length of the transform. */
  readonly nFft: number;
  /** The number of filters. Default: 128. */
  readonly nMels?: number | undefined;
  /** The lowest frequency in hertz. Default: 0. */
  readonly fMin?: number | undefined;
  /** The highest frequency in hertz. Default: half the sample rate. */
  readonly fMax?: number | undefined;
  /** HTK's formula instead of Slaney's. Default: false. */
  readonly htk?: boolean | undefined;
  /** `'slaney'` divides each filter by its width in hertz; null does not. Default: `'slaney'`. */
  readonly norm?: 'slaney' | null | undefined;
}

/** Triangular filters `[nMels, nFft / 2 + 1]`, as librosa makes them: multiply them with the squares of a spectrum. */
export function melFilters(device: Device, options: MelOptions): Tensor<'float32'> {
  const method = 'melFilters';
  if (contextOf(device) === undefined) throw argumentError(method, 'device', 'a device', device);
  const given = readOptions<string>(method, options, ['sampleRate', 'nFft', 'nMels', 'fMin', 'fMax', 'htk', 'norm']);
  const number = (name: string, otherwise?: number): number => {
    const value = given.get(name) ?? otherwise;
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
    throw argumentError(method, name, 'a number from 0 on', value);
  };
  const [rate, nFft] = [number('sampleRate'), byteCount(method, 'nFft', given.get('nFft'), 1)];
  const count = byteCount(method, 'nMels', given.get('nMels') ?? 128, 1);
  const [low, high] = [number('fMin', 0), number('fMax', rate / 2)];
  if (low >= high) throw argumentError(method, 'fMax', `a number above ${low}, which fMin is`, high);
  const norm = given.get('norm') === undefined ? 'slaney' : given.get('norm');
  if (norm !== 'slaney' && norm !== null) throw argumentError(method, 'norm', "'slaney' or null", norm);
  const { toMel, toHertz } = booleanOption(method, 'htk', given.get('htk') ?? false) ? htkScale : slaneyScale;
  const [from, to] = [toMel(low), toMel(high)];
  const edges = Array.from({ length: count + 2 }, (_, i) => toHertz(from + ((to - from) * i) / (count + 1)));
  const frequencies = Math.floor(nFft / 2) + 1;
  const filters = new Float32Array(count * frequencies);
  for (let i = 0; i < filters.length; i++) {
    const [start = 0, middle = 0, stop = 0] = edges.slice(Math.floor(i / frequencies));
    const hertz = ((i % frequencies) * rate) / nFft;
    const height = Math.max(0, Math.min((hertz - start) / (middle - start), (stop - hertz) / (stop - middle)));
    filters[i] = norm === null ? height : (height * 2) / (stop - start);
  }
  return device.tensor(filters, { sizes: [count, frequencies] });
}

const htkScale = {
  toMel: (hertz: number) => 2595 * Math.log10(1 + hertz / 700),
  toHertz: (mel: number) => 700 * (10 ** (mel / 2595) - 1),
};
/** Linear up to 1000 Hz, which are 15 mels; then 27 mels for each factor of 6.4. */
const slaneyScale = {
  toMel: (hertz: number) => (hertz < 1000 ? (hertz * 3) / 200 : 15 + (27 * Math.log(hertz / 1000)) / Math.log(6.4)),
  toHertz: (mel: number) => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp(((mel - 15) / 27) * Math.log(6.4))),
};
