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

/** Where the normal distribution has a probability below 1/2, to 16 digits: PPND16 of Wichura, algorithm AS 241, 1988. */
function quantile(probability: number): number {
  const q = probability - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * ratio(middle, r);
  }
  const r = Math.sqrt(-Math.log(probability));
  return r <= 5 ? -ratio(near, r - 1.6) : -ratio(far, r - 5);
}

type Ratio = readonly [numerator: readonly number[], denominator: readonly number[]];

function ratio([numerator, denominator]: Ratio, x: number): number {
  const at = (polynomial: readonly number[]) => polynomial.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
  return at(numerator) / at(denominator);
}

// prettier-ignore
const middle: Ratio = [
  [3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727],
  [1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
    21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610],
];
// prettier-ignore
const near: Ratio = [
  [1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
    1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4],
  [1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
    0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9],
];
// prettier-ignore
const far: Ratio = [
  [6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
    0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7],
  [1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
    7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15],
];
