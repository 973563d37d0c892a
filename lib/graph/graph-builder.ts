/** Builds graphs: checks each node when it is added, and keeps what the outputs need when the graph is resolved. */
import { bitsOf } from '../tensors/data-types.js';
import { at, describe, fieldError, shorten, type DirectMLError, type Place } from '../values/errors.js';
import { reaches } from '../descriptors/feature-level.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import { isRecord, partAdvice } from '../values/given.js';
import { descriptions } from '../descriptors/tensor-reader.js';
import { resolveDescriptor } from '../operators/resolve.js';
import { namesOf, readOwn } from '../values/input.js';
import { readRequest } from '../descriptors/plain-request.js';
import { OutputRecord } from '../descriptors/output-record.js';
import type { ResolvedOperator, ResolvedTensor, TensorSlot } from '../descriptors/resolved.js';
import { strict } from '../descriptors/strict.js';
import { resolveTensor, tensorWords } from '../descriptors/tensor.js';
import { withinCopy } from './error-place.js';
import { checkName, GraphNames } from './graph-names.js';
import { maxEdges, maxNodes, maxTensors } from './limits.js';
import { checkOutput, refuseStrided4Bit } from './node-checks.js';
import { refuseLarge } from './size-check.js';
import { isDirect, resolveGraph } from './resolve-graph.js';
import type { ConstantData, ResolvedGraph } from './resolved-graph.js';
import { sourceOf, Value } from './value.js';
import { OutputSource, rootOf, type BuiltNode, type ValueSource } from './value-source.js';

/** The feature level from which on DirectML has graphs. */
const graphFeatureLevel: FeatureLevel = '2.1';

const CODE = 'ERR_INVALID_GRAPH';
const ownValue = 'a value of this graph';
const identity: OperatorType = 'elementWiseIdentity';
const valueKind = { is: (value: unknown): value is Value => Value.is(value), textOf: ({ layoutText }: Value) => layoutText };

interface GraphHooks {
  /** What the values name as their graph. Default: the builder. */
  readonly graph?: object;
  /** How to get a value of the graph from the given object; undefined if unknown. */
  readonly advice: (given: unknown) => string | undefined;
  /** True for an object that describes a tensor but has data. */
  readonly isTensor: (given: unknown) => boolean;
  /** True if inputs that nothing uses are left out, instead of being a mistake. */
  readonly allowsUnusedInputs?: boolean;
  /** Throws if the device cannot run the operator. */
  readonly check: (operator: ResolvedOperator) => void;
}

const noHooks: GraphHooks = { advice: () => undefined, isTensor: () => false, check: () => undefined };

export class GraphBuilder {
  readonly featureLevel: FeatureLevel;
  readonly #hooks: GraphHooks;
  readonly #graph: object;
  readonly #names: GraphNames;
  readonly #inputs: ValueSource[] = [];
  readonly #data = new Map<ValueSource, ConstantData>();
  readonly #nodes: BuiltNode[] = [];
  /** By the text of their descriptors. Equal nodes share one. */
  readonly #operators = new Map<string, NodeOperator>();
  /** The inputs and constants that a node reads. */
  readonly #used = new Set<ValueSource>();
  /** The operators of {@link #copyOf}, by the layout that they copy. */
  readonly #copies = new Map<string, ResolvedOperator>();
  #edgeCount = 0;
  #recomputations = 0;
  /** Of the nodes that are being added. */
  #recomputation = 0;

  constructor(featureLevel: FeatureLevel, hooks: GraphHooks = noHooks) {
    if (!reaches(featureLevel, graphFeatureLevel)) {
      const place = { operator: 'createGraph', field: 'featureLevel' };
      throw fieldError('ERR_FEATURE_LEVEL', place, `feature level ${graphFeatureLevel} for graphs`, featureLevel);
    }
    this.featureLevel = featureLevel;
    this.#hooks = hooks;
    this.#graph = hooks.graph ?? this;
    this.#names = new GraphNames(this.#graph);
  }

