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
import { resolveTensor } from '../validation/tensor.js';
import { minimumTensorSizeInBytes, sameStrides } from '../validation/tensor-size.js';
import type { GraphConstant, GraphNode, GraphSource, NamedTensor, ResolvedGraph } from './resolved-graph.js';
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
      throw fieldError('ERR_FIELD_COMBINATION', { operator: method, field: 'flags' }, `'none'`, `'ownedByDml'`, { why });
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

  /** The data of a constant; undefined if there is none. */
  dataOf(source: ValueSource): unknown {
    return this.#data.get(source);
  }

  /** The graph that computes the outputs, which are values by name. Nodes that no output needs are left out. */
  resolve(outputs: unknown, method = 'graph.compile'): ResolvedGraph {
    const wanted = this.#readOutputs(outputs, method);
    for (const input of this.#inputs) {
      const isOutput = wanted.some(({ value }) => value.source === input);
      if (this.#used.has(input) || isOutput) continue;
      throw fieldError(
        CODE,
        { operator: method, field: `inputs.${input.name}` },
        'an input that a node reads',
        'one that nothing uses',
      );
    }
    const results = wanted.map(({ name, value }) => ({
      name,
      value,
      source: isDirect(value) ? value.source : this.#copyOf(value),
    }));
    const reached = reachedFrom(results.map(({ source }) => source));
    const nodes = this.#nodes.filter((node) => reached.nodes.has(node));
    nodes.push(...results.flatMap(({ value, source }) => (source !== value.source && source.node !== null ? [source.node] : [])));
    const inputs = this.#inputs.filter((input) => reached.sources.has(input));
    const constants = [...this.#data.keys()].filter((constant) => reached.sources.has(constant));
    const sourceOf = indexed(inputs, constants, nodes);
    return {
      inputs: inputs.map(named),
      constants: constants.map((constant): GraphConstant => ({ ...named(constant), data: this.#data.get(constant) })),
      nodes: nodes.map(({ name, operator, inputs: own }): GraphNode => ({
        name,
        operator,
        inputs: own.map((source) => (source === null ? null : sourceOf(source))),
      })),
      outputs: results.map(({ name, value, source }) => {
        const found = sourceOf(source);
        if (found.kind !== 'node') throw new TypeError('an output is the output of a node');
        return { name, tensor: source === value.source ? layoutOf(value) : source.tensor, source: found };
      }),
    };
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
      if (this.#inputs.some((input) => input.name === name)) {
        throw fieldError(CODE, here, 'a name of its own', 'the name of an input');
      }
      if (name === '' || name.length > maxNameLength) throw badName(here, name);
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
    const { source } = this.#own(given, place);
    this.#used.add(source);
    return source;
  }

  #own(value: unknown, place: Place): Value {
    if (!Value.is(value)) {
      throw fieldError(CODE, place, 'a value of this graph', describe(value));
    }
    if (value.source.graph !== this) throw fieldError(CODE, place, 'a value of this graph', `another graph's`);
    return value;
  }

  #addNode(node: BuiltNode): Readonly<Record<string, Value | readonly Value[]>> {
    this.#nodes.push(node);
    this.#names.set(node.name, null);
    const record = new OutputRecord<Value>();
    for (const slot of node.operator.slots) {
      if (slot.role === 'input' || slot.tensor === null) continue;
      const source = this.#register(outputOf(this, node, slot, slot.tensor));
      record.add(slot, new Value(slot.tensor.dataType, slot.tensor, source));
    }
    return record.outputs;
  }

  /** A packed copy of a value, for an output that no node writes in this layout. */
  #copyOf(value: Value): ValueSource {
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
    if (this.#names.has(name)) throw fieldError(CODE, place, 'a name that the graph does not have yet', describe(name));
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
  return fieldError(CODE, place, `a name of 1 to ${maxNameLength} characters`, describe(name));
}

/** @throws {DirectMLError} if DirectML could not put the output where it plans the memory of a graph. */
function checkOutput(tensor: ResolvedTensor, place: Place): void {
  const needed = minimumTensorSizeInBytes(tensor.dataType, tensor.sizes, tensor.strides);
  if (tensor.totalTensorSizeInBytes !== needed) {
    const given = `${tensor.totalTensorSizeInBytes}`;
    const why = 'a tensor inside a graph has no padding';
    throw fieldError('ERR_TENSOR_SIZE', at(place, 'totalTensorSizeInBytes'), `${needed}`, given, { why });
  }
  if (tensor.guaranteedBaseOffsetAlignment !== 0) {
    const why = 'DirectML places the tensors inside a graph';
    const given = `${tensor.guaranteedBaseOffsetAlignment}`;
    throw fieldError('ERR_FIELD_COMBINATION', at(place, 'guaranteedBaseOffsetAlignment'), '0', given, { why });
  }
}

/** DirectML refuses 4-bit tensors with gaps or in another order inside a graph, though it takes them in an operator alone. */
function refuseStrided4Bit({ path, tensor }: TensorSlot, type: OperatorType): void {
  if (tensor === null || bitsOf(tensor.dataType) !== 4 || sameStrides(tensor.sizes, tensor.strides, null)) return;
  const why = 'DirectML takes no other 4-bit tensors inside a graph';
  const place = { operator: type, field: `${path}.strides` };
  throw fieldError('ERR_STRIDES', place, 'those of a packed tensor', list(tensor.strides ?? []), { why });
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

function layoutOf({ sizes, strides, source }: Value): ResolvedTensor {
  return { ...source.tensor, sizes, strides };
}

/** True if a node writes the value in its own layout: it is no view, or both the view and what it views are packed. */
function isDirect({ sizes, strides, source: { node, tensor } }: Value): boolean {
  if (node === null) return false;
  if (sizes === tensor.sizes && strides === tensor.strides) return true;
  return sameStrides(sizes, strides, null) && sameStrides(tensor.sizes, tensor.strides, null);
}

function named({ name, tensor }: ValueSource): NamedTensor {
  return { name, tensor };
}

/** The nodes on which the sources depend, and the inputs and constants that these read. */
function reachedFrom(outputs: readonly ValueSource[]): { readonly nodes: Set<BuiltNode>; readonly sources: Set<ValueSource> } {
  const nodes = new Set<BuiltNode>();
  const sources = new Set<ValueSource>();
  const waiting = [...outputs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const { node } = source;
    if (node === null) sources.add(source);
    if (node === null || nodes.has(node)) continue;
    nodes.add(node);
    for (const input of node.inputs) if (input !== null) waiting.push(input);
  }
  return { nodes, sources };
}

/** A function that gives the index of a source. */
function indexed(
  inputs: readonly ValueSource[],
  constants: readonly ValueSource[],
  nodes: readonly BuiltNode[],
): (source: ValueSource) => GraphSource {
  const leaves = new Map<ValueSource, GraphSource>();
  for (const [index, input] of inputs.entries()) leaves.set(input, { kind: 'input', index });
  for (const [index, constant] of constants.entries()) leaves.set(constant, { kind: 'constant', index });
  const numbers = new Map(nodes.map((node, index) => [node, index]));
  return (source) => {
    const index = source.node === null ? undefined : numbers.get(source.node);
    const found = index === undefined ? leaves.get(source) : { kind: 'node' as const, index, output: source.output };
    if (found === undefined) throw new TypeError(`no source ${source.name}`);
    return found;
  };
}
