/** Random floats whose sums, differences and products overflow or underflow, or stay far from that. */
import type { Random } from '../harness/random.js';
import type { DataType } from './case.js';
import { floatElement, SPECIALS } from './element-values.js';

/** Exponents of two: far from the ends of float32; with differences that overflow; near underflow. */
const EXPONENTS = [0, 0, 0, -60, 60, 126, 127, -120];
const HALF_EXPONENTS = [0, 0, 0, 12, 15, -12];

interface Magnitudes {
  /** The share of zeros, infinities and NaN in the cases that have any. */
  readonly special?: number;
  /** Elements whose sums overflow have one sign, so that the sums overflow in any order. */
  readonly isSummed?: boolean;
  /** Sums and products stay far from overflow. */
  readonly isModerate?: boolean;
}

/** Generates the elements of one case. In magnitude they are 1 to 2 times one power of two; in some cases they have one sign. */
export function floatsOfOneMagnitude(random: Random, dataType: DataType, magnitudes: Magnitudes = {}): () => number {
  const { special = 0.1, isSummed = false, isModerate = false } = magnitudes;
  const exponents = dataType === 'float16' ? HALF_EXPONENTS : EXPONENTS;
  const exponent = random.pick(exponents.filter((candidate) => !isModerate || candidate <= (dataType === 'float16' ? 0 : 60)));
  const sign = random.pick([1, -1]);
  const isOneSign = random.chance(0.2) || (isSummed && exponent > 120);
  const share = random.chance(0.3) ? special : 0;
  return () => {
    if (random.chance(share)) return floatElement(dataType, random.pick(SPECIALS));
    return floatElement(dataType, (1 + random.fraction()) * 2 ** exponent * (isOneSign || random.chance(0.5) ? sign : -sign));
  };
}
