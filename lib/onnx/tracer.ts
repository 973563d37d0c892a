/**
 * Follows the nodes of a model and adds operators to a graph. What depends on constants only is computed at once, in memory. Where
 * a node needs elements that only a run has, the trace stops with a request: the graph so far runs, and the trace goes on with the
 * answer in the next graph.
 */
import type { Graph } from '../api/graphs/graph.js';
import { bitsOf } from '../tensors/data-types.js';
import { fieldError, shorten } from '../values/errors.js';
import { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf, spanInBytes } from '../tensors/tensor-size.js';
import { controlFlow } from './control-flow.js';
import { evaluator } from './evaluate.js';
import { Node } from './node.js';
import {
  DeviceData,
  HostData,
  isHost,
  numbersOf,
  Output,
  sizesOf,
  type HostOperand,
  type Item,
  type Layout,
  type Operand,
} from './operand.js';
import { operators } from './operators/index.js';
import {
  inNode,
  Request,
  Unknown,
  unsupported,
  type Compute,
  type Emitter,
  type Environment,
  type Interpreter,
  type Recipe,
  type Scope,
  type Trace,
} from './tracing.js';
import type { NodePlacement } from './types.js';
import type { Lowering } from './operators/lowering.js';
import { readsOf, type AttributeProto, type FunctionProto, type NodeProto } from './proto.js';

/** A constant is computed with in memory up to this size in bytes; larger ones stay in the graph. */
const mostFolded = 2 ** 24;
/** Elements that only a run has are computed with in memory up to this number, as sizes are. More of them go to the device. */
export const mostSupplied = 8;
/** More nodes than any unrolled loop of a real model has. */
const mostNodes = 100_000;

/** A placement that is still being made. */
type Placed = { -readonly [Key in keyof NodePlacement]: NodePlacement[Key] } & { readonly operators: string[] };

export class Tracer implements Emitter, Interpreter {
  readonly environment: Environment;
  /** All scopes that are open, the innermost last. */
  readonly scopes: Scope[] = [];
  graph: Graph;
  /** The values of the current graph, by their data. */
  #values = new Map<object, Value>();
  /** Where runs keep the elements between graphs. */
  readonly slots = new Map<DeviceData, string>();
  /** The slots of inputs in whose memory outputs are, by the data of these. */
  readonly appended = new Map<DeviceData, string>();
  /** The elements that were asked for. */
  readonly #known = new Map<DeviceData, HostData>();
  /** The answers that the current node has got, and how many it has used in this attempt. */
  #answers: (readonly HostOperand[])[] = [];
  #used = 0;
  #nodes = 0;
  /** The tensors in memory that only a run has, in the order in which the trace met them. */
  readonly supplied: HostOperand[] = [];
  /** How each run computes those that it is not given, in order. */
  readonly recipes: Recipe[] = [];
  readonly #placed = new Map<NodeProto, Placed>();
  /** The number of graphs before the current one. */
  graphsBefore = 0;
  /** The node that is followed now, as far as it is the model's own. */
  #current: NodeProto | null = null;
  #isCalling = false;
  /** Items of loops that have no names. */
  readonly #held = new Set<() => readonly Item[]>();

  constructor(environment: Environment, graph: Graph) {
    this.environment = environment;
    this.graph = graph;
  }

  /** Goes on in another graph, whose inputs are the slots of the runs. */
  continueIn(graph: Graph): void {
    this.graph = graph;
    this.graphsBefore += 1;
    this.#values = new Map();
  }

  /** What has become of the nodes until now. */
  get placed(): readonly NodePlacement[] {
    return [...this.#placed.values()];
  }

  /** The current node needs elements that the graph computes. */
  noteCut(): void {
    this.#note((record) => (record.why ??= 'JavaScript reads a size, a condition or a position that the graph before computes'));
  }

  #note(change: (record: Placed) => void): void {
    const record = this.#current && this.#placed.get(this.#current);
    if (record) change(record);
  }

  /** Elements that the program gives: an input of the graph, or any value of it. */
  bind(operand: Operand, value: Value): void {
    this.#values.set(operand.data, value);
  }

  append(input: Operand, output: Operand): void {
    const slot = input.data instanceof DeviceData ? this.slots.get(input.data) : undefined;
    if (slot === undefined || !(output.data instanceof DeviceData)) throw new TypeError('an input of the model has room');
    this.appended.set(output.data, slot);
  }

  /** True if the elements are computed in the current graph. */
  isComputed(data: DeviceData): boolean {
    return this.#values.has(data) && !this.slots.has(data) && !this.environment.isWeight(data);
  }

