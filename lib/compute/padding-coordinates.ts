/** Which elements padding repeats. */
import type { PaddingMode } from '../tensors/generated/enums.js';
import { ABSENT } from './element-map.js';

/** The input coordinate that is read for a coordinate before, in or after the input; {@link ABSENT} if there is none. */
type CoordinateMap = (coordinate: number, size: number) => number;

export const coordinateMaps: Readonly<Record<PaddingMode, CoordinateMap>> = {
  constant: (coordinate, size) => (coordinate >= 0 && coordinate < size ? coordinate : ABSENT),
  edge: (coordinate, size) => Math.min(Math.max(coordinate, 0), size - 1),
  // The edges are not repeated: a period goes there and back, and has each of the two ends once.
  reflection: (coordinate, size) => {
    const phase = modulo(coordinate, Math.max(1, 2 * (size - 1)));
    return phase < size ? phase : 2 * (size - 1) - phase;
  },
  symmetric: (coordinate, size) => {
    const phase = modulo(coordinate, 2 * size);
    return phase < size ? phase : 2 * size - 1 - phase;
  },
  wrap: modulo,
};

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
