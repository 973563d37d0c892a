/** Infinities, NaN, and numbers whose sums and products leave their type: for tensors that hold any numbers otherwise. */
import type { Random } from '../random.js';
import type { DataType } from './case.js';
import { floatElement } from './element-values.js';

const SPECIAL: readonly number[] = [0, -0, Infinity, -Infinity, NaN];
/** Two of the largest overflow, three of which one is negative do or do not; products of others overflow and underflow. */
const FAR: Readonly<Partial<Record<DataType, readonly number[]>>> = {
  float32: [3e38, 3e38, -3e38, -3e38, 1e38, -2e38, 1e30, -1e25, 3e19, -1e19, 1e-15, -1e-30],
  float16: [65504, 65504, -65504, -65504, 40000, -30000, 2000, -300, 2 ** -14, -(2 ** -20)],
};

/** What the elements of a tensor become. */
export type Strange = (element: () => number) => () => number;

/**
 * Makes a few elements of some tensors, or many, or all, strange: of a case's tensors the given share. Of float16 either
 * infinities and NaN or large numbers, if at all: where infinite inputs make a result infinite, one that overflows to
 * 65504 is taken for an error.
 */
export function strangeness(random: Random, dataType: DataType, share: number, isFar = true): Strange {
  const far = isFar ? (FAR[dataType] ?? []) : [];
  const kinds = [SPECIAL, ...(far.length === 0 ? [] : [far])];
  const kind = random.pick(kinds);
  return (element) => {
    if (!random.chance(share)) return element;
    const among = dataType === 'float16' ? kind : random.pick([...kinds, kinds.flat()]);
    const often = random.pick([0.05, 0.3, 1]);
    return () => (random.chance(often) ? floatElement(dataType, random.pick(among)) : element());
  };
}
