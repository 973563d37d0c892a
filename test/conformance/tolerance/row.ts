/**
 * The shape of the tolerance table. A row says how far a correct kernel's float32 computation may be from the
 * infinitely precise result, and why. Everything else follows for all rows alike (see {@link allowedError}).
 *
 * Sources, named in the reasons: Direct3D 11.3's functional specification, which holds for Direct3D 12 shaders too.
 * Sums, differences and products are rounded to the nearest, quotients and square roots are right to 1 ULP (3.1.3);
 * exp2, log2 and the reciprocal square root to 2⁻²¹, log2 from 0.5 to 2 absolutely; sine and cosine to 0.0008 up to
 * 100π (22.10). Conversions to a narrower float cut off (3.2.2). A relative error of 2⁻²¹ is at most 8 ULP.
 */
import type { ConformanceCase, DataType } from '../case.js';

export type Descriptor = ConformanceCase['descriptor'];

/** What moves, picks, compares or computes in integers: bit for bit. */
export interface ExactRow {
  readonly ulp: 0;
  /** The instructions need not keep a NaN's bits nor tell the zeros apart: any NaN, either zero will do. */
  readonly byValue?: true;
  /** Floats are compared, so that those of float32 that are subnormal may count as zeros. */
  readonly compares?: true;
  readonly tail?: Tail;
}

export interface ComputedRow {
  /** Of float32; 0 where the result is the infinitely precise one, rounded to the nearest. */
  readonly ulp: number;
  /** More for each term of the sum or product, of which `termsOf` has the number. */
  readonly perTerm?: number;
  /** More for the element at hand. */
  readonly growth?: Dependent;
  /** The least value whose units count, for errors that do not become smaller with the result. */
  readonly magnitude?: number | Dependent;
  /** By the output's elements, what `ofMagnitudes` is where the reference cannot tell. */
  readonly magnitudesOf?: (test: ConformanceCase) => Float64Array;
  /** Times that float16 tensors between two passes cut off what this one's relative error is made of, 2⁻¹⁰ each. */
  readonly narrowed?: number;
  readonly tail?: Tail;
  /** The operator that the row's activation is fused into. */
  readonly host?: Host;
  readonly reason: string;
}

/** What an activation makes of the error of the result that it is given. */
export interface Host {
  readonly row: ComputedRow;
  /** No less than the activation's derivative at the element. */
  readonly slope: Dependent;
  /** Whether the activation makes one element of many, and so of the worst error among them. */
  readonly acrossElements: boolean;
}

/** Four elements are computed at a time: a gap behind an element, up to a multiple of four, may be overwritten. */
export type Tail = true;

export type ToleranceRow = ExactRow | ComputedRow;

/** What depends on the element, as a formula for the reader and as a function. */
export interface Dependent {
  readonly text: string;
  readonly at: (element: Element) => number;
  /** It asks for {@link Element.ofMagnitudes}. */
  readonly needsMagnitudes?: true;
}

/** One element of an output. */
export interface Element {
  /** What the reference has for it. */
  readonly y: number;
  /** The elements of the inputs at the same place, in the order of the operator's fields; none where shapes differ. */
  readonly x: readonly number[];
  /** Whether all elements are finite that the result may be made of: those of `x`, or of all inputs where there are none. */
  readonly finite: boolean;
  /** What the reference has for it where all inputs are taken by their magnitudes; only if the row asks for it. */
  readonly ofMagnitudes: number;
  /** The largest of these in the tensor; only for a row with a host, and then both are without the activation. */
  readonly largestOfMagnitudes: number;
  /** A numeric field of the operator, its `scaleBias` or its fused activation; 0 where there is none. */
  readonly field: (name: string) => number;
}

export const EXACT: ToleranceRow = { ulp: 0 };
export const SAME_VALUE: ToleranceRow = { ulp: 0, byValue: true };
export const COMPARED: ToleranceRow = { ulp: 0, compares: true };

/** For sums, whose terms' magnitudes bound every partial sum, in whatever order they are added. */
export const OF_MAGNITUDES: Dependent = {
  text: 'what |x| would give',
  at: ({ ofMagnitudes }) => ofMagnitudes,
  needsMagnitudes: true,
};

/** The same where the row itself has `magnitudesOf`; `text` is the formula of that. */
export function ofMagnitudes(text: string): Dependent {
  return { ...OF_MAGNITUDES, text };
}

/** The error of an exponential's argument grows with its size, which is the result's logarithm. */
export function perBinade(ulp: number): Dependent {
  return { text: `${ulp}·|log2 y| ULP`, at: ({ y }) => ulp * binades(y) };
}

