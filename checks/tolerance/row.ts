/**
 * The types of the tolerance table. A row says how far a correct kernel's float32 computation may be from the infinitely
 * precise result, and why. {@link allowedError} adds everything that is the same for all rows.
 *
 * The source of the reasons is the functional specification of Direct3D 11.3, which also holds for Direct3D 12 shaders:
 * - Sums, differences and products are rounded to nearest; quotients and square roots have an error of 1 ULP (3.1.3).
 * - exp2, log2 and the reciprocal square root have a relative error of 2⁻²¹; log2 of 0.5 to 2 has that as an absolute error.
 *   Sine and cosine have an absolute error of 0.0008 up to 100π (22.10).
 * - Conversions to a narrower float truncate (3.2.2).
 * A relative error of 2⁻²¹ is at most 8 ULP.
 */
import type { ConformanceCase, DataType } from '../cases/case.js';

export type Descriptor = ConformanceCase['descriptor'];

/** For operators that move, select or compare elements, or compute with integers: results are equal bit for bit. */
interface ExactRow {
  readonly ulp: 0;
  /** Any NaN equals any other, and −0 equals 0: the instructions need not keep a NaN's bits or a zero's sign. */
  readonly byValue?: true;
  /** The operator compares floats, so that float32 subnormals may count as zeros. */
  readonly compares?: true;
  readonly tail?: Tail;
}

export interface ComputedRow {
  /** The error in float32 ULP; 0 if the result is the infinitely precise one, rounded to nearest. */
  readonly ulp: number;
  /** The additional ULP for each term of the sum or product. `termsOf` gives the number of terms. */
  readonly perTerm?: number;
  /** Additional ULP that depend on the element. */
  readonly growth?: Dependent;
  /** The smallest value in whose units errors are measured, for errors that do not shrink with the result. */
  readonly magnitude?: number | Dependent;
  /** Computes `Element.ofMagnitudes` for each output element, if the reference cannot. */
  readonly magnitudesOf?: (test: ConformanceCase) => Float64Array;
  /** How many intermediate float16 tensors truncate; each adds a relative error of 2⁻¹⁰, or 2⁻²⁴ to a subnormal. */
  readonly narrowed?: number;
  readonly tail?: Tail;
  /** The operator that the row's activation is fused into. */
  readonly host?: Host;
  readonly reason: string;
}

/** An operator whose result is the argument of a fused activation, and how the activation amplifies its error. */
interface Host {
  readonly row: ComputedRow;
  /** An upper bound of the activation's derivative at the element. */
  readonly slope: Dependent;
  /** True if the activation combines many elements, so that the worst of their errors counts. */
  readonly acrossElements: boolean;
}

/** DirectML computes four elements at a time: a gap behind an element may be overwritten up to a multiple of four. */
type Tail = true;

export type ToleranceRow = ExactRow | ComputedRow;

/** A number that depends on the element, as a function and as a formula for the reader. */
export interface Dependent {
  readonly text: string;
  readonly at: (element: Element) => number;
  /** The function uses {@link Element.ofMagnitudes}. */
  readonly needsMagnitudes?: true;
}

/** One element of an output. */
export interface Element {
  /** The reference's result. */
  readonly y: number;
  /** The inputs' elements at the same position, in the order of the operator's fields; without inputs of other sizes. */
  readonly x: readonly number[];
  /** True if all elements that may enter the result are finite: those of `x`, or of all inputs if `x` is empty. */
  readonly finite: boolean;
  /** The reference's result from the magnitudes of all inputs; only if the row needs it. */
  readonly ofMagnitudes: number;
  /** The largest `ofMagnitudes` in the tensor; only for a row with a host. Both are without the activation then. */
  readonly largestOfMagnitudes: number;
  /** A numeric field of the operator, of its `scaleBias` or of its fused activation; 0 if there is none. */
  readonly field: (name: string) => number;
}

export const EXACT: ToleranceRow = { ulp: 0 };
export const SAME_VALUE: ToleranceRow = { ulp: 0, byValue: true };
export const COMPARED: ToleranceRow = { ulp: 0, compares: true };

/** For sums: the sum of the terms' magnitudes bounds every partial sum, in any order. */
export const OF_MAGNITUDES: Dependent = {
  text: 'what |x| would give',
  at: ({ ofMagnitudes }) => ofMagnitudes,
  needsMagnitudes: true,
};

/** Like {@link OF_MAGNITUDES}, for a row with its own `magnitudesOf`; `text` is its formula. */
export function ofMagnitudes(text: string): Dependent {
  return { ...OF_MAGNITUDES, text };
}

