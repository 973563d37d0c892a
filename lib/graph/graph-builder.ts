/** Builds graphs: checks each node when it is added, and keeps what the outputs need when the graph is resolved. */
import { bitsOf } from '../data-types/table.js';
import { at, describe, fieldError, list, shorten, type DirectMLError, type Place } from '../errors.js';
import { didYouMean } from '../near-names.js';
import { reaches } from '../schema/feature-level.js';
import type { OperatorType } from '../schema/generated/descriptors.js';
import type { FeatureLevel } from '../schema/generated/enums.js';
import { resolveDescriptor } from '../validation/index.js';
import { namesOf, readOwn } from '../validation/input.js';
import { readRequest } from '../validation/plain-request.js';
import { OutputRecord } from '../validation/output-record.js';
import type { ResolvedOperator, ResolvedTensor, TensorSlot } from '../validation/resolved.js';
import { strict } from '../validation/strict.js';
import { resolveTensor } from '../validation/tensor.js';
import { checkOutput, refuseStrided4Bit } from './node-checks.js';
import { isDirect, resolveGraph } from './resolve-graph.js';
import type { ResolvedGraph } from './resolved-graph.js';
import { Value, type BuiltNode, type ValueSource } from './value.js';

/** The feature level from which on DirectML has graphs. */
export const graphFeatureLevel: FeatureLevel = '2.1';

const CODE = 'ERR_INVALID_GRAPH';
const maxNodes = 65_536;
const maxNameLength = 1_000;
const valueKind = { is: (value: unknown): value is Value => Value.is(value), textOf: ({ layoutText }: Value) => layoutText };

export interface GraphHooks {
  /** What to do instead of giving this, which is a tensor; undefined if it is none. */
  readonly advice: (given: unknown) => string | undefined;
  /** Throws if the device cannot run the operator. */
  readonly check: (operator: ResolvedOperator) => void;
}

const noHooks: GraphHooks = { advice: () => undefined, check: () => undefined };

export class GraphBuilder {
  readonly featureLevel: FeatureLevel;
  readonly #hooks: GraphHooks;
  /** All inputs, constants and outputs of nodes by their names, and the nodes by theirs. */
  readonly #names = new Map<string, ValueSource | null>();
  readonly #inputs: ValueSource[] = [];
  readonly #data = new Map<ValueSource, unknown>();
  readonly #nodes: BuiltNode[] = [];
  /** The operators by the text of their descriptors. Equal nodes share one. */
  readonly #operators = new Map<string, ResolvedOperator>();
  /** The inputs and constants that a node reads. */
  readonly #used = new Set<ValueSource>();
  /** By operator type, or 'constant', the number that the next name tries. */
  readonly #counts = new Map<string, number>();

  constructor(featureLevel: FeatureLevel, hooks: GraphHooks = noHooks) {
    if (!reaches(featureLevel, graphFeatureLevel)) {
      const place = { operator: 'createGraph', field: 'featureLevel' };
      throw fieldError('ERR_FEATURE_LEVEL', place, `feature level ${graphFeatureLevel} for graphs`, featureLevel);
    }
    this.featureLevel = featureLevel;
    this.#hooks = hooks;
  }

  input(given: unknown, desc: unknown): Value {
    const method = 'graph.input';
    const name = this.#newName(given, { operator: method, field: 'name' });
    const tensor = resolveTensor(desc, { operator: method, field: '' }, 'any', this.featureLevel);
    if (tensor.flags === 'ownedByDml') {
      const why = 'graph.constant makes a tensor that is given once';
      const place = { operator: method, field: 'flags' };
      throw strict('graph-owned-inputs', fieldError('ERR_FIELD_COMBINATION', place, `'none'`, `'ownedByDml'`, { why }));
    }
    const source = this.#register({ graph: this, name, tensor, node: null, output: 0 });
    this.#inputs.push(source);
    return new Value(tensor.dataType, tensor, source);
  }

  /** `read` returns the data for a constant with this description. */
  constant(given: unknown, desc: unknown, read: (tensor: ResolvedTensor) => unknown): Value {
    const method = 'graph.constant';
    const name = this.#nameFor(given, 'constant', { operator: method, field: 'options.name' });
    const tensor = resolveTensor(desc, { operator: method, field: '' }, 'any', this.featureLevel);
    const data = read(tensor);
    const source = this.#register({ graph: this, name, tensor, node: null, output: 0 });
    this.#data.set(source, data);
    return new Value(tensor.dataType, tensor, source);
  }

