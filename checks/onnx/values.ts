/** Draws of sizes and of elements. */
import type { Random } from '../harness/random.js';
import { between, productOf, sizes, type Sketch, type Type } from './sketch.js';

/** Which elements are drawn. Integers without limits are any of the data type. */
export interface Elements {
  readonly low?: number;
  readonly high?: number;
  /** Single elements of floats are sometimes one of these. */
  readonly special?: readonly number[];
  /** How often a tensor has special elements. Default: a quarter. */
  readonly specialChance?: number;
  /** How often many elements are the same. */
  readonly tieChance?: number;
  /** These are never drawn as integers. */
  readonly not?: readonly number[];
}

/** What a tensor of floats can have beside ordinary numbers. */
export const infinities = [Infinity, -Infinity, 0, -0];
export const specials = [NaN, ...infinities];

const limits: Readonly<Partial<Record<Type, readonly [number, number]>>> = {
  ...{ bool: [0, 1], int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], uint16: [0, 65535] },
  ...{ int32: [-(2 ** 31), 2 ** 31 - 1], uint32: [0, 2 ** 32 - 1] },
  ...{ int64: [-(2 ** 63), 2 ** 63 - 1024], uint64: [0, 2 ** 64 - 2048] },
};

/** Sizes, of which one is 0 sometimes. */
export function anySizes(random: Random, low = 0, high = 5): number[] {
  const rank = low === 0 && random.chance(0.95) ? random.int(1, high) : random.int(low, high);
  const dims = sizes(random, rank, rank > 3 ? 4 : 7);
  return rank > 0 && random.chance(0.03) ? dims.with(random.int(0, rank - 1), 0) : dims;
}

/** Sizes that broadcast to the given ones. */
export function narrowed(random: Random, dims: readonly number[]): number[] {
  const missing = random.chance(0.4) ? random.int(0, dims.length) : 0;
  const ones = random.chance(0.6) ? 0.3 : 0;
  return dims.slice(missing).map((size) => (random.chance(ones) ? 1 : size));
}

/** The data types of quantized elements. */
export type Bytes = 'int8' | 'uint8';
export const bytes: readonly Bytes[] = ['int8', 'uint8'];

/**
 * The elements of a factor. On processors without VNNI, onnxruntime adds two products of uint8 and int8 in 16 bits, and saturates.
 * 7 bits keep their sum below that.
 */
export function factorRange(type: Type): Elements {
  return type === 'int8' ? { low: -64, high: 63 } : {};
}

/** An input with drawn elements. */
export function drawTensor(sketch: Sketch, type: Type, dims: readonly number[], elements: Elements = {}, constants?: number) {
  const { random } = sketch;
  const { special = [], specialChance = 0.25, tieChance = 0.15 } = elements;
  const isSpecial = special.length > 0 && random.chance(specialChance);
  const isTied = random.chance(tieChance);
  const draw = () => {
    if (isSpecial && isFloat(type) && random.chance(0.2)) return random.pick(special);
    return elementOf(random, type, elements, isTied);
  };
  const all = Array.from({ length: productOf(dims) }, () => {
    let element = draw();
    while (!isFloat(type) && elements.not?.includes(element) === true) element = draw();
    return element;
  });
  sketch.tensor(type, dims, all, constants);
}

export function isFloat(type: Type): boolean {
  return type.startsWith('float');
}

function elementOf(random: Random, type: Type, { low, high }: Elements, isTied: boolean): number {
  if (isFloat(type)) {
    const float = between(random, low ?? -4, high ?? 4);
    // -0 is among the special ones only.
    return isTied ? Math.round(float * 2) / 2 + 0 : float;
  }
  const [least, most] = limits[type] ?? [0, 0];
  return integerOf(random, Math.max(least, low ?? least), Math.min(most, high ?? most), isTied);
}

/** Of a wide range, often near 0 or near its ends. */
function integerOf(random: Random, low: number, high: number, isTied: boolean): number {
  if (high - low < 1000) return random.int(Math.ceil(low), Math.floor(high));
  if (isTied || random.chance(0.4)) return random.int(Math.max(low, -9), Math.min(high, 9));
  if (random.chance(0.1)) return random.pick([low, high]);
  return Math.round(low + random.fraction() * (high - low));
}