/** The error of an exponential grows with that of its argument, and so with the argument's size, the logarithm of the result. */
export function perBinade(ulp: number): Dependent {
  return { text: `${ulp}·|log2 y| ULP`, at: ({ y }) => ulp * binades(y) };
}

export function binades(y: number): number {
  return y === 0 ? 0 : Math.abs(Math.log2(Math.abs(y)));
}

/** One row, or several rows with names, of which the descriptor and the output pick one. */
export type OperatorTolerance = ToleranceRow | Variants;

export interface Variants {
  readonly rows: Readonly<Record<string, ToleranceRow>>;
  /** Gives the name of the row. `output` is the output's field. */
  readonly pick: (descriptor: Descriptor, output: string) => string;
}

/** The distance between float16 subnormals. */
const LEAST_FLOAT16 = 2 ** -24;

/**
 * How far an element may be from the reference's, which is rounded to nearest, and the unit in which that is shown. The error
 * is the sum of the row's error, half a unit for the reference's own rounding, and one float16 unit for float16, which is
 * computed as float32 and then truncated.
 */
export function allowedError(row: ComputedRow, terms: number, dataType: DataType, element: Element) {
  const { magnitude = 0 } = row;
  const least = typeof magnitude === 'number' ? magnitude : magnitude.at(element);
  // If finite inputs give a finite y, no partial sum was infinite, even if the sum of all magnitudes is. Infinite inputs give
  // no bound for a finite y, which is then measured in its own units.
  const most = dataType === 'float16' ? 2 ** 16 * Math.max(1, terms) : (2 - 2 ** -23) * 2 ** 127;
  const known = Number.isFinite(least) ? least : least === Infinity && element.finite ? most : 0;
  const value = Math.max(Math.abs(element.y), Math.min(known, most));
  const half = dataType === 'float16';
  // A row's own magnitudes are not sums but include quotients by terms that cancel: x / √v with v near 0 has x / v times the
  // error of v. If such a bound exceeds float32, the excess counts in full.
  const times = half || row.magnitudesOf === undefined ? 1 : Math.max(1, known / most);
  const ulp = (row.ulp + (row.perTerm ?? 0) * terms) * times + (row.growth?.at(element) ?? 0);
  const handing = row.host === undefined ? 0 : hostMagnitude(row.host, element);
  const handed = row.host === undefined ? 0 : handedOn(row.host, handing, terms, half, element);
  const rounded = (ulp + handed === 0 ? 0 : 0.5) + (half ? 1 : 0);
  const narrowed = half ? (row.narrowed ?? 0) * Math.max(2 ** -10 * value, LEAST_FLOAT16) : 0;
  const error = handed + ulp * ulpOf('float32', value) + rounded * ulpOf(dataType, element.y) + narrowed;
  if (!Number.isFinite(error)) throw new RangeError(`a tolerance of ${error} for ${JSON.stringify(element)}`);
  return { error, unit: ulpOf(dataType, Math.max(value, handing)) };
}

/** The host's own error, without rounding to the output's data type, times the activation's slope. */
function handedOn({ row, slope }: Host, magnitude: number, terms: number, half: boolean, element: Element): number {
  const ulp = row.ulp + (row.perTerm ?? 0) * terms + 0.5;
  const narrowed = half ? (row.narrowed ?? 0) * 2 ** -10 : 0;
  return magnitude === 0 ? 0 : slope.at(element) * (ulp * ulpOf('float32', magnitude) + narrowed * magnitude);
}

/** The magnitude in whose units the host's error is measured; 0 if the host's result is not finite and so has no error. */
function hostMagnitude({ row, acrossElements }: Host, { x: [before = 0], ...element }: Element): number {
  if (!Number.isFinite(before)) return 0;
  if (acrossElements) return element.largestOfMagnitudes;
  return row.magnitude === undefined ? Math.abs(before) : element.ofMagnitudes;
}

/** True if float32 subnormals may count as zeros: for all operators that do more than move elements. */
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

/** The function for the row's `ofMagnitudes`; undefined if the reference computes it. */
export function magnitudesOf(row: ToleranceRow): ComputedRow['magnitudesOf'] {
  return isExact(row) ? undefined : (row.host?.row ?? row).magnitudesOf;
}

export function hasHost(row: ToleranceRow): boolean {
  return !isExact(row) && row.host !== undefined;
}

/** The distance between neighboring values of the data type at `value`. */
export function ulpOf(dataType: DataType, value: number): number {
  const [digits, least] = dataType === 'float16' ? [10, -14] : dataType === 'float32' ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** least))), least) - digits);
}
