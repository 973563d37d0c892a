/** The discrete Fourier transform of any length, in float64. */

interface Complex {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

/** Sums `x[k] * exp(sign * 2πi * jk / length)` for each j: by parts, as many as the smallest factor of the length. */
export function fourier({ real, imaginary }: Complex, sign: 1 | -1): Complex {
  const length = real.length;
  const factor = smallestFactor(length);
  const size = length / factor;
  const parts = Array.from({ length: factor }, (_, r): Complex => {
    const part = {
      real: Float64Array.from({ length: size }, (_each, k) => real[k * factor + r] ?? 0),
      imaginary: Float64Array.from({ length: size }, (_each, k) => imaginary[k * factor + r] ?? 0),
    };
    return size > 1 ? fourier(part, sign) : part;
  });
  const result = { real: new Float64Array(length), imaginary: new Float64Array(length) };
  const turn = (sign * 2 * Math.PI) / length;
  for (let j = 0; j < length; j++) {
    for (const [r, part] of parts.entries()) {
      const angle = turn * ((j * r) % length);
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      const [a, b] = [part.real[j % size] ?? 0, part.imaginary[j % size] ?? 0];
      result.real[j] = (result.real[j] ?? 0) + a * cosine - b * sine;
      result.imaginary[j] = (result.imaginary[j] ?? 0) + a * sine + b * cosine;
    }
  }
  return result;
}

/** The number itself if it is a prime. */
function smallestFactor(number: number): number {
  for (let factor = 2; factor * factor <= number; factor++) if (number % factor === 0) return factor;
  return Math.max(1, number);
}