  /** The operands that the rest of the model may read, whose elements are on the device. */
  live(): readonly Operand[] {
    const found = new Map<object, Operand>();
    const add = (item: Item) => {
      if (item === null) return;
      if ('items' in item) item.items.forEach(add);
      else if (!isHost(item)) found.set(item.data, item);
    };
    for (const items of this.#held) items().forEach(add);
    for (const { values, later, outer } of this.scopes) {
      for (const name of later()) add(values.get(name) ?? lookUp(outer, name) ?? null);
    }
    return [...found.values()];
  }

  hold(items: () => readonly Item[]): () => void {
    this.#held.add(items);
    return () => void this.#held.delete(items);
  }

  /** Runs the nodes, and returns the items with the names. */
  *nodes(
    nodes: readonly NodeProto[],
    outputs: readonly string[],
    scope: Scope,
    opsets = this.environment.opsets,
    attributes: ReadonlyMap<string, AttributeProto> = new Map(),
  ): Trace<Item[]> {
    const around = this.#current;
    let next = 0;
    scope.later = () => [...nodes.slice(next).flatMap(readsOf), ...outputs];
    this.scopes.push(scope);
    for (const proto of nodes) {
      if (!this.#isCalling) this.#enterNode(proto);
      const made = yield* this.#node(this.#resolved(proto, attributes), scope, opsets);
      for (const [i, name] of proto.outputs.entries()) if (name !== '') scope.values.set(name, made[i] ?? null);
      next += 1;
    }
    const results = outputs.map((name) => this.find(scope, name));
    this.#current = around;
    this.scopes.pop();
    return results;
  }

  #enterNode(proto: NodeProto): void {
    const { name, opType } = proto;
    this.#current = proto;
    if (!this.#placed.has(proto))
      this.#placed.set(proto, { name, opType, graph: null, operators: [], isOnHost: false, why: null });
  }

  find(scope: Scope, name: string): Item {
    if (name === '') return null;
    const item = lookUp(scope, name);
    if (item === undefined) {
      const place = { operator: 'model', field: `'${shorten(name)}'` };
      throw fieldError('ERR_INVALID_FILE', place, 'a value that a node before computes', 'none');
    }
    return item;
  }

  /** The attributes of a node in a function that refer to those of its caller. */
  #resolved(proto: NodeProto, given: ReadonlyMap<string, AttributeProto>): NodeProto {
    if (![...proto.attributes.values()].some(({ reference }) => reference !== '')) return proto;
    const attributes = new Map<string, AttributeProto>();
    for (const [name, attribute] of proto.attributes) {
      const found = attribute.reference === '' ? attribute : given.get(attribute.reference);
      if (found !== undefined) attributes.set(name, found);
    }
    return { ...proto, attributes };
  }

  *#node(proto: NodeProto, scope: Scope, opsets: ReadonlyMap<string, number>): Trace<readonly Item[]> {
    if (++this.#nodes > mostNodes) throw new RangeError(`there are more than ${mostNodes} nodes to run`);
    const inputs = proto.inputs.map((name) => this.find(scope, name));
    const node = new Node(this, proto, inputs, opsets);
    const key = proto.domain === '' ? proto.opType : `${proto.domain}:${proto.opType}`;
    try {
      const flow = controlFlow[key];
      if (flow !== undefined) return yield* flow(node, this, scope);
      const lower = Object.hasOwn(operators, key) ? operators[key] : undefined;
      if (lower === undefined) {
        const called = this.environment.functions.get(`${proto.domain}:${proto.opType}`);
        if (called !== undefined) return yield* this.#call(called, node);
        throw unsupported('the operator', `${key} of opset ${node.opset}`);
      }
      return yield* this.attempt(() => asList(lower(node)));
    } catch (error) {
      throw inNode(error, proto);
    }
  }

  /** Calls the function again, with the answers to its requests, until it has none. */
  *attempt<T>(work: () => T): Trace<T> {
    const before = this.#answers;
    this.#answers = [];
    const placed = this.#current && this.#placed.get(this.#current);
    const count = placed?.operators.length ?? 0;
    for (;;) {
      this.#used = 0;
      if (placed) placed.operators.length = count;
      try {
        const result = work();
        this.#answers = before;
        return result;
      } catch (request) {
        if (!(request instanceof Request)) throw request;
        const answer = yield request;
        if (request.compute !== null) this.#answers.push(answer);
        else for (const [i, { data }] of request.operands.entries()) this.#learn(data, answer[i]);
      }
    }
  }

  #learn(data: object, answer: HostOperand | undefined): void {
    if (data instanceof DeviceData && answer !== undefined) this.#known.set(data, answer.data);
  }

