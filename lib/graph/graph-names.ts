/** The names of a graph: those of its inputs and constants, of its nodes, and of their outputs. No two are equal. */
import { describe, fieldError, oneOf, shorten, type DirectMLError, type Place } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import type { TensorSlot } from '../descriptors/resolved.js';
import { strict } from '../descriptors/strict.js';
import { outputSlotAt } from './output-slots.js';
import { OutputSource, outputName, type BuiltNode, type ValueSource } from './value-source.js';

const CODE = 'ERR_INVALID_GRAPH';
const maxNameLength = 1_000;

export class GraphNames {
  readonly #graph: object;
  /** The inputs, constants and nodes. Outputs are found by their nodes. */
  readonly #taken = new Map<string, ValueSource | BuiltNode>();
  /** True if an input, a constant or a node has a name with a dot, as outputs have. */
  #hasDots = false;
  /** By prefix, the number that the next new name tries. */
  readonly #counts = new Map<string, number>();

  constructor(graph: object) {
    this.#graph = graph;
  }

  /** `owner` is an input or a constant, or a node, whose outputs get their names, too. */
  add(owner: ValueSource | BuiltNode): void {
    this.#taken.set(owner.name, owner);
  }

  /** Undefined if no value has the name. */
  get(name: string): ValueSource | undefined {
    const taken = this.#taken.get(name);
    if (taken !== undefined) return isNode(taken) ? undefined : taken;
    const dot = name.lastIndexOf('.');
    const node = dot === -1 ? undefined : this.#taken.get(name.slice(0, dot));
    if (node === undefined || !isNode(node)) return undefined;
    const slot = outputSlotAt(node.operator, name.slice(dot + 1));
    return slot === undefined ? undefined : this.#outputAt(node, slot);
  }

  /** @throws {DirectMLError} unless it is a name that the graph does not have yet. `outputs` are the paths of a node's outputs. */
  check(name: unknown, place: Place, outputs: readonly string[] = []): string {
    const checked = checkName(name, place);
    const taken = [checked, ...outputs.map((path) => outputName(checked, path))].find((each) => this.#has(each));
    if (taken === undefined) {
      this.#hasDots ||= checked.includes('.');
      return checked;
    }
    const why = taken === checked ? undefined : `the graph has '${shorten(taken)}'`;
    const expected = 'a name that the graph does not have yet';
    throw strict('graph-names', fieldError(CODE, place, expected, describe(checked), { why }));
  }

  /** The name in the options of the operator or method, or a new one such as `convolution_0` if none is given. */
  choose(given: unknown, prefix: string, operator: string, outputs?: readonly string[]): string {
    if (given !== undefined) return this.check(given, { operator, field: 'options.name' }, outputs);
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
    const sourcesOf = (owner: ValueSource | BuiltNode) => {
      return isNode(owner) ? owner.operator.slots.map((slot) => this.#outputAt(owner, slot)) : [owner];
    };
    const names = [...this.#taken.values()].flatMap(sourcesOf).flatMap((source) => source?.name ?? []);
    const expected = names.length === 0 ? 'the name of a value' : `the name of a value: ${oneOf(names)}`;
    return fieldError(CODE, place, expected, describe(name), { why: didYouMean(name, names) });
  }

  /** Undefined for an input, and for an output that the descriptor does not have. */
  #outputAt(node: BuiltNode, slot: TensorSlot): ValueSource | undefined {
    return slot.role === 'input' || slot.tensor === null ? undefined : new OutputSource(this.#graph, node, slot, slot.tensor);
  }

  #has(name: string): boolean {
    return this.#taken.has(name) || this.get(name) !== undefined;
  }

  /** The first name with this number or a higher one that is free, and its number. */
  #free(prefix: string, first: number, outputs: readonly string[] = []): readonly [name: string, number: number] {
    for (let number = first; ; number++) {
      const name = `${prefix}_${number}`;
      // The name has no dot, so no output has it, and only names with dots can be those of its outputs.
      const isTaken = this.#hasDots && outputs.some((path) => this.#taken.has(outputName(name, path)));
      if (!isTaken && !this.#taken.has(name)) return [name, number];
    }
  }
}

function isNode(owner: ValueSource | BuiltNode): owner is BuiltNode {
  return Object.hasOwn(owner, 'operator');
}

/** @throws {DirectMLError} unless it is a text of a length that names may have. */
export function checkName(name: unknown, place: Place): string {
  if (typeof name === 'string' && name !== '' && name.length <= maxNameLength) return name;
  throw strict('graph-names', fieldError(CODE, place, `a name of 1 to ${maxNameLength} characters`, describe(name)));
}