  input(given: unknown, desc: unknown): Value {
    const method = 'graph.input';
    const advice = () => 'graph.input(name, { dataType, sizes })';
    if (typeof given !== 'string') {
      throw fieldError(CODE, { operator: method, field: 'name' }, 'a name', describe(given), { why: advice() });
    }
    const words = { ...tensorWords, advice };
    const tensor = resolveTensor(desc, { operator: method, field: '' }, 'any', this.featureLevel, undefined, words);
    if (tensor.flags === 'ownedByDml') {
      const why = 'graph.constant makes a tensor that is given once';
      const place = { operator: method, field: 'flags' };
      throw strict('graph-owned-inputs', fieldError('ERR_FIELD_COMBINATION', place, `'none'`, `'ownedByDml'`, { why }));
    }
    this.#checkRoom(method);
    // Only after reading the description, which can run code that takes the name.
    const name = this.#names.check(given, { operator: method, field: 'name' });
    const source = { graph: this.#graph, name, tensor, node: null, output: 0 };
    this.#names.add(source);
    this.#inputs.push(source);
    return new Value(tensor.dataType, tensor, source);
  }

  /** `read` returns the data for a constant with this description. */
  constant(given: unknown, desc: unknown, read: (tensor: ResolvedTensor) => ConstantData): Value {
    const method = 'graph.constant';
    const advice = (value: unknown) =>
      partAdvice(value, this.#hooks.isTensor) ?? 'graph.constant({ dataType, sizes }, data), or graph.constant(tensor)';
    const words = { ...tensorWords, advice };
    const tensor = resolveTensor(desc, { operator: method, field: '' }, 'any', this.featureLevel, undefined, words);
    const data = read(tensor);
    this.#checkRoom(method);
    const name = this.#names.choose(given, 'constant', method);
    const source = { graph: this.#graph, name, tensor, node: null, output: 0 };
    this.#names.add(source);
    this.#data.set(source, data);
    return new Value(tensor.dataType, tensor, source);
  }

  /** Validates the descriptor and adds a node. Returns the outputs by field name. */
  add(descriptor: unknown, given?: unknown): Outputs {
    const request = readRequest(descriptor, valueKind);
    const known = request === null ? undefined : this.#operators.get(request.key);
    if (request !== null && known !== undefined) return this.#addNode(known, request.tensors, given);
    const values = new Map<string, unknown>();
    const operator = nodeOperator(this.#resolve(descriptor, values), values);
    const outputs = this.#addNode(operator, values, given);
    if (request !== null) this.#operators.set(request.key, operator);
    return outputs;
  }

  /** `values` has those of the descriptor by path. */
  #addNode({ operator, reads, writes, paths }: NodeOperator, values: ReadonlyMap<string, unknown>, given: unknown): Outputs {
    const { type } = operator.descriptor;
    const inputs = reads.map((slot) => this.#inputFor(slot, values.get(slot.path), type));
    if (this.#nodes.length >= maxNodes) {
      throw fieldError(CODE, { operator: type, field: '' }, `at most ${maxNodes} nodes`, 'more');
    }
    if (this.#edgeCount + inputs.length > maxEdges) {
      throw fieldError(CODE, { operator: type, field: '' }, `at most ${maxEdges} inputs of nodes`, 'more');
    }
    const name = this.#names.choose(given, type, type, paths);
    const node = { number: this.#nodes.length, name, operator, inputs, recomputation: this.#recomputation };
    this.#nodes.push(node);
    this.#edgeCount += inputs.length;
    for (const input of inputs) if (input?.node === null) this.#used.add(rootOf(input));
    this.#names.add(node);
    const record = new OutputRecord<Value>();
    for (const { slot, tensor } of writes) {
      record.add(slot, new Value(tensor.dataType, tensor, new OutputSource(this.#graph, node, slot, tensor)));
    }
    return record.outputs;
  }

  /** The nodes that `work` adds are not joined with equal ones from before. */
  recompute<T>(work: () => T): T {
    const before = this.#recomputation;
    this.#recomputation = ++this.#recomputations;
    try {
      return work();
    } finally {
      this.#recomputation = before;
    }
  }

  /** The value with this name; undefined if there is none. */
  valueOf(name: string): Value | undefined {
    const source = this.#names.get(name);
    return source === undefined ? undefined : new Value(source.tensor.dataType, source.tensor, source);
  }

  has(name: string): boolean {
    return this.#names.get(name) !== undefined;
  }

  /** The error for a name that no value of the graph has. */
  unknownValue(name: string, place: Place): DirectMLError {
    return this.#names.unknown(name, place);
  }

  /** The graph that computes the outputs, which are values by name. Nodes that no output needs are left out. */
  resolve(outputs: unknown, method = 'graph.compile'): ResolvedGraph {
    const wanted = this.#readOutputs(outputs, method);
    this.#refuseUnused(wanted, method);
    const nameCopy = this.#names.spare(identity, ['outputTensor']);
    const nodes = [...this.#nodes];
    const results = wanted.map(({ name, value, place }) => {
      if (isDirect(value)) return { name, value, source: rootOf(sourceOf(value)) };
      const copy = this.#copyOf(value, nodes.length, nameCopy, place);
      nodes.push(copy.node);
      return { name, value, source: copy };
    });
    const graph = resolveGraph({ inputs: this.#inputs, constants: this.#data, nodes }, results);
    refuseLarge(graph, { operator: method, field: 'outputs' });
    return graph;
  }

  /** The inputs, and the numbers of constants and nodes. */
  get contents(): { readonly inputs: readonly ValueSource[]; readonly constants: number; readonly nodes: number } {
    return { inputs: this.#inputs, constants: this.#data.size, nodes: this.#nodes.length };
  }

  /** An input that no node reads, and that is not an output, is a mistake. */
  #refuseUnused(wanted: readonly WantedOutput[], method: string): void {
    if (this.#hooks.allowsUnusedInputs === true) return;
    const sources = new Set(wanted.map(({ value }) => rootOf(sourceOf(value))));
    const unused = this.#inputs.find((input) => !this.#used.has(input) && !sources.has(input));
    if (unused === undefined) return;
    const place = { operator: method, field: `inputs.${shorten(unused.name)}` };
    throw strict('graph-unused-input', fieldError(CODE, place, 'an input that a node reads', 'one that nothing uses'));
  }

  /** Validates a descriptor. Collects the values of its tensor fields by path. */
  #resolve(descriptor: unknown, values: Map<string, unknown>): ResolvedOperator {
    const describeValue = (value: unknown, place: Place): unknown => {
      values.set(place.field, value);
      if (Value.is(value)) return descriptionOf(value);
      if (this.#hooks.isTensor(value)) throw this.#noValue(value, place);
      return value;
    };
    const input = { ...tensorWords, expected: ownValue, advice: this.#hooks.advice };
    const tensors = { ...descriptions, describe: describeValue, input, inputs: 'an array of values of this graph' };
    return this.#check(resolveDescriptor(descriptor, this.featureLevel, 'graph.add', tensors));
  }

  /** @throws {DirectMLError} if the operator cannot be a node. */
  #check(operator: ResolvedOperator): ResolvedOperator {
    this.#hooks.check(operator);
    for (const slot of operator.slots) refuseStrided4Bit(slot, operator.descriptor.type);
    return operator;
  }

  #readOutputs(outputs: unknown, method: string): readonly WantedOutput[] {
    const place = { operator: method, field: 'outputs' };
    if (!isRecord(outputs)) {
      const expected = 'an object with a value per output, such as { y: value }';
      throw fieldError('ERR_INVALID_ARGUMENT', place, expected, describe(outputs));
    }
    const names = namesOf(outputs, place, 'ERR_INVALID_ARGUMENT');
    if (names.length === 0) throw fieldError(CODE, place, 'at least one output', 'none');
    if (names.length > maxTensors) throw fieldError(CODE, place, `at most ${maxTensors} outputs`, `${names.length}`);
    return names.map((name) => {
      const here = at(place, shorten(name));
      const value = readOwn(outputs, name, place, 'ERR_INVALID_ARGUMENT');
      const taken = this.#names.get(name);
      if (taken?.node === null && !this.#data.has(taken)) {
        throw strict('graph-output-names', fieldError(CODE, here, 'a name of its own', 'the name of an input'));
      }
      return { name: checkName(name, here), value: this.#own(value, here), place: here };
    });
  }

  /** The source of an input; null for one that the descriptor does not have. */
  #inputFor({ path, tensor }: TensorSlot, given: unknown, type: OperatorType): ValueSource | null {
    return tensor === null ? null : sourceOf(this.#own(given, { operator: type, field: path }));
  }

  #own(value: unknown, place: Place): Value {
    if (!Value.is(value)) throw this.#noValue(value, place);
    if (sourceOf(value).graph !== this.#graph) throw fieldError(CODE, place, ownValue, `another graph's`);
    return value;
  }

  #noValue(given: unknown, place: Place): DirectMLError {
    return fieldError(CODE, place, ownValue, describe(given), { why: this.#hooks.advice(given) });
  }

  #checkRoom(method: string): void {
    if (this.#inputs.length + this.#data.size < maxTensors) return;
    throw fieldError(CODE, { operator: method, field: '' }, `at most ${maxTensors} inputs and constants`, 'more');
  }

  /** A packed copy of a value, for an output that no node writes in this layout. */
  #copyOf(value: Value, number: number, nameCopy: () => string, place: Place): OutputSource {
    if (bitsOf(value.dataType) === 4) {
      const given = `'${shorten(value.name)}', of which the output is a copy`;
      throw fieldError('ERR_DATA_TYPE', place, 'the output of a node', given, { why: `no operator copies ${value.dataType}` });
    }
    const descriptor = { type: identity, inputTensor: descriptionOf(value) };
    const known = this.#copies.get(value.layoutText);
    const operator = known ?? withinCopy(place, () => this.#check(resolveDescriptor(descriptor, this.featureLevel)));
    this.#copies.set(value.layoutText, operator);
    const slot = operator.slots.find(({ role }) => role === 'output');
    if (slot?.tensor === undefined || slot.tensor === null) throw new TypeError('an identity has an output');
    const node = { number, name: nameCopy(), operator, inputs: [sourceOf(value)], recomputation: 0 };
    return new OutputSource(this.#graph, node, slot, slot.tensor);
  }
}

/** The values of a node's outputs by field. */
type Outputs = Readonly<Record<string, Value | readonly Value[]>>;

/** An operator of nodes, and what each of these nodes reads and writes. */
interface NodeOperator {
  readonly operator: ResolvedOperator;
  readonly reads: readonly TensorSlot[];
  readonly writes: readonly Written[];
  /** Those of `writes`. */
  readonly paths: readonly string[];
}

/** An output that the descriptor has. */
interface Written {
  readonly slot: TensorSlot;
  readonly tensor: ResolvedTensor;
}

/** An output of `resolve`, as the user gave it. */
interface WantedOutput {
  readonly name: string;
  readonly value: Value;
  readonly place: Place;
}

/** @throws {DirectMLError} if an output of the operator cannot be that of a node. `values` has what the descriptor has, by path. */
function nodeOperator(operator: ResolvedOperator, values: ReadonlyMap<string, unknown>): NodeOperator {
  const reads: TensorSlot[] = [];
  const writes: Written[] = [];
  for (const slot of operator.slots) {
    const { role, path, tensor } = slot;
    if (role === 'input') {
      reads.push(slot);
      continue;
    }
    const place = { operator: operator.descriptor.type, field: path };
    if (Value.is(values.get(path))) {
      throw fieldError(CODE, place, 'a description: add makes the values of outputs', 'a value');
    }
    if (tensor === null) continue;
    checkOutput(tensor, place);
    writes.push({ slot, tensor });
  }
  return { operator, reads, writes, paths: writes.map(({ slot }) => slot.path) };
}

/** What the descriptor of a reader says about a value. */
function descriptionOf(value: Value): object {
  const { dataType, sizes, strides, totalTensorSizeInBytes } = value;
  const { node, tensor } = sourceOf(value);
  const guaranteedBaseOffsetAlignment = node === null ? tensor.guaranteedBaseOffsetAlignment : 0;
  return { dataType, sizes, strides, totalTensorSizeInBytes, guaranteedBaseOffsetAlignment };
}