  /** Validates the descriptor and adds a node. Returns the outputs by field name. */
  add(descriptor: unknown, given?: unknown): Readonly<Record<string, Value | readonly Value[]>> {
    const request = readRequest(descriptor, valueKind);
    const known = request === null ? undefined : this.#operators.get(request.key);
    const values = new Map<string, unknown>(request?.tensors);
    const operator = known ?? this.#resolve(descriptor, values);
    if (request !== null) this.#operators.set(request.key, operator);
    const { type } = operator.descriptor;
    const sources = operator.slots.map((slot) => this.#sourceFor(slot, values.get(slot.path), type));
    const inputs = sources.filter((_, i) => operator.slots[i]?.role === 'input');
    if (this.#nodes.length >= maxNodes)
      throw fieldError(CODE, { operator: type, field: '' }, `at most ${maxNodes} nodes`, 'more');
    const node = { name: this.#nameFor(given, type, { operator: type, field: 'options.name' }), operator, inputs };
    return this.#addNode(node);
  }

  /** The value with this name; undefined if there is none. */
  valueOf(name: string): Value | undefined {
    const source = this.#names.get(name);
    return source === undefined || source === null ? undefined : new Value(source.tensor.dataType, source.tensor, source);
  }

  /** The names of all values. */
  get valueNames(): readonly string[] {
    return [...this.#names].flatMap(([name, source]) => (source === null ? [] : [name]));
  }

  /** The graph that computes the outputs, which are values by name. Nodes that no output needs are left out. */
  resolve(outputs: unknown, method = 'graph.compile'): ResolvedGraph {
    const wanted = this.#readOutputs(outputs, method);
    this.#refuseUnused(wanted, method);
    const results = wanted.map(({ name, value }) => {
      return { name, value, source: isDirect(value) ? value.source : this.#copyOf(name, value, method) };
    });
    return resolveGraph({ inputs: this.#inputs, constants: this.#data, nodes: this.#nodes }, results);
  }

  /** An input that no node reads, and that is no output, is a mistake. */
  #refuseUnused(wanted: readonly { readonly value: Value }[], method: string): void {
    const sources = new Set(wanted.map(({ value }) => value.source));
    const unused = this.#inputs.find((input) => !this.#used.has(input) && !sources.has(input));
    if (unused === undefined) return;
    const place = { operator: method, field: `inputs.${shorten(unused.name)}` };
    throw strict('graph-unused-input', fieldError(CODE, place, 'an input that a node reads', 'one that nothing uses'));
  }

  /** Validates a descriptor. Collects the values of its tensor fields by path. */
  #resolve(descriptor: unknown, values: Map<string, unknown>): ResolvedOperator {
    const operator = resolveDescriptor(descriptor, this.featureLevel, 'graph.add', (value, place) => {
      values.set(place.field, value);
      if (Value.is(value)) return descriptionOf(value);
      const why = this.#hooks.advice(value);
      if (why !== undefined) throw fieldError(CODE, place, 'a value of this graph', 'a tensor', { why });
      return value;
    });
    this.#hooks.check(operator);
    for (const slot of operator.slots) refuseStrided4Bit(slot, operator.descriptor.type);
    return operator;
  }

  #readOutputs(outputs: unknown, method: string): readonly { readonly name: string; readonly value: Value }[] {
    const place = { operator: method, field: 'outputs' };
    if (typeof outputs !== 'object' || outputs === null || Value.is(outputs)) {
      throw fieldError('ERR_INVALID_ARGUMENT', place, 'an object with a value per output', describe(outputs));
    }
    const names = namesOf(outputs, place, 'ERR_INVALID_ARGUMENT');
    if (names.length === 0) throw fieldError(CODE, place, 'at least one output', 'none');
    return names.map((name) => {
      const here = at(place, shorten(name));
      const value = readOwn(outputs, name, place, 'ERR_INVALID_ARGUMENT');
      if (name === '' || name.length > maxNameLength) throw badName(here, name);
      const taken = this.#names.get(name);
      if (taken?.node === null && !this.#data.has(taken))
        throw strict('graph-output-names', fieldError(CODE, here, 'a name of its own', 'the name of an input'));
      return { name, value: this.#own(value, here) };
    });
  }

  /** The source of an input; null for an output, and for an input that the descriptor does not have. */
  #sourceFor({ path, role, tensor }: TensorSlot, given: unknown, type: OperatorType): ValueSource | null {
    const place = { operator: type, field: path };
    if (role === 'output') {
      if (Value.is(given)) throw fieldError(CODE, place, 'a description: add makes the values of outputs', 'a value');
      if (tensor !== null) checkOutput(tensor, place);
      return null;
    }
    if (tensor === null) return null;
    return this.#own(given, place).source;
  }

  #own(value: unknown, place: Place): Value {
    if (!Value.is(value)) {
      throw fieldError(CODE, place, 'a value of this graph', describe(value));
    }
    if (value.source.graph !== this) throw fieldError(CODE, place, 'a value of this graph', `another graph's`);
    return value;
  }

  #addNode(node: BuiltNode): Readonly<Record<string, Value | readonly Value[]>> {
    const record = new OutputRecord<Value>();
    const sources: ValueSource[] = [];
    for (const slot of node.operator.slots) {
      if (slot.role === 'input' || slot.tensor === null) continue;
      const source = outputOf(this, node, slot, slot.tensor);
      if (this.#names.has(source.name)) {
        const place = { operator: node.operator.descriptor.type, field: 'options.name' };
        const why = `the graph has a value with the name '${shorten(source.name)}'`;
        const expected = `a name other than '${shorten(node.name)}'`;
        throw strict('graph-names', fieldError(CODE, place, expected, describe(node.name), { why }));
      }
      sources.push(source);
      record.add(slot, new Value(slot.tensor.dataType, slot.tensor, source));
    }
    this.#nodes.push(node);
    this.#names.set(node.name, null);
    for (const source of sources) this.#register(source);
    for (const input of node.inputs) if (input !== null) this.#used.add(input);
    return record.outputs;
  }

  /** A packed copy of a value, for an output that no node writes in this layout. */
  #copyOf(output: string, value: Value, method: string): ValueSource {
    if (bitsOf(value.dataType) === 4) {
      const why = `no operator copies ${value.dataType}`;
      const place = { operator: method, field: `outputs.${shorten(output)}` };
      throw fieldError('ERR_DATA_TYPE', place, 'the output of a node', `'${value.name}', of which the output is a copy`, { why });
    }
    const descriptor = { type: 'elementWiseIdentity', inputTensor: descriptionOf(value) };
    const operator: ResolvedOperator = resolveDescriptor(descriptor, this.featureLevel, 'graph.compile');
    const slot = operator.slots.find(({ role }) => role === 'output');
    if (slot?.tensor === undefined || slot.tensor === null) throw new TypeError('an identity has an output');
    const node = {
      name: this.#nameFor(undefined, 'elementWiseIdentity', { operator: 'graph', field: '' }),
      operator,
      inputs: [value.source],
    };
    return outputOf(this, node, slot, slot.tensor);
  }

  #register(source: ValueSource): ValueSource {
    this.#names.set(source.name, source);
    return source;
  }

  /** The given name, or a new one such as `convolution_0` if none is given. */
  #nameFor(given: unknown, prefix: string, place: Place): string {
    if (given !== undefined) return this.#newName(given, place);
    for (let number = this.#counts.get(prefix) ?? 0; ; number++) {
      this.#counts.set(prefix, number + 1);
      const name = `${prefix}_${number}`;
      if (!this.#names.has(name)) return name;
    }
  }

  #newName(name: unknown, place: Place): string {
    if (typeof name !== 'string' || name === '' || name.length > maxNameLength) throw badName(place, name);
    if (this.#names.has(name)) {
      throw strict('graph-names', fieldError(CODE, place, 'a name that the graph does not have yet', describe(name)));
    }
    return name;
  }

  /** The error for a name that no value of the graph has. */
  unknownValue(name: string, place: Place): DirectMLError {
    const names = this.valueNames;
    const expected = names.length === 0 ? 'the name of a value' : `the name of a value: one of ${list(names)}`;
    return fieldError(CODE, place, expected, describe(name), { why: didYouMean(name, names) });
  }
}

function badName(place: Place, name: unknown): DirectMLError {
  return strict('graph-names', fieldError(CODE, place, `a name of 1 to ${maxNameLength} characters`, describe(name)));
}

function outputOf(graph: object, node: BuiltNode, slot: TensorSlot, tensor: ResolvedTensor): ValueSource {
  return { graph, name: `${node.name}.${slot.path}`, tensor, node, output: slot.position };
}

/** What the descriptor of a reader says about a value. */
function descriptionOf({ dataType, sizes, strides, totalTensorSizeInBytes, source }: Value): object {
  const { node, tensor } = source;
  const guaranteedBaseOffsetAlignment = node === null ? tensor.guaranteedBaseOffsetAlignment : 0;
  return { dataType, sizes, strides, totalTensorSizeInBytes, guaranteedBaseOffsetAlignment };
}
