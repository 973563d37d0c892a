/** The parts that the cases of the normalizations share. */
import type { FusedActivation, TensorDesc } from 'node-directml';
import type { Random } from '../harness/random.js';
import type { DataType } from '../cases/case.js';
import { numberOf, SPECIALS } from '../cases/element-values.js';
import { shapeInTurn } from '../cases/layout.js';
import { continuousActivation, fusedActivation } from './activation/cases.js';

const FLOATS: readonly DataType[] = ['float32', 'float16'];

export type Shape = Pick<TensorDesc, 'dataType' | 'sizes'>;

export function typeOf(index: number): DataType {
  return FLOATS[index % 2] ?? 'float32';
}

/** The data type and one to eight sizes. */
export function shapeOf(random: Random, index: number): Shape {
  return shapeInTurn(random, index, FLOATS, random.chance(0.2) ? 600 : 100);
}

/** The sizes, each of which may become 1. */
export function shortened(random: Random, sizes: readonly number[]): number[] {
  return sizes.map((size) => (random.chance(0.5) ? 1 : size));
}

/** Numbers up to `largest` away from `offset`. */
export function element(random: Random, dataType: DataType, largest: number, offset = 0): () => number {
  return () => numberOf(dataType, Math.fround(offset + (random.fraction() * 2 - 1) * largest));
}

/** Like {@link element}; in one of ten cases, some elements are infinities, NaN or zeros. */
export function anyElement(random: Random, dataType: DataType, largest: number, offset = 0): () => number {
  const number = element(random, dataType, largest, offset);
  if (!random.chance(0.1)) return number;
  return () => (random.chance(0.05) ? numberOf(dataType, random.pick(SPECIALS)) : number());
}

/** Magnitudes whose squares overflow, underflow or fit float32, but never come near its ends. */
const MAGNITUDES: readonly number[] = [1e12, 1e30, 1e-10, 1e-36];
/** Magnitudes for which a product of any four is a finite float32, or 0. */
const ROOTS: readonly number[] = [1e9, 1e-10, 1e-36];
/** Magnitudes of factors, whose quotients are not subnormal either. */
const FACTORS: readonly number[] = [1e12, 1e30, 1e-10];

/**
 * The role of a tensor's elements in the formula. A term is multiplied with others of both signs, then summed. A root is
 * multiplied with another root, and with their product.
 */
export type Role = 'element' | 'term' | 'root' | 'factor' | 'variance';

/**
 * The elements of one tensor. With float32, they are large, small, or all positive and so large that the sum of two
 * overflows. With either type, some or many may be special values. Sums of both signs never overflow float32: the result
 * would depend on the order in which DirectML sums.
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

/** An epsilon that is not so small that it would expose a variance near 0, which has few correct digits in float32. */
export function extremeEpsilon(random: Random): number {
  return random.pick([1e-5, 1, -1e6, 1e30, 3.4e38, Infinity, NaN]);
}

/**
 * The tensor, packed if it broadcasts elements along the axes. The last bit of the mean decides whether equal elements differ
 * from it, and depends on the order of the sum. Squares that overflow and infinite factors make that visible.
 */
export function withoutRepeats(tensor: TensorDesc, axes: readonly number[]): TensorDesc {
  const { dataType, sizes, strides } = tensor;
  return axes.some((axis) => (sizes[axis] ?? 1) > 1 && strides?.[axis] === 0) ? { dataType, sizes } : tensor;
}

/**
 * The element, but 1 instead of an infinite float16. A float16 element often lies so near the mean that the mean's last bit
 * decides whether they differ; an infinite factor makes that visible.
 */
export function finiteHalf(dataType: DataType, element: () => number): () => number {
  if (dataType !== 'float16') return element;
  return () => {
    const bits = element();
    return (bits & 0x7fff) === 0x7c00 ? 0x3c00 : bits;
  };
}

/** True if a case gets extreme values. The caller excludes some cases, such as those with the tolerance of a fused activation. */
export function isExtreme(random: Random, isExcluded: boolean): boolean {
  return !isExcluded && random.chance(0.4);
}

/** A fused activation; for float16 one without a step, because errors are large enough to land on its other side. */
export function activationFor(random: Random, dataType: DataType): FusedActivation {
  return dataType === 'float16' ? continuousActivation(random) : fusedActivation(random);
}
