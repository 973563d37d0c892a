/** A model on a device: a function of tensors, and of values of graphs. */
import { addToScope } from '../api/scope.js';
import { fromCaller } from '../api/call-site.js';
import type { DeviceContext } from '../api/device-context.js';
import { Graph, graphIn } from '../api/graphs/graph.js';
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import type { GraphOptions } from '../api/graphs/graph-options.js';
import { settleTree } from '../api/graphs/jit-trees.js';
import { Tensor } from '../api/memory/tensor.js';
import { RecentlyUsed } from '../api/recently-used.js';
import { bitsOf, isDataType, isFloat } from '../tensors/data-types.js';
import { define } from '../values/define.js';
import { describe, DirectMLError, fieldError, list, shorten, type Place } from '../values/errors.js';
import { invalidFile } from '../files/file-reader.js';
import { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError } from '../values/arguments.js';
import { namesOf } from '../values/input.js';
import { productOf } from '../tensors/tensor-size.js';
import { elementTypeName, elementTypeOf } from './element-types.js';
import { empty } from './make-data.js';
import {
  DeviceData,
  HostData,
  isHost,
  Sequence,
  sizesOf,
  type HostOperand,
  type Item,
  type Layout,
  type Operand,
} from './operand.js';
import { isList, Plan, supplyOf, type Computed, type Placement, type PlanSource, type Result } from './plan.js';
import type { ModelProto, TensorProto, ValueProto } from './proto.js';
import { mostSupplied, Tracer } from './tracer.js';
import type { Scope, Sums, Trace } from './tracing.js';
import { tensorOn, type Weights } from './weights.js';

/** An input or an output of a model. */
export interface OnnxValue {
  readonly name: string;
  /** The data type in ONNX, such as `float32`, `bool` or `string`; or `sequence`, `optional` or `other` for what is no tensor. */
  readonly type: string;
  /** Sizes, names of dimensions, and null for those without a name; undefined if the model does not say how many there are. */
  readonly dims: readonly (number | string | null)[] | undefined;
}

/** What a run of a model takes for an input: a sequence has several tensors. */
export type OnnxInput = Tensor | EmptyTensor | readonly (Tensor | EmptyTensor)[] | null;

/** A tensor without elements, which DirectML does not have. */
export interface EmptyTensor {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
}

/** What a run of a model gives for an output: an array for a sequence, null for an optional without a value. */
export type OnnxResult = Tensor | EmptyTensor | readonly (Tensor | EmptyTensor)[] | null;

/**
 * The outputs of a call: a promise of all of them by name, which also has a promise of each by its name. The results of a model
 * thus go into functions of operators as they are: `softmax(model({ pixels }).logits)`.
 */
export type OnnxCall<Names extends string = string> = Promise<Readonly<Record<Names, Tensor>>> &
  Readonly<Record<Names, Promise<Tensor>>>;

/**
 * A model as a function. Called with values of a graph, as in a function of `device.jit`, it adds its nodes to that graph.
 * Called with tensors, it runs. `Names` are the names of its outputs, if the program states them.
 */
export interface OnnxModel<Names extends string = string> {
  (inputs: Readonly<Record<string, Value>>): Readonly<Record<Names, Value>>;
  (inputs: Readonly<Record<string, OnnxInput | Promise<Tensor>>>): OnnxCall<Names>;

