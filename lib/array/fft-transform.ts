/**
 * Fourier transforms of rows. A length is split into factors: a product with a matrix transforms each, and numbers of the unit
 * circle turn what is between. A length with a large prime becomes a convolution, by Bluestein's algorithm.
 */
import { elementWiseAdd, elementWiseMultiply, elementWiseSubtract, gemm, join, padding } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { fieldError, list } from '../values/errors.js';
import { chirpOf, chirpSpectrum, factorsOf, unitMatrix, type Plane } from './fft-plan.js';
import { part } from './parts.js';
import { slice } from './shape.js';
import { arrayOf, as, constantIn, packed } from './values.js';

export type Float = Value<'float32'>;

/** Complex numbers in two planes, packed. An imaginary plane of null is 0. */
export interface Complex {
  readonly re: Float;
  readonly im: Float | null;
}

/** What is computed of a transform. */
export interface Wanted {
  /** The sign of the exponent: -1 forwards, 1 backwards. */
  readonly sign: number;
  readonly scale: number;
  /** So many of the first results are needed. */
  readonly count: number;
  /** Whether only real parts are. */
  readonly isReal?: boolean | undefined;
}

/** Which transform a function computes. */
export interface Form {
  readonly isInverse: boolean;
  /** Whether the input, or the output, has real numbers instead of complex ones. */
  readonly fromReal?: boolean | undefined;
  readonly toReal?: boolean | undefined;
}

/** Transforms rows of any length in a length n. */
export function transformed(
  x: Complex,
  n: number,
  { isInverse, fromReal, toReal, scale }: Form & { readonly scale: number },
): Complex {
  const count = fromReal === true || toReal === true ? Math.floor(n / 2) + 1 : n;
  const fitted = eachPart(x, (part) =>
    padTo(firstOf(part, Math.min(part.sizes[1] ?? 1, toReal === true ? count : n)), toReal === true ? count : n),
  );
  if (toReal !== true) return transform(fitted, { sign: isInverse ? 1 : -1, scale, count });
  // The real part of twice the first half is that of both halves.
  const twice = Array.from({ length: count }, (_, k) => (k === 0 || 2 * k === n ? 1 : 2));
  const weights = constantIn(x.re, 'float32', [1, count], twice);
  const weighted = eachPart(fitted, (part) => padTo(elementWiseMultiply(part, weights.broadcastTo(part.sizes)), n));
  return transform(weighted, { sign: 1, scale, count: n, isReal: true });
}

/** The transform of each row of `[rows, length]`: `[rows, count]`. */
function transform(x: Complex, wanted: Wanted): Complex {
  const length = x.re.sizes[1] ?? 1;
  const factors = factorsOf(length);
  return factors === null ? byConvolution(x, length, wanted) : byFactors(x, length, factors, wanted);
}

function byFactors(x: Complex, length: number, factors: readonly number[], { sign, scale, count, isReal }: Wanted): Complex {
  const rows = x.re.sizes[0] ?? 1;
  const leading = factors.slice(0, -1);
  const last = factors.at(-1) ?? 1;
  let [value, batch, rest] = [x, rows, length];
  for (const factor of leading) {
    const matrix = constantPlane(x.re, unitMatrix(factor, factor, factor, sign), [1, factor, factor]);
    const [block, after] = [[batch, factor, rest / factor], rest / factor];
    const repeated = eachPart(matrix, (part) => part.broadcastTo([batch, factor, factor]));
    const product = multiplied(
      repeated,
      eachPart(value, (part) => part.reshape(block)),
      false,
    );
    const turn = constantPlane(x.re, unitMatrix(factor, after, rest, sign), [1, factor, after]);
    value = turned(
      product,
      eachPart(turn, (part) => part.broadcastTo(block)),
    );
    [batch, rest] = [batch * factor, after];
  }
  // Result k is k1 + factor1 · k2 + …: of the last factor, only the first results are needed.
  const columns = Math.ceil(count / (length / last));
  const matrix = constantPlane(x.re, unitMatrix(last, columns, last, sign, scale), [last, columns]);
  const result = multiplied(
    eachPart(value, (part) => part.reshape([batch, last])),
    matrix,
    isReal === true,
  );
  const axes = [0, leading.length + 1, ...leading.map((_, i) => leading.length - i)];
  const ordered = (part: Float): Float => {
    const inOrder = leading.length === 0 ? part : (packed(part.reshape([rows, ...leading, columns]).transpose(axes)) as Float);
    return firstOf(inOrder.reshape([rows, productOf(leading) * columns]), count);
  };
  return eachPart(result, ordered);
}

