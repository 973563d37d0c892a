/**
 * Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): each value of a 128-bit
 * counter gives four 32-bit words. The state is the counter, lowest word first, and then the 64-bit key.
 */
import { readNumbers, writeNumbers } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

const ROUNDS = 10;
const MULTIPLIERS = [0xd2511f53, 0xcd9e8d57] as const;
/** The golden ratio and the square root of 3, less 1: the increments of the key's words from round to round. */
const WEYL = [0x9e3779b9, 0xbb67ae85] as const;

export const randomGenerator: Kernel<'randomGenerator'> = (
  _operator,
  { inputStateTensor, outputTensor: output, outputStateTensor },
) => {
  const state = Uint32Array.from(readNumbers(inputStateTensor));
  const key = state.subarray(4, 6);
  const counter = state.slice(0, 4);
  const words = new Float64Array(output.elementCount);
  for (let first = 0; first < words.length; first += 4) {
    philox(counter, key).forEach((word, i) => {
      if (first + i < words.length) words[first + i] = word;
    });
    increment(counter);
  }
  writeNumbers(output, words);
  if (outputStateTensor !== null) writeNumbers(outputStateTensor, Float64Array.of(...counter, ...key));
};

function philox(counter: Uint32Array, key: Uint32Array): Uint32Array {
  let [a = 0, b = 0, c = 0, d = 0] = counter;
  let [low = 0, high = 0] = key;
  for (let round = 0; round < ROUNDS; round++) {
    const [before, next] = [a, c];
    a = (highWord(next, MULTIPLIERS[1]) ^ b ^ low) >>> 0;
    b = Math.imul(next, MULTIPLIERS[1]) >>> 0;
    c = (highWord(before, MULTIPLIERS[0]) ^ d ^ high) >>> 0;
    d = Math.imul(before, MULTIPLIERS[0]) >>> 0;
    low = (low + WEYL[0]) >>> 0;
    high = (high + WEYL[1]) >>> 0;
  }
  return Uint32Array.of(a, b, c, d);
}

/** The upper 32 bits of a product of words, by halves: no step exceeds 32 bits. */
function highWord(a: number, b: number): number {
  const [low, high, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = high * bLow + ((low * bLow) >>> 16);
  return high * bHigh + (middle >>> 16) + ((low * bHigh + (middle & 0xffff)) >>> 16);
}

function increment(counter: Uint32Array): void {
  for (let word = 0; word < counter.length; word++) {
    counter[word] = (counter[word] ?? 0) + 1;
    if (counter[word] !== 0) return;
  }
}