  /**
   * Computes the outputs. The first run with other sizes of inputs compiles graphs for them, which are kept.
   *
   * @param inputs By name. A tensor for a single number has the sizes `[1]`.
   * @returns By name. Dispose of the tensors when you no longer need them. Most outputs are tensors. State the type of those that
   * may be a sequence (an array), null, or without elements: `model.run<{ boxes: OnnxResult }>(inputs)`.
   * @throws {DirectMLError} (as a rejection) ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_INVALID_ARGUMENT, ERR_DATA_TYPE,
   * ERR_DIMENSION_COUNT, ERR_SIZES; ERR_INVALID_FILE for a node that is wrong or not supported, which the error names;
   * ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  run<Outputs extends Readonly<Record<string, OnnxResult>> = Readonly<Record<Names, Tensor>>>(
    inputs: Readonly<Record<string, OnnxInput | Promise<Tensor>>>,
  ): Promise<Outputs>;

  /** Compiles the first graph for inputs with these descriptions, ahead of the run. */
  compile(inputs: Readonly<Record<string, EmptyTensor>>): Promise<void>;

  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** The compiled graphs, for their memory and their times in a profile. */
  readonly graphs: readonly CompiledGraph[];

  /** Frees the weights and the graphs. Runs that are called later fail. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** The elements of an input in memory; null if no run has given them yet. */
export class Elements implements EmptyTensor {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array | null;

  constructor(dataType: DataType, sizes: readonly number[], bytes: Uint8Array | null) {
    this.dataType = dataType;
    this.sizes = sizes;
    this.bytes = bytes;
  }
}

/** Gives a tensor its data and its slot; null for what the call does not take. */
type Enter = (
  tensor: Tensor | Value | EmptyTensor,
) => { readonly data: HostData | DeviceData; readonly slot: string | null } | null;

/** The size of a named dimension, and the input that has it. */
interface KnownSize {
  readonly size: number;
  readonly input: string;
}

export interface ModelSettings {
  /** Default: `'float32'`. */
  readonly sums?: Sums | undefined;
  /** Default: `'fast'`. */
  readonly optimize?: GraphOptions['optimize'];
  /** How many sets of sizes the model keeps graphs for. Default: 64. */
  readonly maxGraphs?: number;
}

export class LoadedModel implements PlanSource {
  readonly #context: DeviceContext;
  readonly #proto: ModelProto;
  readonly #weights: Weights;
  readonly label: string;
  /** The inputs that a run must be given. */
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly #plans: RecentlyUsed<string, Plan>;
  readonly #constants = new Map<TensorProto, Operand>();
  /** The tensors of constants, which all graphs share. */
  readonly #tensors = new Map<HostData | DeviceData, Tensor>();
  readonly #settings: ModelSettings;
  #isDisposed = false;

  constructor(context: DeviceContext, proto: ModelProto, weights: Weights, settings: ModelSettings) {
    this.#context = context;
    this.#proto = proto;
    this.#weights = weights;
    this.#settings = settings;
    this.label = proto.graph.name;
    this.#plans = new RecentlyUsed(settings.maxGraphs ?? 64, (plan) => plan.retire());
    ({ inputs: this.inputs, outputs: this.outputs } = valuesOf(proto));
  }

