/** The names of a graph: those of its values and those of its nodes. No two are equal. */
import { describe, fieldError, oneOf, shorten, type DirectMLError, type Place } from '../errors.js';
import { didYouMean } from '../near-names.js';
import { strict } from '../validation/strict.js';
import type { ValueSource } from './value.js';

const CODE = 'ERR_INVALID_GRAPH';
const maxNameLength = 1_000;

export class GraphNames {
  /** Null for the name of a node. */
  readonly #taken = new Map<string, ValueSource | null>();
  /** By prefix, the number that the next new name tries. */
  readonly #counts = new Map<string, number>();

  add(name: string, source: ValueSource | null): void {
    this.#taken.set(name, source);
  }

  /** Undefined if no value has the name. */
  get(name: string): ValueSource | undefined {
    return this.#taken.get(name) ?? undefined;
  }

  /** @throws {DirectMLError} unless it is a name that the graph does not have yet. `outputs` are the fields of a node's outputs. */
  check(name: unknown, place: Place, outputs: readonly string[] = []): string {
    const checked = checkName(name, place);
    const taken = [checked, ...outputs.map((field) => valueName(checked, field))].find((each) => this.#taken.has(each));
    if (taken === undefined) return checked;
    const why = taken === checked ? undefined : `the graph has '${shorten(taken)}'`;
    const expected = 'a name that the graph does not have yet';
    throw strict('graph-names', fieldError(CODE, place, expected, describe(checked), { why }));
  }

  /** The given name, or a new one such as `convolution_0` if none is given. */
  choose(given: unknown, prefix: string, place: Place, outputs?: readonly string[]): string {
    if (given !== undefined) return this.check(given, place, outputs);
    const [name, number] = this.#free(prefix, this.#counts.get(prefix) ?? 0, outputs);
    this.#counts.set(prefix, number + 1);
    return name;
  }

  /** A function that returns a new name each time. The graph does not take these names, so they are the same the next time. */
  spare(prefix: string, outputs: readonly string[]): () => string {
    let next = this.#counts.get(prefix) ?? 0;
    return () => {
      const [name, number] = this.#free(prefix, next, outputs);
      next = number + 1;
      return name;
    };
  }

  /** The error for a name that no value of the graph has. */
  unknown(name: string, place: Place): DirectMLError {
    const names = [...this.#taken].flatMap(([own, source]) => (source === null ? [] : [own]));
    const expected = names.length === 0 ? 'the name of a value' : `the name of a value: ${oneOf(names)}`;
    return fieldError(CODE, place, expected, describe(name), { why: didYouMean(name, names) });
  }

  /** The first name with this number or a higher one that is free, and its number. */
  #free(prefix: string, first: number, outputs: readonly string[] = []): readonly [name: string, number: number] {
    for (let number = first; ; number++) {
      const name = `${prefix}_${number}`;
      if (!this.#taken.has(name) && !outputs.some((field) => this.#taken.has(valueName(name, field)))) return [name, number];
    }
  }
}

/** The name of an output of a node. */
export function valueName(node: string, field: string): string {
  return `${node}.${field}`;
}

/** @throws {DirectMLError} unless it is a text of a length that names may have. */
export function checkName(name: unknown, place: Place): string {
  if (typeof name === 'string' && name !== '' && name.length <= maxNameLength) return name;
  throw strict('graph-names', fieldError(CODE, place, `a name of 1 to ${maxNameLength} characters`, describe(name)));
}