export function binades(y: number): number {
  return y === 0 ? 0 : Math.abs(Math.log2(Math.abs(y)));
}

/** One row, or several by the name that the descriptor and the output pick. */
export type OperatorTolerance = ToleranceRow | Variants;

export interface Variants {
  readonly rows: Readonly<Record<string, ToleranceRow>>;
  /** `output` is the field's name. */
  readonly pick: (descriptor: Descriptor, output: string) => string;
}

/** How far off an element may be, and the unit in which that is told. */
export interface Allowance {
  readonly error: number;
  readonly unit: number;
}

/**
 * How far an element may be from the reference's, which is rounded to the nearest: by what the row says; by half a
 * unit for the reference's own rounding; and by one of float16's, which is computed as float32 and then cut off.
 */
export function allowedError(row: ComputedRow, terms: number, dataType: DataType, element: Element): Allowance {
  const { magnitude = 0 } = row;
  const least = typeof magnitude === 'number' ? magnitude : magnitude.at(element);
  // Where finite inputs give a finite y, no partial sum was infinite, whatever all magnitudes together come to. Infinite
  // inputs say nothing of a finite y, which then has to be right by itself.
  const most = dataType === 'float16' ? 2 ** 16 * Math.max(1, terms) : (2 - 2 ** -23) * 2 ** 127;
  const known = Number.isFinite(least) ? least : least === Infinity && element.finite ? most : 0;
  const value = Math.max(Math.abs(element.y), Math.min(known, most));
  const half = dataType === 'float16';
  // A row's own magnitudes are no sums, but have the quotients by what cancels in them: x / √v of a v near 0, whose error is
  // x / v times that of v. What such a bound is beyond float32 counts in full.
  const times = half || row.magnitudesOf === undefined ? 1 : Math.max(1, known / most);
  const ulp = (row.ulp + (row.perTerm ?? 0) * terms) * times + (row.growth?.at(element) ?? 0);
  const handing = row.host === undefined ? 0 : hostMagnitude(row.host, element);
  const handed = row.host === undefined ? 0 : handedOn(row.host, handing, terms, half, element);
  const rounded = (ulp + handed === 0 ? 0 : 0.5) + (half ? 1 : 0);
  const narrowed = half ? (row.narrowed ?? 0) * 2 ** -10 : 0;
  const error = handed + ulp * ulpOf('float32', value) + rounded * ulpOf(dataType, element.y) + narrowed * value;
  if (!Number.isFinite(error)) throw new RangeError(`a tolerance of ${error} for ${JSON.stringify(element)}`);
  return { error, unit: ulpOf(dataType, Math.max(value, handing)) };
}

/** The host's own error, of which nothing is rounded to the output's type, times the activation's slope. */
function handedOn({ row, slope }: Host, magnitude: number, terms: number, half: boolean, element: Element): number {
  const ulp = row.ulp + (row.perTerm ?? 0) * terms + 0.5;
  const narrowed = half ? (row.narrowed ?? 0) * 2 ** -10 : 0;
  return magnitude === 0 ? 0 : slope.at(element) * (ulp * ulpOf('float32', magnitude) + narrowed * magnitude);
}

/** Of what the host's errors are a part; 0 where its result is infinite, which it is in any precision. */
function hostMagnitude({ row, acrossElements }: Host, { x: [before = 0], ...element }: Element): number {
  if (!Number.isFinite(before)) return 0;
  if (acrossElements) return element.largestOfMagnitudes;
  return row.magnitude === undefined ? Math.abs(before) : element.ofMagnitudes;
}

/** Whether float32 subnormals may count as zeros: wherever they are not only moved. */
export function mayFlush(row: ToleranceRow): boolean {
  return !isExact(row) || row.byValue === true || row.compares === true;
}

export function isExact(row: ToleranceRow): row is ExactRow {
  return !('reason' in row);
}

export function needsMagnitudes(row: ToleranceRow): boolean {
  if (isExact(row)) return false;
  const { magnitude, host } = row;
  return host !== undefined || (typeof magnitude === 'object' && magnitude.needsMagnitudes === true);
}

/** What gives the row's `ofMagnitudes`, where it is not the reference. */
export function magnitudesOf(row: ToleranceRow): ComputedRow['magnitudesOf'] {
  return isExact(row) ? undefined : (row.host?.row ?? row).magnitudesOf;
}

export function hasHost(row: ToleranceRow): boolean {
  return !isExact(row) && row.host !== undefined;
}

/** The distance between neighbouring values at `value`. */
export function ulpOf(dataType: DataType, value: number): number {
  const [digits, least] = dataType === 'float16' ? [10, -14] : dataType === 'float32' ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** least))), least) - digits);
}
