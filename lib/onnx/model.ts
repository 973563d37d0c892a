/** A model on a device: a function of tensors, and of values of graphs. */
import { addToScope } from '../api/scope.js';
import { fromCaller, fromCallerNow } from '../api/call-site.js';
import type { DeviceContext } from '../api/device-context.js';
import { Graph, graphIn } from '../api/graphs/graph.js';
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import type { GraphOptions } from '../api/graphs/graph-options.js';
import { settleTree } from '../api/graphs/jit-trees.js';
import { Tensor } from '../api/memory/tensor.js';
import { RecentlyUsed } from '../api/recently-used.js';
import { bitsOf } from '../tensors/data-types.js';
import { define } from '../values/define.js';
import { DirectMLError, fieldError, shorten, type Place } from '../values/errors.js';
import { invalidFile } from '../files/file-reader.js';
import { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { guard } from '../values/input.js';
import { elementTypeName, elementTypeOf } from './element-types.js';
import { itemsOf, Layouts, plannedInputs, readInputs, type Inputs, type PlannedInputs } from './inputs.js';
import { DeviceData, HostData, isHost, Sequence, sizesOf, type Item, type Layout, type Operand } from './operand.js';
import { isList, Plan, type Computed, type Placement, type PlanSource, type Result } from './plan.js';
import type { ModelProto, TensorProto, ValueProto } from './proto.js';
import { Tracer } from './tracer.js';
import type { Scope, Trace } from './tracing.js';
import type { EmptyTensor, OnnxModel, OnnxResult, OnnxValue, Sums } from './types.js';
import { tensorOn, type Weights } from './weights.js';

export interface ModelSettings {
  /** Default: `'float32'`. */
  readonly sums?: Sums | undefined;
  /** Default: `'fast'`. */
  readonly optimize?: GraphOptions['optimize'];
  /** How many sets of sizes the model keeps graphs for. Default: 64. */
  readonly maxGraphs?: number;
}

/** Takes the outputs of a run by name, and what was followed for them. */
type Use<T> = (outputs: ReadonlyMap<string, Result>, placement: Placement) => T | Promise<T>;

const inRun = { operator: 'model.run', field: 'inputs' };
const none: ReadonlySet<unknown> = new Set();
/** Constants of up to so many bytes share a tensor if they are equal. */
const mostShared = 256;

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
  /** Those with few bytes, by their elements: nodes that read equal ones can be one node. */
  readonly #small = new Map<string, Tensor>();
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
    this.#small.clear();
  }

  /**
   * Computes the outputs. Those of a single graph that is known are recorded, and used, before this returns.
   *
   * @param place The method, and its argument with the inputs.
   * @param inputs Tensors of this device, elements, and sequences of them.
   * @param use Takes the outputs by name, and what was followed for them.
   * @param roomy Tensors with room, to which operators may append.
   */
  compute<T>(place: Place, inputs: Inputs, use: Use<T>, roomy: ReadonlySet<unknown> = none): Promise<T> {
    this.check(place.operator);
    const layouts = new Layouts(this.#proto.graph, inputs, roomy);
    return this.#planFor(place, layouts, inputs, roomy).run(layouts.given, (results, placement) => {
      const outputs = new Map(this.#proto.graph.outputs.map(({ name }, i) => [name, results[i] ?? null]));
      return use(outputs, placement);
    });
  }

  run(given: unknown): Promise<Readonly<Record<string, OnnxResult>>> {
    const tensorOf = (each: Computed): Tensor | EmptyTensor => {
      if (each.dims.includes(0)) return { dataType: each.dataType, sizes: each.dims };
      return each.tensor ?? this.upload(each, each.bytes);
    };
    const resultOf = (result: Result): OnnxResult =>
      result === null ? null : isList(result) ? result.map(tensorOf) : tensorOf(result);
    const inputs = readInputs(inRun, this.#proto.graph, given, (leaf) => Tensor.is(leaf) || leaf.sizes.includes(0));
    return this.compute(inRun, inputs, (outputs) =>
      Object.fromEntries(Array.from(outputs, ([name, result]) => [name, resultOf(result)])),
    );
  }

  /** Compiles the first graph for inputs with these descriptions. Null if it depends on elements that only a run has. */
  async prepare(place: Place, inputs: Inputs): Promise<Placement | null> {
    this.check(place.operator);
    const layouts = new Layouts(this.#proto.graph, inputs, none);
    return this.#planFor(place, layouts, inputs, none).prepare(layouts.given);
  }

  /** Like `prepare`, for descriptions that a program gives. */
  async compileFor(given: unknown): Promise<void> {
    const place = { operator: 'model.compile', field: 'inputs' };
    this.check(place.operator);
    await this.prepare(
      place,
      readInputs(place, this.#proto.graph, given, (leaf) => !Value.is(leaf)),
    );
  }

  /** Adds the nodes to the graph of the values. */
  trace(given: unknown, graph: Graph): Readonly<Record<string, Value>> {
    this.check('model');
    const tracer = this.#tracer(graph);
    const place = { operator: 'model', field: 'inputs' };
    const inputs = readInputs(place, this.#proto.graph, given, (leaf) => Value.is(leaf) || leaf.sizes.includes(0));
    const items = itemsOf(place, this.#proto.graph, inputs, (value) => {
      const data = new DeviceData(value.sizes);
      if (!Value.is(value)) throw new TypeError('a tensor without elements has no data');
      const operand = { dataType: value.dataType, isBool: false, dims: value.sizes, strides: null, data };
      tracer.bind(operand, value.strides === null ? value : copied(graph, value));
      return data;
    });
    const trace = this.#trace(tracer, items);
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

  begin({ items, slots }: PlannedInputs): { readonly tracer: Tracer; readonly trace: Trace<Item[]> } {
    const tracer = this.#tracer(this.#newGraph());
    for (const each of [...items.values()].flatMap((item) => (item instanceof Sequence ? item.items : (item ?? [])))) {
      const slot = slots.get(each.data);
      if (isHost(each)) {
        if (each.data.supply !== null) tracer.supplied.push(each);
      } else if (slot !== undefined) tracer.slots.set(each.data as DeviceData, slot);
    }
    return { tracer, trace: this.#trace(tracer, items) };
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
    const { bytes } = data;
    const key = bytes.length <= mostShared ? `${dataType} ${bytes.join()}` : null;
    const equal = key === null ? undefined : this.#small.get(key);
    const tensor = equal ?? this.upload({ dataType, dims: [Math.floor((bytes.length * 8) / bitsOf(dataType))] }, bytes);
    if (key !== null) this.#small.set(key, tensor);
    this.#tensors.set(data, tensor);
    return tensor;
  }

  /** The tensor of a weight. */
  weightOf(data: object): Tensor | undefined {
    return data instanceof DeviceData ? this.#tensors.get(data) : undefined;
  }

  #planFor(place: Place, { key }: Layouts, inputs: Inputs, roomy: ReadonlySet<unknown>): Plan {
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = new Plan(this, plannedInputs(place, this.#proto.graph, inputs, roomy));
    this.#plans.add(key, plan);
    return plan;
  }
}

/** The elements of a value in a packed layout. */
function copied(graph: Graph, value: Value): Value {
  const { dataType, sizes } = value;
  const { outputTensor } = graph.addAny({ type: 'elementWiseIdentity', inputTensor: value, outputTensor: { dataType, sizes } });
  if (!Value.is(outputTensor)) throw new TypeError('an identity has an output');
  return outputTensor;
}

/** The model as a program calls it. */
export function modelFunction<Names extends string>(context: DeviceContext, model: LoadedModel): OnnxModel<Names> {
  const settle = async (inputs: unknown) => model.run(await settleTree(inputs, 'model.run'));
  const run = async (inputs: unknown) =>
    areTensors(inputs) ? fromCallerNow(() => model.run(inputs)) : fromCaller(() => settle(inputs));
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
    compile: (inputs: unknown) => fromCaller(() => model.compileFor(inputs)),
    inputs: model.inputs,
    outputs: model.outputs,
    dispose,
    [Symbol.dispose]: dispose,
  }) as unknown as OnnxModel<Names>;
}

/** True if nothing is to be awaited. */
function areTensors(inputs: unknown): boolean {
  if (typeof inputs !== 'object' || inputs === null) return false;
  const values: unknown[] = guard('ERR_INVALID_ARGUMENT', inRun, (): unknown[] => Object.values(inputs));
  return values.every((each) => Tensor.is(each));
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
