/** The inverse of the normal distribution in pieces that float32 computes alike on every device: by products and sums alone. */

/** The magnitude has so many octaves of its probability: 2^-1 to 2^-2, 2^-2 to 2^-3 and so on. */
export const octaves = 33;
/** Each octave has so many pieces, in which the probability rises evenly. */
export const piecesPerOctave = 16;
/** A piece is a cubic polynomial. */
export const degree = 3;

/**
 * The coefficients of one power in all pieces. Piece `32 · octave + piece` is of positive numbers, and 16 behind it is the same
 * one of negative numbers.
 */
export function coefficientsOf(power: number): Float32Array {
  const rows = (all ??= Array.from({ length: octaves }, (_, octave) => piecesOf(octave)).flat());
  return Float32Array.from(rows, (row) => row[power] ?? 0);
}

let all: readonly (readonly number[])[] | undefined;

function piecesOf(octave: number): readonly (readonly number[])[] {
  const positive = Array.from({ length: piecesPerOctave }, (_, piece) =>
    cubicThrough((t) => -quantile(2 ** (-2 - octave) * (1 + (piece + t) / piecesPerOctave))),
  );
  return [...positive, ...positive.map((row) => row.map((coefficient) => -coefficient))];
}

/** The coefficients of the polynomial that equals a function at the Chebyshev nodes of 0 to 1. */
function cubicThrough(f: (t: number) => number): readonly number[] {
  const nodes = Array.from({ length: degree + 1 }, (_, i) => 0.5 + 0.5 * Math.cos(((2 * i + 1) * Math.PI) / (2 * degree + 2)));
  // Newton's divided differences.
  const differences = nodes.map(f);
  for (let order = 1; order <= degree; order++) {
    for (let i = degree; i >= order; i--) {
      const [high = 0, low = 0] = [differences[i], differences[i - 1]];
      differences[i] = (high - low) / ((nodes[i] ?? 0) - (nodes[i - order] ?? 0));
    }
  }
  let polynomial: readonly number[] = [];
  for (let i = degree; i >= 0; i--) {
    const shifted = [0, ...polynomial];
    polynomial = shifted.map((each, power) => each - (nodes[i] ?? 0) * (polynomial[power] ?? 0));
    polynomial = polynomial.with(0, (polynomial[0] ?? 0) + (differences[i] ?? 0));
  }
  return polynomial;
}

/**
 * Where the normal distribution has a probability below 1/2, to 16 digits: PPND16 of Wichura, algorithm AS 241, 1988. Its ratio for
 * probabilities below e^-25 is left out, because the last octave ends at 2^-34.
 */
function quantile(probability: number): number {
  const q = probability - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * ratio(middle, r);
  }
  return -ratio(near, Math.sqrt(-Math.log(probability)) - 1.6);
}

type Ratio = readonly [numerator: readonly number[], denominator: readonly number[]];

function ratio([numerator, denominator]: Ratio, x: number): number {
  const at = (polynomial: readonly number[]) => polynomial.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
  return at(numerator) / at(denominator);
}

// prettier-ignore
const middle: Ratio = [
  [3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946,
    45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227],
  [1, 42.31333070160091, 687.1870074920579, 5394.196021424751,
    21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854],
];
// prettier-ignore
const near: Ratio = [
  [1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
    1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414],
  [1, 2.053191626637759, 1.6763848301838038, 0.6897673349851,
    0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-9],
];
