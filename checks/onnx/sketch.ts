/** A case of one node while it is drawn. */
import { float16ToBits } from '#lib/tensors/float16.js';
import type { Random } from '../harness/random.js';
import type { Attribute, NodeLine, Weight } from '../networks/small-model.js';
import type { OnnxCase } from './case.js';

export type Type = Weight[0];
type Value = Attribute | undefined;

export class Sketch {
  readonly random: Random;
  readonly opset: number;
  readonly #inputs: Record<string, Weight> = {};
  readonly #constants: string[] = [];
  readonly #names: string[] = [];
  readonly #attributes: Record<string, Attribute> = {};
  readonly #magnitude: number;

  /** @param magnitude That of the case. */
  constructor(random: Random, opsets: readonly number[], magnitude = 0) {
    this.random = random;
    this.#magnitude = magnitude;
    this.opset = random.pick(opsets);
  }

  /** The next input of the node, which the model or the run has. */
  tensor(type: Type, dims: readonly number[], elements: readonly number[], constants = 0.3): void {
    const name = `in${this.#names.length}`;
    this.#names.push(name);
    this.#inputs[name] = [type, dims, type === 'float16' ? elements.map(float16ToBits) : elements];
    if (this.random.chance(constants)) this.#constants.push(name);
  }

  /** An input with random elements. */
  drawn(type: Type, dims: readonly number[], range?: number, constants?: number): void {
    this.tensor(type, dims, elementsOf(this.random, type, productOf(dims), range), constants);
  }

  /** A list of whole numbers, mostly in the model. */
  list(type: 'int64' | 'int32', elements: readonly number[], constants = 0.8): void {
    this.tensor(type, [elements.length], elements, constants);
  }

  none(): void {
    this.#names.push('-');
  }

  attribute(name: string, value: Value): void {
    if (value !== undefined) this.#attributes[name] = value;
  }

  /** An attribute that is left out sometimes. */
  maybe(name: string, value: () => Value, chance = 0.6): void {
    if (this.random.chance(chance)) this.attribute(name, value());
  }

  /** How many inputs there are so far. */
  get count(): number {
    return this.#names.length;
  }

  /** A case of the operator, or of nodes that name the inputs `in0`, `in1` and so on. */
  finish(operator: string | readonly NodeLine[], outputs: readonly string[] | number = 1, tolerance?: number): OnnxCase {
    const all = typeof outputs === 'number' ? Array.from({ length: outputs }, (_, i) => `out${i}`) : outputs;
    const names = [...this.#names];
    while (names.at(-1) === '-') names.pop();
    const isOne = typeof operator === 'string';
    return {
      opset: this.opset,
      nodes: isOne ? [[operator, names.join(' '), all.join(' '), this.#attributes]] : operator,
      inputs: this.#inputs,
      constants: this.#constants,
      outputs: all.filter((name) => name !== '-'),
      ...(tolerance === undefined ? {} : { tolerance }),
      magnitude: this.#magnitude,
    };
  }
}

export function productOf(dims: readonly number[]): number {
  return dims.reduce((product, size) => product * size, 1);
}

export function sizes(random: Random, rank: number, high = 7, low = 1): number[] {
  return Array.from({ length: rank }, () => random.int(low, high));
}

export function numbers(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw);
}

/** A float32 between `low` and `high`. */
export function between(random: Random, low: number, high: number): number {
  return Math.fround(low + random.fraction() * (high - low));
}

export function floatOf(random: Random, low: number, high: number): { readonly float: number } {
  return { float: between(random, low, high) };
}

/** Random elements: floats from -`range` to `range`, integers of the whole type or of a small range, with ties sometimes. */
export function elementsOf(random: Random, type: Type, count: number, range?: number): number[] {
  const ties = random.chance(0.2);
  return numbers(count, () => element(random, type, range, ties));
}

function element(random: Random, type: Type, range: number | undefined, ties: boolean): number {
  if (type === 'bool') return random.int(0, 1);
  if (type.startsWith('float')) {
    const limit = range ?? 3;
    const step = Math.min(0.5, limit / 2);
    return ties ? Math.fround(Math.round(between(random, -limit, limit) / step) * step) : between(random, -limit, limit);
  }
  if (type === 'uint8') return random.int(0, Math.min(255, range ?? (ties ? 3 : 255)));
  const limit = range ?? (ties ? 2 : 100);
  return random.int(-limit, limit);
}

export function range(low: number, high: number): number[] {
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
}

/** A random order of the first numbers. */
export function order(random: Random, count: number): number[] {
  return random.distinct(count, count).slice(0, count);
}

/** The axis counted from the start or from the end. */
export function eitherEnd(random: Random, axis: number, rank: number): number {
  return random.chance(0.4) ? axis - rank : axis;
}
