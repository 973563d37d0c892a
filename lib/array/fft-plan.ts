/** What Fourier transforms need besides their input: factors of lengths, and numbers of the unit circle. All in float64. */

/** No prime factor of a length that is transformed by factors is larger: Bluestein's algorithm is faster for others. */
const maxPrime = 128;
/** Factors up to about this are products of matrices; larger ones are split. */
const radix = 32;

/** Few factors of a length, with similar sizes; null if it has a large prime. */
export function factorsOf(length: number): readonly number[] | null {
  const primes = primesOf(length).reverse();
  if ((primes[0] ?? 1) > maxPrime) return null;
  const most = Math.max(radix, primes[0] ?? 1);
  for (let count = 1; ; count++) {
    const factors = new Array<number>(count).fill(1);
    for (const prime of primes) {
      const least = factors.indexOf(Math.min(...factors));
      factors[least] = (factors[least] ?? 1) * prime;
    }
    if (Math.max(...factors) <= most) return factors.sort((a, b) => b - a);
  }
}

/** The prime factors, the smallest first. */
function primesOf(length: number): number[] {
  const primes: number[] = [];
  let rest = length;
  for (let prime = 2; prime * prime <= rest; prime++) {
    for (; rest % prime === 0; rest /= prime) primes.push(prime);
  }
  return rest === 1 ? primes : [...primes, rest];
}

/** Complex numbers in two arrays. */
export interface Plane {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** `scale · e^(sign · 2πi · row · column / length)` of a matrix. */
export function unitMatrix(rows: number, columns: number, length: number, sign: number, scale = 1): Plane {
  return unitCircle(rows * columns, length, sign, (i) => Math.floor(i / columns) * (i % columns), scale);
}

/** The chirp of Bluestein: `e^(sign · πi · j² / length)`. */
export function chirpOf(count: number, length: number, sign: number): Plane {
  return unitCircle(count, 2 * length, sign, (j) => j * j);
}

function unitCircle(count: number, length: number, sign: number, position: (i: number) => number, scale = 1): Plane {
  const [re, im] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    // Exact, because positions are below 2^42.
    const turn = (position(i) % length) / length;
    const isQuarter = Number.isInteger(4 * turn);
    const [cos, sin] = [Math.cos(2 * Math.PI * turn), Math.sin(2 * Math.PI * turn)];
    re[i] = scale * (isQuarter ? Math.round(cos) : cos);
    im[i] = sign * scale * (isQuarter ? Math.round(sin) : sin);
  }
  return { re, im };
}

/** The transform of the chirp that Bluestein's algorithm convolves with, around 0, in a length that is a power of 2. */
export function chirpSpectrum(length: number, padded: number, sign: number): Plane {
  const { re: cos, im: sin } = chirpOf(length, length, -sign);
  const [re, im] = [new Float64Array(padded), new Float64Array(padded)];
  for (let j = 0; j < length; j++) {
    for (const at of j === 0 ? [0] : [j, padded - j]) {
      re[at] = cos[j] ?? 0;
      im[at] = sin[j] ?? 0;
    }
  }
  transformPowerOf2({ re, im });
  return { re, im };
}

/** In place, in float64. */
function transformPowerOf2({ re, im }: Plane): void {
  const count = re.length;
  const swap = (plane: Float64Array, a: number, b: number) => {
    [plane[a], plane[b]] = [plane[b] ?? 0, plane[a] ?? 0];
  };
  for (let i = 1, j = 0; i < count; i++) {
    let bit = count >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      swap(re, i, j);
      swap(im, i, j);
    }
  }
  const { re: cos, im: sin } = unitCircle(count >> 1, count, -1, (i) => i);
  for (let half = 1; half < count; half *= 2) {
    const step = count / (2 * half);
    for (let first = 0; first < count; first += 2 * half) {
      for (let k = 0; k < half; k++) {
        const [a, b] = [first + k, first + k + half];
        const [c, s] = [cos[k * step] ?? 0, sin[k * step] ?? 0];
        const [x, y] = [(re[b] ?? 0) * c - (im[b] ?? 0) * s, (re[b] ?? 0) * s + (im[b] ?? 0) * c];
        re[b] = (re[a] ?? 0) - x;
        im[b] = (im[a] ?? 0) - y;
        re[a] = (re[a] ?? 0) + x;
        im[a] = (im[a] ?? 0) + y;
      }
    }
  }
}
