/** What the cases of the normalizations share. */
import type { FusedActivation, TensorDesc } from 'node-directml';
import type { Random } from '../random.js';
import type { DataType } from './case.js';
import { numberOf } from './element-values.js';
import { shapeInTurn } from './layout.js';
import { continuousActivation, fusedActivation } from '../operators/activation/cases.js';

const FLOATS: readonly DataType[] = ['float32', 'float16'];

export interface Shape {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
}

export function typeOf(index: number): DataType {
  return FLOATS[index % 2] ?? 'float32';
}

/** One to eight dimensions. */
export function shapeOf(random: Random, index: number): Shape {
  return shapeInTurn(random, index, FLOATS, random.chance(0.2) ? 600 : 100);
}

/** Each size, or 1 for it. */
export function shortened(random: Random, sizes: readonly number[]): number[] {
  return sizes.map((size) => (random.chance(0.5) ? 1 : size));
}

/** Numbers up to `largest` away from `offset`. */
export function element(random: Random, dataType: DataType, largest: number, offset = 0): () => number {
  return () => numberOf(dataType, Math.fround(offset + (random.fraction() * 2 - 1) * largest));
}

/** The same, but in one case of ten an infinity, a NaN or a zero turns up. */
export function anyElement(random: Random, dataType: DataType, largest: number, offset = 0): () => number {
  const number = element(random, dataType, largest, offset);
  if (!random.chance(0.1)) return number;
  return () => (random.chance(0.05) ? numberOf(dataType, random.pick([0, -0, Infinity, -Infinity, NaN])) : number());
}

/** Their squares overflow or underflow float32, or do not; nothing that is made of them comes near its ends. */
const MAGNITUDES: readonly number[] = [1e12, 1e30, 1e-10, 1e-36];
/** The product of four of them is a float32, or 0. */
const ROOTS: readonly number[] = [1e9, 1e-10, 1e-36];
/** Of factors, whose quotients keep clear of subnormals too. */
const FACTORS: readonly number[] = [1e12, 1e30, 1e-10];
const SPECIALS: readonly number[] = [0, -0, Infinity, -Infinity, NaN];

/** A term is multiplied with others of both signs before it is summed; a root with another one, and with their product. */
export type Role = 'element' | 'term' | 'root' | 'factor' | 'variance';

/**
 * Elements of one tensor with magnitudes of their own: of float32 large or small ones, or all positive and so large that
 * two overflow; of either type now and then, or often, a special value. For sums of both signs overflow no float32: that
 * would depend on the order in which DirectML adds.
 */
export function extremeElement(random: Random, dataType: DataType, role: Role, moderate: () => number): () => number {
  const kind = random.int(0, 5);
  if (kind < 2) return moderate;
  if (kind === 2 || dataType === 'float16') {
    const share = random.pick([0.03, 0.5]);
    return () => (random.chance(share) ? numberOf(dataType, random.pick(SPECIALS)) : moderate());
  }
  const isHuge = kind === 3 && (role === 'element' || role === 'factor' || role === 'variance');
  const isPositive = isHuge || role === 'variance';
  const largest = isHuge ? 3.4e38 : random.pick(role === 'factor' ? FACTORS : role === 'root' ? ROOTS : MAGNITUDES);
  return () => Math.fround((isPositive || random.chance(0.5) ? 1 : -1) * largest * (0.5 + random.fraction() / 2));
}

/** With what is left of a variance near 0 float32 keeps few digits, unless it is exact. */
export function extremeEpsilon(random: Random): number {
  return random.pick([1e-5, 1, -1e6, 1e30, 3.4e38, Infinity, NaN]);
}

/**
 * The tensor, packed if it repeats elements along the axes. Of equal elements the last bit of their mean decides whether they
 * differ from it, which squares that overflow and infinite factors show, and that bit depends on the order of the sum.
 */
export function withoutRepeats(tensor: TensorDesc, axes: readonly number[]): TensorDesc {
  const { dataType, sizes, strides } = tensor;
  return axes.some((axis) => (sizes[axis] ?? 1) > 1 && strides?.[axis] === 0) ? { dataType, sizes } : tensor;
}

/**
 * The element, 1 for an infinite float16. An element of float16 often lies so near the mean that the mean's last bit decides
 * whether they differ, which an infinite factor shows.
 */
export function finiteHalf(dataType: DataType, element: () => number): () => number {
  if (dataType !== 'float16') return element;
  return () => {
    const bits = element();
    return (bits & 0x7fff) === 0x7c00 ? 0x3c00 : bits;
  };
}

/** Whether a case is to have extremes; the tolerance of a fused activation, for one, knows nothing of them. */
export function isExtreme(random: Random, isExcluded: boolean): boolean {
  return !isExcluded && random.chance(0.4);
}

/** With float16, results are far enough off to be on the other side of a step. */
export function activationFor(random: Random, dataType: DataType): FusedActivation {
  return dataType === 'float16' ? continuousActivation(random) : fusedActivation(random);
}
