/**
 * Fourier transforms, by the names of the array API standard. The last dimension of complex arrays has two elements: real and
 * imaginary parts. Axes do not count it: of a complex array `[3, 8, 2]`, axis -1 has 8 elements. Everything is computed in float32.
 */
import { contextOf, type Device } from '../api/device.js';
import type { Tensor } from '../api/memory/tensor.js';
import { join } from '../functions/index.js';
import type { Input, Output, TypeOf } from '../functions/types.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, byteCount, readOptions } from '../values/arguments.js';
import { axesOf, axisOf } from './axes.js';
import { define } from './define.js';
import { complexOf, eachPart, paired, realOf, transformed, type Float, type Form } from './fft-transform.js';
import { slice } from './shape.js';
import { arrayOf, packed } from './values.js';

export { istft, melFilters, stft, type MelOptions, type StftOptions } from './stft.js';

/** Options of transforms. */
export interface TransformOptions {
  /** The length of the transform: zeros are added to the end of each sequence, or it is cut. Default: that of the array. */
  readonly n?: number | undefined;
  /** The dimension of the sequences. Default: -1. */
  readonly axis?: number | undefined;
  /** What is divided by the length: the inverse (`'backward'`, the default), `'forward'`, or, by its root, both. */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

type Transform = <A extends Input>(x: A, options?: TransformOptions) => Output<[A], 'float32'>;

/** The transform of complex numbers. */
export const fft = transformOf('fft', { isInverse: false });
/** The inverse transform of complex numbers. */
export const ifft = transformOf('ifft', { isInverse: true });
/** The transform of real numbers: the first `n / 2 + 1` complex numbers, of which the others are mirror images. */
export const rfft = transformOf('rfft', { isInverse: false, fromReal: true });
/** The inverse of `rfft`. Default length: `2 · (m - 1)` of m complex numbers. */
export const irfft = transformOf('irfft', { isInverse: true, toReal: true });

function transformOf(name: string, form: Form): Transform {
  return define(name, (x: unknown, options: unknown) => {
    const read = readOptions(name, options, ['n', 'axis', 'norm']);
    const given = form.fromReal === true ? { re: realOf(name, x), im: null } : complexOf(name, x);
    const axis = axisOf(name, read.get('axis') ?? -1, given.re.sizes.length);
    const found = given.re.sizes[axis] ?? 1;
    const n = byteCount(name, 'n', read.get('n') ?? (form.toReal === true ? Math.max(1, 2 * (found - 1)) : found), 1);
    const order = [...given.re.sizes.keys()].filter((each) => each !== axis);
    const toLast = (part: Float) => packed(part.transpose([...order, axis])) as Float;
    const sizes = order.map((each) => given.re.sizes[each] ?? 1);
    const rows = eachPart(given, (part) => toLast(part).reshape([productOf(sizes), found]));
    const result = transformed(rows, n, { ...form, scale: scaleOf(name, read.get('norm') ?? 'backward', n, form.isInverse) });
    const back = [...order.keys()].toSpliced(axis, 0, order.length);
    const placed = eachPart(result, (part) => part.reshape([...sizes, part.sizes[1] ?? 1]).transpose(back));
    return form.toReal === true ? packed(placed.re) : paired(placed);
  }) as Transform;
}

function scaleOf(method: string, norm: unknown, n: number, isInverse: boolean): number {
  if (norm === 'ortho') return 1 / Math.sqrt(n);
  if (norm !== 'backward' && norm !== 'forward') throw argumentError(method, 'norm', "'backward', 'ortho' or 'forward'", norm);
  return (norm === 'backward') === isInverse ? 1 / n : 1;
}

/** The frequencies of the results of `fft`, in steps per sample; `d` is the time between samples. */
export function fftfreq(device: Device, n: number, options?: { readonly d?: number | undefined }): Tensor<'float32'> {
  return frequencies(
    'fftfreq',
    device,
    n,
    options,
    (i, count) => (i < count / 2 ? i : i - count),
    (count) => count,
  );
}

/** The frequencies of the results of `rfft`. */
export function rfftfreq(device: Device, n: number, options?: { readonly d?: number | undefined }): Tensor<'float32'> {
  return frequencies(
    'rfftfreq',
    device,
    n,
    options,
    (i) => i,
    (count) => Math.floor(count / 2) + 1,
  );
}

function frequencies(
  method: string,
  device: Device,
  n: number,
  options: unknown,
  stepOf: (i: number, count: number) => number,
  lengthOf: (count: number) => number,
): Tensor<'float32'> {
  if (contextOf(device) === undefined) throw argumentError(method, 'device', 'a device', device);
  const count = byteCount(method, 'n', n, 1);
  const d = readOptions(method, options, ['d']).get('d') ?? 1;
  if (typeof d !== 'number' || !(Math.abs(d) > 0)) throw argumentError(method, 'd', 'a number other than 0', d);
  return device.tensor(Float32Array.from({ length: lengthOf(count) }, (_, i) => stepOf(i, count) / (count * d)));
}

/** An array whose zero frequency is moved into the middle of axes. Here, axes count the dimension of pairs. */
export const fftshift = shift('fftshift', (size) => Math.ceil(size / 2));
/** The inverse of `fftshift`. */
export const ifftshift = shift('ifftshift', (size) => Math.floor(size / 2));

function shift(name: string, startOf: (size: number) => number) {
  return define(name, (x: unknown, options: unknown) => {
    const value = arrayOf(name, x);
    const axis = readOptions(name, options, ['axis']).get('axis');
    if (axis === undefined && value.sizes.length > 1) throw argumentError(name, 'axis', 'a dimension, or several', axis);
    return axesOf(name, axis, value.sizes.length).reduce((shifted, each) => {
      const size = shifted.sizes[each] ?? 1;
      const [start, before] = [startOf(size), shifted.sizes.slice(0, each).map(() => null)];
      if (start % size === 0) return shifted;
      const parts = [slice(shifted, ...before, [start, null]), slice(shifted, ...before, [0, start])];
      return join(parts as Float[], { axis: each });
    }, value);
  }) as <A extends Input>(x: A, options?: { readonly axis?: number | readonly number[] | undefined }) => Output<[A], TypeOf<A>>;
}
