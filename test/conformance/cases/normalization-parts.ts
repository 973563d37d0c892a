/** What the cases of the normalizations share. */
import type { FusedActivation } from 'node-directml';
import type { Random } from '../../random.js';
import type { DataType } from '../case.js';
import { numberOf } from '../element-values.js';
import { randomSizes } from '../layout.js';
import { continuousActivation, fusedActivation } from './activation.js';

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
  return { dataType: typeOf(index), sizes: randomSizes(random, (Math.floor(index / 2) % 8) + 1, random.chance(0.2) ? 600 : 100) };
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

/** With float16, results are far enough off to be on the other side of a step. */
export function activationFor(random: Random, dataType: DataType): FusedActivation {
  return dataType === 'float16' ? continuousActivation(random) : fusedActivation(random);
}
