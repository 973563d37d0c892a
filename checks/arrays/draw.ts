/** Draws the arguments of functions of arrays: sizes, elements and options, of which some are wrong. */
import type { TensorDesc } from 'node-directml';
import type { Random } from '../harness/random.js';

export type DataType = TensorDesc['dataType'];
type Sizes = readonly number[];

/** A tensor that an argument of a case stands for. */
export interface ArrayOf {
  readonly dataType: DataType;
  readonly sizes: Sizes;
  readonly data: readonly (number | bigint)[];
}

export const floats: readonly DataType[] = ['float32', 'float32', 'float16'];
export const integers: readonly DataType[] = ['int32', 'int64', 'int16', 'int8', 'uint32', 'uint64', 'uint16', 'uint8'];
export const numbers: readonly DataType[] = [...floats, ...floats, ...integers];
/** Those of functions that only move elements. */
export const all: readonly DataType[] = [...numbers, 'float64'];

/** From which numbers elements are drawn. Floats are multiples of 1/8, which all their data types have. */
export type Range = readonly [low: number, high: number];
const usual: Range = [-4, 4];

export class Draw {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  int(low: number, high: number): number {
    return this.random.int(low, high);
  }

  pick<T>(values: readonly T[]): T {
    return this.random.pick(values);
  }

  chance(probability: number): boolean {
    return this.random.chance(probability);
  }

  sizes(least = 1, most = 4): number[] {
    return Array.from({ length: this.int(least, most) }, () => this.pick([1, 2, 2, 3, 3, 4, 5]));
  }

  /** Those of floats are sometimes special. */
  array(types: readonly DataType[], sizes: Sizes = this.sizes(), range: Range = usual, isSpecial = false): ArrayOf {
    const dataType = this.pick(types);
    const count = sizes.reduce((product, size) => product * size, 1);
    const special = isSpecial && this.chance(0.2);
    const data = Array.from({ length: count }, () =>
      special && this.chance(0.2) && dataType.startsWith('float')
        ? this.pick([NaN, Infinity, -Infinity, -0])
        : this.element(dataType, range),
    );
    return { dataType, sizes, data };
  }

  element(dataType: DataType, [low, high]: Range): number | bigint {
    if (dataType.startsWith('float')) return this.int(Math.ceil(8 * low), Math.floor(8 * high)) / 8;
    const least = Math.ceil(dataType.startsWith('u') ? Math.max(low, 0) : low);
    const whole = this.int(least, Math.max(least, Math.floor(high)));
    return dataType.endsWith('64') ? BigInt(whole) : whole;
  }

  /** Sizes that broadcast with others; sometimes they do not. */
  beside(sizes: Sizes): number[] {
    if (this.chance(0.05)) return this.sizes();
    const own = sizes.slice(this.int(0, sizes.length - 1));
    return own.map((size) => (this.chance(0.25) ? 1 : size));
  }

  /** Two arrays, or an array and a number in either order. */
  pair(types: readonly DataType[], range: Range = usual, second: Range = range): readonly [unknown, unknown] {
    const sizes = this.sizes();
    const [first, last] = this.chance(0.7) ? [sizes, this.beside(sizes)] : [this.beside(sizes), sizes];
    const x = this.array(types, first, range, true);
    if (this.chance(0.15)) return [x, Number(this.element(x.dataType, second))];
    const y = this.array(this.chance(0.5) ? [x.dataType] : types, last, second, true);
    return this.chance(0.1) ? [Number(this.element(y.dataType, range)), y] : [x, y];
  }

  /** The same of finite numbers. */
  whole(types: readonly DataType[], range: Range, second: Range): readonly [unknown, unknown] {
    const sizes = this.sizes();
    const [x, y] = [this.array(types, sizes, range), this.array(types, this.beside(sizes), second)];
    if (this.chance(0.1)) return [x, Number(this.element(x.dataType, second))];
    return this.chance(0.1) ? [Number(this.element(y.dataType, range)), y] : [x, y];
  }

  /** An axis, sometimes a wrong one. */
  axis(count: number): number {
    return this.chance(0.04) ? this.pick([count, -count - 1]) : this.int(-count, count - 1);
  }

  /** Different axes, sometimes a wrong one or one twice. */
  axes(count: number): number[] {
    const axes = this.random.distinct(this.int(1, count), count).map((axis) => (this.chance(0.5) ? axis : axis - count));
    return this.chance(0.04) ? [...axes, this.axis(count)] : axes;
  }

  /** The options of a reduction. */
  reduced({ sizes }: ArrayOf, ...more: readonly object[]): object {
    const axis = this.chance(0.3) ? {} : { axis: this.chance(0.5) ? this.axis(sizes.length) : this.axes(sizes.length) };
    return Object.assign(axis, this.chance(0.4) ? { keepDims: this.chance(0.7) } : {}, ...more) as object;
  }

  /** The option `axis` of one axis, or none. */
  along(count: number, probability = 0.8): object {
    return this.chance(probability) ? { axis: this.axis(count) } : {};
  }
}