/** Bluestein: as `jk = (j² + k² - (k - j)²) / 2`, a transform is a convolution with a chirp, which longer transforms compute. */
function byConvolution(x: Complex, length: number, { sign, scale, count, isReal }: Wanted): Complex {
  const padded = 2 ** Math.ceil(Math.log2(2 * length - 1));
  const chirp = constantPlane(x.re, chirpOf(length, length, sign), [1, length]);
  const moved = turned(x, chirp, x.re.sizes);
  const first = transform(
    eachPart(moved, (part) => padTo(part, padded)),
    { sign: -1, scale: 1, count: padded },
  );
  const spectrum = constantPlane(x.re, chirpSpectrum(length, padded, sign), [1, padded]);
  const convolved = transform(turned(first, spectrum, first.re.sizes), { sign: 1, scale: scale / padded, count });
  return turned(
    convolved,
    eachPart(chirp, (part) => firstOf(part, count)),
    convolved.re.sizes,
    isReal,
  );
}

/** The complex product of matrices. */
function multiplied(a: Complex, b: Complex, isReal: boolean): Complex {
  const re = gemm(a.re, b.re, a.im && b.im ? { cTensor: gemm(a.im, b.im), beta: -1 } : {});
  if (isReal) return { re, im: null };
  if (a.im && b.im) return { re, im: gemm(a.re, b.im, { cTensor: gemm(a.im, b.re) }) };
  return { re, im: b.im ? gemm(a.re, b.im) : a.im ? gemm(a.im, b.re) : null };
}

/** The complex product of elements. */
function turned(x: Complex, factor: Complex, sizes = x.re.sizes, isReal = false): Complex {
  const { re: cos, im: sin } = eachPart(factor, (part) => part.broadcastTo(sizes));
  if (sin === null) return eachPart(x, (part) => elementWiseMultiply(part, cos));
  const re = elementWiseMultiply(x.re, cos);
  const im = isReal ? null : elementWiseMultiply(x.re, sin);
  if (x.im === null) return { re, im };
  return {
    re: elementWiseSubtract(re, elementWiseMultiply(x.im, sin)),
    im: im && elementWiseAdd(im, elementWiseMultiply(x.im, cos)),
  };
}

export function eachPart({ re, im }: Complex, change: (part: Float) => Float): Complex {
  return { re: change(re), im: im && change(im) };
}

function constantPlane(of: Value, plane: Plane, sizes: readonly number[]): Complex {
  return {
    re: constantIn(of, 'float32', sizes, Float32Array.from(plane.re)),
    im: constantIn(of, 'float32', sizes, Float32Array.from(plane.im)),
  };
}

/** The first elements of rows. */
export function firstOf(x: Float, count: number): Float {
  return x.sizes.at(-1) === count ? x : (part(x, x.sizes.length - 1, 0, count) as Float);
}

/** Rows with zeros at their ends. */
export function padTo(x: Float, length: number): Float {
  const missing = length - (x.sizes.at(-1) ?? 0);
  if (missing <= 0) return x;
  const zeros = x.sizes.map(() => 0);
  return padding(x, { startPadding: zeros, endPadding: zeros.with(-1, missing) });
}

export function realOf(method: string, x: unknown): Float {
  return as(arrayOf(method, x), 'float32') as Float;
}

/** The planes of an array of pairs. */
export function complexOf(method: string, x: unknown): Complex {
  const value = realOf(method, x);
  if (value.sizes.length < 2 || value.sizes.at(-1) !== 2) {
    const expected = 'a last size of 2, for real and imaginary parts';
    const why = 'rfft takes real numbers';
    throw fieldError('ERR_SIZES', { operator: method, field: 'x.sizes' }, expected, list(value.sizes), { why });
  }
  return { re: slice(value, '...', 0), im: slice(value, '...', 1) };
}

/** An array of pairs. */
export function paired({ re, im }: Complex): Value {
  const plane = (part: Float) => packed(part).reshape([...part.sizes, 1]) as Float;
  const zeros = () => constantIn(re, 'float32', [...re.sizes, 1], 0);
  return join([plane(re), im === null ? zeros() : plane(im)], { axis: re.sizes.length });
}