  get graphs(): readonly CompiledGraph[] {
    return this.#plans.values.flatMap(({ nets }) => nets);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const plan of this.#plans.values) plan.dispose();
    this.#plans.clear();
    for (const tensor of [...this.#tensors.values(), ...this.#weights.tensors.values()]) tensor.dispose();
    this.#tensors.clear();
  }

  /**
   * Computes the outputs by name, and says what it followed for that.
   *
   * @param place The method, and its argument with the inputs.
   * @param given By name: tensors of this device, `Elements`, and sequences of them.
   * @param roomy Tensors with room, to which operators may append.
   */
  async compute(
    place: Place,
    given: unknown,
    roomy: ReadonlySet<unknown> = new Set(),
  ): Promise<{ readonly outputs: Map<string, Result>; readonly placement: Placement }> {
    this.check(place.operator);
    const supplied = new Map<string, Tensor | HostOperand>();
    const items = this.#itemsOf(place, given, (input) => {
      const slot = `input.${supplied.size}`;
      if (Tensor.is(input)) supplied.set(slot, input);
      else if (!(input instanceof Elements)) return null;
      else return enterElements(input, slot, supplied);
      return { data: new DeviceData(sizesOf(input.sizes), roomy.has(input)), slot };
    });
    const { results, placement } = await this.#planFor(items).run(supplied);
    return { outputs: new Map(this.#proto.graph.outputs.map(({ name }, i) => [name, results[i] ?? null])), placement };
  }

  async run(given: unknown): Promise<Readonly<Record<string, OnnxResult>>> {
    const { outputs } = await this.compute({ operator: 'model.run', field: 'inputs' }, given);
    const tensorOf = (each: Computed): Tensor | EmptyTensor => {
      if (each.dims.includes(0)) return { dataType: each.dataType, sizes: each.dims };
      return each.tensor ?? this.upload(each, each.bytes);
    };
    const resultOf = (result: Result): OnnxResult =>
      result === null ? null : isList(result) ? result.map(tensorOf) : tensorOf(result);
    return Object.fromEntries(Array.from(outputs, ([name, result]) => [name, resultOf(result)]));
  }

  /** Compiles the first graph for inputs with these descriptions. Null if it depends on elements that only a run has. */
  async prepare(place: Place, given: unknown): Promise<Placement | null> {
    this.check(place.operator);
    const supplied = new Map<string, HostOperand>();
    let count = 0;
    const items = this.#itemsOf(place, given, (input) => {
      const slot = `input.${count++}`;
      return input instanceof Elements
        ? enterElements(input, slot, supplied)
        : { data: new DeviceData(sizesOf(input.sizes)), slot };
    });
    return this.#planFor(items).prepare(supplied);
  }

