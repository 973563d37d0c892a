/**
 * The shape of the tolerance table. A row says how far a correct kernel's float32 computation may be from the
 * infinitely precise result, and why. Everything else follows for all rows alike (see {@link allowedError}).
 *
 * Sources, named in the reasons: Direct3D 11.3's functional specification, which holds for Direct3D 12 shaders too.
 * Sums, differences and products are rounded to the nearest, quotients and square roots are right to 1 ULP (3.1.3);
 * exp2, log2 and the reciprocal square root to 2⁻²¹, log2 from 0.5 to 2 absolutely; sine and cosine to 0.0008 up to
 * 100π (22.10). Conversions to a narrower float cut off (3.2.2). A relative error of 2⁻²¹ is at most 8 ULP.
 */
import type { OperatorDescriptor } from 'node-directml';
import type { DataType } from '../case.js';

/** What moves, picks, compares or computes in integers: bit for bit. */
export interface ExactRow {
  readonly ulp: 0;
  /** The instructions need not keep a NaN's bits nor tell the zeros apart: any NaN, either zero will do. */
  readonly byValue?: true;
  readonly tail?: Tail;
}

export interface ComputedRow {
  /** Of float32; 0 where the result is the infinitely precise one, rounded to the nearest. */
  readonly ulp: number;
  /** More for each term of the sum or product, of which {@link termsOf} has the number. */
  readonly perTerm?: number;
  readonly growth?: Growth;
  /** The least value whose units count, for errors that do not become smaller with the result. */
  readonly magnitude?: number;
  /** Times that float16 tensors between two passes cut off what this one's relative error is made of, 2⁻¹⁰ each. */
  readonly narrowed?: number;
  readonly tail?: Tail;
  readonly reason: string;
}

/** Four elements are computed at a time: what lies after the last one, up to a multiple of four, may be overwritten. */
export type Tail = true;

/** ULP of float32 that depend on the result y. */
export interface Growth {
  readonly text: string;
  readonly at: (y: number) => number;
}

/** The error of an exponential's argument grows with its size, which is the result's logarithm. */
export function perBinade(ulp: number): Growth {
  return { text: `${ulp}·|log2 y|`, at: (y) => (y === 0 ? 0 : ulp * Math.abs(Math.log2(Math.abs(y)))) };
}

export type ToleranceRow = ExactRow | ComputedRow;

export const EXACT: ToleranceRow = { ulp: 0 };
export const SAME_VALUE: ToleranceRow = { ulp: 0, byValue: true };

/** One row, or several by the name that the descriptor picks. */
export type OperatorTolerance = ToleranceRow | Variants;

export interface Variants {
  readonly rows: Readonly<Record<string, ToleranceRow>>;
  readonly pick: (descriptor: OperatorDescriptor) => string;
}

/** A row with what the case adds to it. */
export interface Tolerance {
  readonly row: ToleranceRow;
  readonly ulp: number;
  /** The largest of the row's and the case's. */
  readonly magnitude: number;
}

/**
 * How far an element may be from the reference's, which is rounded to the nearest: by what the row says; by half a
 * unit for the reference's own rounding; and by one of float16's, which is computed as float32 and then cut off.
 */
export function allowedError({ row, ulp, magnitude }: Tolerance, dataType: DataType, expected: number): number {
  if (isExact(row)) return 0;
  const total = ulp + (row.growth?.at(expected) ?? 0);
  const computed = total * ulpOf('float32', Math.max(Math.abs(expected), magnitude));
  const rounded = (total === 0 ? 0 : 0.5) + (dataType === 'float16' ? 1 : 0);
  const narrowed = dataType === 'float16' ? (row.narrowed ?? 0) * 2 ** -10 : 0;
  const value = Math.max(Math.abs(expected), row.magnitude ?? 0);
  return computed + rounded * ulpOf(dataType, expected) + narrowed * value;
}

export function isExact(row: ToleranceRow): row is ExactRow {
  return !('reason' in row);
}

/** The distance between neighbouring values at `value`. */
export function ulpOf(dataType: DataType, value: number): number {
  const [digits, least] =
    dataType === 'float16' ? [10, -14] : dataType === 'float32' ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** least))), least) - digits);
}