  *#call(called: FunctionProto, node: Node): Trace<readonly Item[]> {
    if (this.scopes.length > 256) throw new RangeError('functions call each other without end');
    const values = new Map(called.inputs.map((name, i) => [name, node.item(i)]));
    const attributes = new Map([...called.defaults, ...node.proto.attributes]);
    const scope: Scope = { values, outer: null, later: () => [] };
    const before = this.#isCalling;
    this.#isCalling = true;
    const results = yield* this.nodes(called.nodes, called.outputs, scope, called.opsets, attributes);
    this.#isCalling = before;
    return results;
  }

  onHost(operand: Operand): HostOperand {
    const data = isHost(operand) ? operand.data : this.#known.get(operand.data as DeviceData);
    if (data === undefined) throw new Request([operand]);
    if (data.supply?.isUnknown === true) throw new Unknown();
    if (data.supply !== null) data.supply.isConsulted = true;
    return { ...operand, data };
  }

  compute(operands: readonly Operand[], work: Compute): readonly Operand[] {
    const given = operands.filter(isHost);
    if (given.length === operands.length) return this.#derive(given, work);
    this.#note((record) => {
      record.isOnHost = true;
      record.why = `DirectML has no operator for ${record.opType}`;
    });
    const answer = this.#answers[this.#used];
    this.#used += 1;
    if (answer === undefined) throw new Request(operands, work);
    return answer;
  }

  /** Computes in memory: now, and also in each run if only a run has the elements. */
  #derive(operands: readonly HostOperand[], compute: Compute): readonly HostOperand[] {
    const made = compute(operands);
    const supplies = operands.flatMap(({ data }) => data.supply ?? []);
    if (supplies.length === 0) return made;
    const isUnknown = supplies.some((supply) => supply.isUnknown);
    const mayBeSize = supplies.every((supply) => supply.mayBeSize);
    const slots: string[] = [];
    const derived = made.map((each, i) => {
      const slot = `derived.${this.recipes.length}.${i}`;
      slots.push(slot);
      return { ...each, data: new HostData(each.data.bytes, { slot, isConsulted: false, mayBeSize, isUnknown }) };
    });
    this.recipes.push({ operands, compute, slots });
    this.supplied.push(...derived);
    return derived;
  }

  add(type: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly Operand[]>> {
    const inputs: Operand[] = [];
    const outputs: Output[] = [];
    for (const field of Object.values(fields)) {
      for (const each of Array.isArray(field) ? field : [field]) {
        if (each instanceof Output) outputs.push(each);
        else if (isOperand(each)) inputs.push(each);
      }
    }
    const made = this.#isFolded(inputs, outputs) ? this.#onHost(type, fields) : this.#inGraph(type, fields);
    const results: Record<string, Operand[]> = {};
    for (const [name, field] of Object.entries(fields)) {
      const all = Array.isArray(field) ? field : [field];
      if (!(all[0] instanceof Output)) continue;
      results[name] = all.map(({ dataType, dims, isBool }: Output, i) => ({
        ...{ dataType, dims, isBool, strides: null },
        data: made(Array.isArray(field) ? `${name}[${i}]` : name, name, i, dims),
      }));
    }
    return results;
  }

  /** True for what is computed in memory: constants, and few elements that only a run has. */
  #isFolded(inputs: readonly Operand[], outputs: readonly Output[]): boolean {
    const host = inputs.filter(isHost);
    if (host.length < inputs.length) return false;
    const supplies = host.flatMap(({ data }) => data.supply ?? []);
    if (!supplies.every(({ mayBeSize }) => mayBeSize)) return false;
    const isFew = ({ dims }: Layout) => productOf(dims) <= mostSupplied;
    if (supplies.length > 0 && !(host.every(isFew) && outputs.every(isFew))) return false;
    const isSmall = ({ dataType, dims }: Output) => spanInBytes(dataType, dims, null) <= mostFolded;
    return host.every(({ data }) => data.bytes.length <= mostFolded) && outputs.every(isSmall);
  }

  #onHost(type: string, fields: Readonly<Record<string, unknown>>) {
    const inputs: [string, HostOperand][] = [];
    const outputs: [string, Output][] = [];
    const describe = (field: unknown, path: string): unknown => {
      if (field instanceof Output) {
        outputs.push([path, field]);
        return { dataType: field.dataType, sizes: sizesOf(field.dims) };
      }
      if (!isOperand(field) || !isHost(field)) return field;
      inputs.push([path, field]);
      return descriptionOf(field);
    };
    const evaluate = evaluator({ type, ...mapFields(fields, describe) });
    const operands = inputs.map(([, operand]) => operand);
    const made = this.#derive(operands, (given) => {
      const results = evaluate(new Map(inputs.map(([path, own], i) => [path, (given[i] ?? own).data.bytes])));
      return outputs.map(([path, { dataType, dims, isBool }]) => {
        return { dataType, dims, isBool, strides: null, data: new HostData(results.get(path) ?? new Uint8Array()) };
      });
    });
    const data = new Map(outputs.map(([path], i) => [path, made[i]?.data]));
    return (path: string) => data.get(path) ?? new HostData(new Uint8Array());
  }

  #inGraph(type: string, fields: Readonly<Record<string, unknown>>) {
    const describe = (field: unknown): unknown => {
      if (isOperand(field)) return this.valueOf(field);
      if (field instanceof Output) return { dataType: field.dataType, sizes: sizesOf(field.dims) };
      return field;
    };
    const outputs = this.graph.addAny({ type, ...mapFields(fields, describe) });
    this.#note((record) => {
      record.graph ??= this.graphsBefore;
      record.operators.push(type);
    });
    return (_path: string, name: string, i: number, dims: readonly number[]) => {
      const found = outputs[name];
      const value: unknown = Array.isArray(found) ? found[i] : found;
      if (!Value.is(value)) throw new TypeError(`${type} has no ${name}`);
      const data = new DeviceData(sizesOf(dims));
      this.#values.set(data, value);
      return data;
    };
  }

  /** The operand as a value of the current graph. */
  valueOf(operand: Operand): Value {
    const base = this.#values.get(operand.data) ?? this.#enter(operand);
    const { strides } = operand;
    const sizes = sizesOf(operand.dims);
    if (strides === null && sizes.join() === base.sizes.join()) return base;
    return base.view({ sizes, strides: strides === null ? null : operand.dims.length === 0 ? [1] : strides });
  }

  /** Elements from memory or from earlier graphs. */
  #enter({ data, dataType }: Operand): Value {
    const value = this.#constantOf(data, dataType) ?? this.#inputOf(data, dataType);
    this.#values.set(data, value);
    return value;
  }

  /** Undefined for elements that only a run has. A single number is in the graph itself, where it can become a parameter. */
  #constantOf(data: HostData | DeviceData, dataType: DataType): Value | undefined {
    if (data instanceof HostData && data.supply !== null) return undefined;
    if (
      data instanceof HostData &&
      (dataType === 'float32' || dataType === 'float16') &&
      data.bytes.length * 8 === bitsOf(dataType)
    ) {
      const [number = NaN] = numbersOf({ dataType, isBool: false, dims: [1], strides: null, data });
      return this.graph.numberOf({ operator: 'model', field: '' }, dataType, number, [1]);
    }
    const weight = this.environment.weight(data, dataType);
    return weight && this.graph.constantOf(weight);
  }

  #inputOf(data: HostData | DeviceData, dataType: DataType): Value {
    const isOnHost = data instanceof HostData;
    const slot = isOnHost ? data.supply?.slot : this.slots.get(data);
    if (slot === undefined) throw new TypeError('no graph has computed it');
    const sizes = isOnHost ? [(data.bytes.length * 8) / bitsOf(dataType)] : data.sizes;
    return this.graph.inputOf(slot, { dataType, sizes });
  }
}

function lookUp(scope: Scope | null, name: string): Item | undefined {
  for (let each = scope; each !== null; each = each.outer) {
    const item = each.values.get(name);
    if (item !== undefined || each.values.has(name)) return item;
  }
  return undefined;
}

function mapFields(fields: Readonly<Record<string, unknown>>, map: (field: unknown, path: string) => unknown): object {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined || field === null) continue;
    result[name] = Array.isArray(field) ? field.map((each, i) => map(each, `${name}[${i}]`)) : map(field, name);
  }
  return result;
}

function descriptionOf({ dataType, dims, strides }: Operand): object {
  const sizes = sizesOf(dims);
  return strides === null ? { dataType, sizes } : { dataType, sizes, strides: dims.length === 0 ? [1] : strides };
}

function isOperand(field: unknown): field is Operand {
  return typeof field === 'object' && field !== null && 'data' in field && 'dims' in field;
}

function asList(made: ReturnType<Lowering>): readonly Item[] {
  const isList = (each: typeof made): each is readonly (Item | undefined)[] => Array.isArray(each);
  return isList(made) ? made.map((item) => item ?? null) : [made];
}