  /** Adds the nodes to the graph of the values. */
  trace(given: unknown, graph: Graph): Readonly<Record<string, Value>> {
    this.check('model');
    const tracer = this.#tracer(graph);
    const items = this.#itemsOf({ operator: 'model', field: 'inputs' }, given, (value) => {
      if (!Value.is(value)) return null;
      const data = new DeviceData(value.sizes);
      const operand = { dataType: value.dataType, isBool: false, dims: value.sizes, strides: null, data };
      tracer.bind(operand, value.strides === null ? value : copied(graph, value));
      return { data, slot: null };
    });
    const trace = this.#trace(tracer, new Map([...items].map(([name, { item }]) => [name, item])));
    const turn = trace.next();
    if (turn.done !== true) {
      const why = 'what follows depends on elements that only a run has; call run with tensors';
      throw fieldError('ERR_INVALID_GRAPH', { operator: 'model', field: '' }, 'nodes with known sizes', 'others', { why });
    }
    const results: Record<string, Value> = {};
    for (const [i, { name }] of this.#proto.graph.outputs.entries()) {
      const item = turn.value[i] ?? null;
      if (item === null || item instanceof Sequence) continue;
      results[name] = tracer.valueOf(item);
    }
    return results;
  }

  // ---- what plans ask for

  begin(inputs: ReadonlyMap<string, Item>): { readonly tracer: Tracer; readonly trace: Trace<Item[]> } {
    const tracer = this.#tracer(this.#newGraph());
    const items = [...inputs.values()].flatMap((item) => (item instanceof Sequence ? item.items : (item ?? [])));
    for (const each of items) {
      const slot = inputSlots.get(each.data);
      if (isHost(each)) {
        if (each.data.supply !== null) tracer.supplied.push(each);
      } else if (slot !== undefined) tracer.slots.set(each.data as DeviceData, slot);
    }
    return { tracer, trace: this.#trace(tracer, inputs) };
  }

  continue(tracer: Tracer): void {
    tracer.continueIn(this.#newGraph());
  }

  async compile(tracer: Tracer, outputs: Readonly<Record<string, Operand>>): Promise<CompiledGraph> {
    const values: Record<string, Value> = {};
    const used = new Set<object>();
    for (const [slot, operand] of Object.entries(outputs)) {
      const isNew = operand.data instanceof DeviceData && tracer.isComputed(operand.data) && !used.has(operand.data);
      used.add(operand.data);
      const value = tracer.valueOf(operand);
      values[slot] = isNew && operand.strides === null ? value : copied(tracer.graph, value);
    }
    return tracer.graph.compile(values, { label: this.label, optimize: this.#settings.optimize ?? 'fast' });
  }

  upload({ dataType, dims }: Pick<Layout, 'dataType' | 'dims'>, bytes: Uint8Array): Tensor {
    const tensor = tensorOn(this.#context, { dataType, sizes: sizesOf(dims) }, { operator: 'model', field: '' });
    if (bytes.length > 0) tensor.buffer.write(bytes, tensor.offset);
    return tensor;
  }

  check(method: string): void {
    this.#context.check(method);
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: the model is disposed`, { operator: method });
  }

  #newGraph(): Graph {
    return new Graph(this.#context, { allowsUnusedInputs: true });
  }

  #tracer(graph: Graph): Tracer {
    return new Tracer(
      {
        sums: this.#settings.sums ?? 'float32',
        functions: this.#proto.functions,
        opsets: this.#proto.opsets,
        constant: (tensor) => this.#constant(tensor),
        weight: (data, dataType) => this.#weight(data, dataType),
        isWeight: (data) => this.#tensors.has(data),
      },
      graph,
    );
  }

  #trace(tracer: Tracer, inputs: ReadonlyMap<string, Item>): Trace<Item[]> {
    const { nodes, outputs, initializers } = this.#proto.graph;
    const constants = Array.from(initializers, ([name, tensor]) => [name, this.#constant(tensor)] as const);
    const scope: Scope = { values: new Map<string, Item>([...constants, ...inputs]), outer: null, later: () => [] };
    const names = outputs.map(({ name }) => name);
    return tracer.nodes(nodes, names, scope);
  }

  #constant(tensor: TensorProto): Operand {
    const known = this.#constants.get(tensor);
    if (known !== undefined) return known;
    const type = elementTypeOf(tensor.elementType);
    if (type === undefined) {
      const place = { operator: 'loadOnnx', field: `tensor '${shorten(tensor.name)}'` };
      throw invalidFile(place, 'a data type of DirectML', elementTypeName(tensor.elementType));
    }
    const onDevice = this.#weights.tensors.get(tensor);
    const data = onDevice === undefined ? new HostData(this.#weights.bytesOf(tensor)) : new DeviceData(onDevice.sizes);
    if (onDevice !== undefined) this.#tensors.set(data, onDevice);
    const made = { ...type, dims: tensor.dims, strides: null, data };
    this.#constants.set(tensor, made);
    return made;
  }

  #weight(data: HostData | DeviceData, dataType: DataType): Tensor | undefined {
    const known = this.#tensors.get(data);
    if (known !== undefined || data instanceof DeviceData) return known;
    const count = Math.floor((data.bytes.length * 8) / bitsOf(dataType));
    const tensor = this.upload({ dataType, dims: [count] }, data.bytes);
    this.#tensors.set(data, tensor);
    return tensor;
  }

  /** The tensor of a weight. */
  weightOf(data: object): Tensor | undefined {
    return data instanceof DeviceData ? this.#tensors.get(data) : undefined;
  }

  #planFor(items: ReadonlyMap<string, { readonly item: Item; readonly key: string }>): Plan {
    const key = Array.from(items, ([name, each]) => `${JSON.stringify(name)}:${each.key}`).join();
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = new Plan(this, new Map(Array.from(items, ([name, { item }]) => [name, item])));
    this.#plans.add(key, plan);
    return plan;
  }

  /** Checks the inputs. `enter` gives a tensor its data and its slot. */
  #itemsOf(place: Place, given: unknown, enter: Enter): ReadonlyMap<string, { readonly item: Item; readonly key: string }> {
    if (typeof given !== 'object' || given === null)
      throw argumentError(place.operator, place.field, 'an object of tensors by name', given);
    const names = namesOf(given, place, 'ERR_INVALID_ARGUMENT');
    const unknown = names.find((name) => !this.#proto.graph.inputs.some((input) => input.name === name));
    if (unknown !== undefined) {
      const expected = `one of ${this.#proto.graph.inputs.map(({ name }) => `'${shorten(name)}'`).join(', ')}`;
      throw fieldError('ERR_UNKNOWN_BINDING', place, expected, `'${shorten(unknown)}'`);
    }
    const items = new Map<string, { readonly item: Item; readonly key: string }>();
    const sizes = new Map<string, KnownSize>();
    for (const input of this.#proto.graph.inputs) {
      const at: Place = { ...place, field: `${place.field}[${JSON.stringify(shorten(input.name))}]` };
      const value: unknown = Object.hasOwn(given, input.name) ? Reflect.get(given, input.name) : undefined;
      if (value === undefined) {
        if (this.#proto.graph.initializers.has(input.name)) continue;
        throw fieldError('ERR_MISSING_BINDING', at, 'a tensor', 'nothing');
      }
      const one = (each: unknown): { item: Operand; key: string } => this.#operandOf(each, input, at, sizes, enter);
      if (value === null) items.set(input.name, { item: null, key: 'null' });
      else if (Array.isArray(value)) {
        const all = value.map(one);
        items.set(input.name, { item: new Sequence(all.map(({ item }) => item)), key: `[${all.map(({ key }) => key).join()}]` });
      } else items.set(input.name, one(value));
    }
    return items;
  }

  #operandOf(
    value: unknown,
    { name, elementType, dims }: ValueProto,
    place: Place,
    known: Map<string, KnownSize>,
    enter: Enter,
  ): { item: Operand; key: string } {
    const isTensor = Tensor.is(value) || Value.is(value);
    if (!isTensor && !isDescription(value)) throw fieldError('ERR_INVALID_ARGUMENT', place, 'a tensor', describe(value));
    const type = elementTypeOf(elementType);
    if (type !== undefined && type.dataType !== value.dataType) {
      throw fieldError('ERR_DATA_TYPE', place, `a tensor of ${type.dataType}`, value.dataType);
    }
    const given = dims?.length === 0 && productOf(value.sizes) === 1 ? [] : value.sizes;
    if (dims !== undefined) {
      if (dims.length !== given.length) throw fieldError('ERR_DIMENSION_COUNT', place, `sizes ${sizesText(dims)}`, list(given));
      for (const [axis, dim] of dims.entries()) {
        const size = given[axis] ?? 1;
        const other = typeof dim === 'string' ? known.get(dim) : undefined;
        const expected = typeof dim === 'number' ? dim : (other?.size ?? size);
        if (expected !== size) {
          const why = other && `'${shorten(String(dim))}' is ${expected} in input '${shorten(other.input)}'`;
          throw fieldError('ERR_SIZES', place, `sizes ${sizesText(dims)}`, list(given), { why });
        }
        if (typeof dim === 'string') known.set(dim, { size, input: name });
      }
    }
    const isBool = type?.isBool ?? false;
    const layout = `${value.dataType} ${given.join()}`;
    if (!isTensor && productOf(given) === 0) return { item: empty(value.dataType, given, isBool), key: layout };
    const entered = enter(value);
    if (entered === null) throw fieldError('ERR_INVALID_ARGUMENT', place, 'a tensor', describe(value));
    if (entered.slot !== null) inputSlots.set(entered.data, entered.slot);
    const kind = entered.data instanceof HostData ? ' in memory' : entered.data.hasRoom ? ' with room' : '';
    return { item: { dataType: value.dataType, isBool, dims: given, strides: null, data: entered.data }, key: layout + kind };
  }
}

/** The elements of a value in a packed layout. */
function copied(graph: Graph, value: Value): Value {
  const { dataType, sizes } = value;
  const { outputTensor } = graph.addAny({ type: 'elementWiseIdentity', inputTensor: value, outputTensor: { dataType, sizes } });
  if (!Value.is(outputTensor)) throw new TypeError('an identity has an output');
  return outputTensor;
}

/** The slots of inputs. */
const inputSlots = new WeakMap<object, string>();

/** The model as a program calls it. */
export function modelFunction<Names extends string>(context: DeviceContext, model: LoadedModel): OnnxModel<Names> {
  const run = (inputs: unknown) => fromCaller(async () => model.run(await settleTree(inputs, 'model.run')));
  const outputs = model.outputs.map(({ name }) => name);
  const call = (inputs: unknown): unknown => {
    const graph = typeof inputs === 'object' && inputs !== null ? graphIn(Object.values(inputs)) : null;
    return graph === null ? withOutputs(run(inputs), outputs) : model.trace(inputs, graph);
  };
  const dispose = (): void => model.dispose();
  Object.defineProperty(call, 'graphs', { __proto__: null, get: () => model.graphs, enumerable: true } as PropertyDescriptor);
  addToScope(context, model, call);
  define(call, 'name', model.label);
  return Object.assign(call, {
    run,
    compile: (inputs: unknown) =>
      fromCaller(async () => {
        await model.prepare({ operator: 'model.compile', field: 'inputs' }, inputs);
      }),
    inputs: model.inputs,
    outputs: model.outputs,
    dispose,
    [Symbol.dispose]: dispose,
  }) as unknown as OnnxModel<Names>;
}

/** Gives the promise of all outputs a promise of each. */
function withOutputs(all: Promise<Readonly<Record<string, OnnxResult>>>, names: readonly string[]): object {
  for (const name of names) {
    if (name in all) continue;
    const get = () => all.then((outputs) => outputs[name]);
    Reflect.defineProperty(all, name, { __proto__: null, get, enumerable: true } as PropertyDescriptor);
  }
  return all;
}

export function valuesOf({ graph }: ModelProto): Readonly<Record<'inputs' | 'outputs', readonly OnnxValue[]>> {
  const inputs = graph.inputs.filter(({ name }) => !graph.initializers.has(name));
  return { inputs: inputs.map(valueOf), outputs: graph.outputs.map(valueOf) };
}

function valueOf({ name, kind, elementType, dims }: ValueProto): OnnxValue {
  return { name, type: kind === 'tensor' ? elementTypeName(elementType) : kind, dims };
}

/** Few whole numbers stay in memory, because sizes and conditions may depend on them. */
function enterElements(
  { dataType, sizes, bytes }: Elements,
  slot: string,
  supplied: { readonly set: (slot: string, operand: HostOperand) => unknown },
): ReturnType<Enter> {
  const count = productOf(sizes);
  const staysInMemory = !isFloat(dataType) && bitsOf(dataType) >= 8 && count <= mostSupplied;
  const supply = supplyOf(slot, { dataType, isBool: false, dims: sizes }, bytes === null);
  const data = new HostData(bytes ?? new Uint8Array((count * bitsOf(dataType)) / 8), supply);
  if (staysInMemory || bytes !== null) supplied.set(slot, { dataType, isBool: false, dims: sizes, strides: null, data });
  return { data: staysInMemory ? data : new DeviceData(sizesOf(sizes)), slot };
}

function isDescription(value: unknown): value is EmptyTensor {
  if (typeof value !== 'object' || value === null || !('dataType' in value && 'sizes' in value)) return false;
  return isDataType(value.dataType) && Array.isArray(value.sizes) && value.sizes.every((size) => Number.isSafeInteger(size));
}

function sizesText(dims: readonly (number | string | null)[]): string {
  return `[${dims.map((dim) => dim ?? '?').join(', ')}]`;
}
