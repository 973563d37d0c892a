/** Compiled graphs: dispatches, with new tensors for the outputs on request, and replacing constants. */
import { noDequantizedGemms, type BackendGraph, type DequantizedGemmCounts } from '../../backends/backend.js';
import { at, fieldError, shorten } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText } from '../../values/printed.js';
import type { GraphConstant, GraphNode, NamedTensor, ResolvedGraph } from '../../graph/resolved-graph.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { ResolvedTensorDesc } from '../../tensors/tensor-desc.js';
import { findBadIndex, indicesSlot } from '../../operators/indices.js';
import { atDispatch, inputsOf, planGraphBindings, type BindingPlan } from '../operators/binding-plan.js';
import type { Binding, Bindings } from '../operators/bindings.js';
import type { Dispatch } from '../operators/dispatch.js';
import { readBindings } from '../operators/read-bindings.js';
import { fromCaller, fromCallerNow } from '../call-site.js';
import { recordChecked, type IndexCheck } from '../operators/checked-dispatch.js';
import { constantMemories, type Constants, readConstant, readConstants, refuseUnknown } from './graph-constants.js';
import type { DeviceContext } from '../device-context.js';
import { Dispatchable, Work } from '../operators/dispatchable.js';
import { makeConstant } from '../make-constant.js';
import { OperatorHandle } from '../operators/operator-cache.js';
import { withNewTensors } from '../memory/new-tensor.js';
import type { Tensor } from '../memory/tensor.js';
import type { BufferSource } from '../memory/buffer-source.js';

/** The memory of a {@link CompiledGraph} besides that of its inputs and outputs, in bytes. */
export interface GraphMemory {
  /**
   * For the tensors inside the graph. All operators and graphs of a device share this memory, which is as large as the largest
   * needs.
   */
  readonly temporary: number;
  /** Memory that DirectML keeps for this graph, mostly its copies of constants. */
  readonly persistent: number;
  /** Hidden tensors of the graph that every dispatch binds, among them constants of `rnn`, `gru` and `lstm` that are not shared. */
  readonly constants: number;
  /** Shared constants, which are in memory once, whatever the number of graphs: see {@link ConstantOptions.ownership}. */
  readonly shared: number;
}

/** A dispatch whose bindings are checked. */
export interface BoundWork {
  readonly work: Work;
  readonly dispatch: Dispatch;
}

/** A run that was recorded, and its outputs. */
interface Recorded {
  readonly tensors: readonly Tensor[];
  readonly wait: Promise<void> | null;
}

/** What a compiled graph keeps of the resolved one. */
export interface KeptParts {
  readonly inputs: readonly NamedTensor[];
  readonly outputs: readonly NamedTensor[];
  /** Without their data, which can then be collected. */
  readonly constants: readonly GraphConstant[];
  /** The nodes that read an index tensor. */
  readonly indexed: readonly GraphNode[];
}

export function keptParts({ inputs, outputs, constants, nodes }: ResolvedGraph): KeptParts {
  return {
    inputs,
    outputs,
    constants: constants.map((constant) => ({ ...constant, data: undefined })),
    indexed: nodes.filter(({ operator }) => indicesSlot(operator) !== null),
  };
}

/** What the backend made of a graph, and the memory of its constants. */
export interface Compiled {
  readonly compiled: BackendGraph;
  readonly constants: Constants;
}

/** The elements of constants by name: a tensor, or any data that {@link Tensor.write} accepts. */
export type ConstantsData = Readonly<Record<string, Tensor | BufferSource | readonly (number | bigint)[]>>;

/** The tensors of a graph by name. */
export type TensorDescriptions<Names extends string = string> = Readonly<Record<Names, ResolvedTensorDesc>>;

/** By name, the data types of outputs. */
export type OutputDataTypes = Readonly<Record<string, DataType>>;

/** The names in `Outputs`, which are these names or has data types by name. */
type NamesOf<Outputs extends string | OutputDataTypes> = Outputs extends string ? Outputs : keyof Outputs & string;

/** The outputs of a graph by name. */
export type GraphOutputs<Outputs extends string | OutputDataTypes> = {
  readonly [Name in NamesOf<Outputs>]: Tensor<Outputs extends OutputDataTypes ? Outputs[Name] : DataType>;
};

/** Bindings of a graph by these names; any bindings if the names of its inputs are not known. */
export type GraphBindings<Inputs extends string, Outputs extends string = never> = string extends Inputs
  ? Bindings
  : // eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- else Graph<Names> would be no Graph
    { readonly [Name in Inputs | Outputs]?: Bindings[string] };

/**
 * A graph compiled for a device. You can dispatch it any number of times. `Outputs` are the names of the outputs, or their data
 * types by name. `Inputs` are the names of the inputs, if they are known.
 */
export class CompiledGraph<
  Outputs extends string | OutputDataTypes = string,
  Inputs extends string = string,
> extends Dispatchable<GraphBindings<Inputs, NamesOf<Outputs>>> {
  /** The inputs that a dispatch binds, by name. An input that no output needs is not among them. */
  readonly inputs: TensorDescriptions;
  /** The outputs by name. */
  readonly outputs: TensorDescriptions<NamesOf<Outputs>>;
  readonly memory: GraphMemory;
  /** Of the products by dequantized weights, how many DirectML computes without writing the floats. */
  readonly dequantizedGemms: DequantizedGemmCounts;
  /** Name of the graph in error messages and in {@link Device.profile}; `''` if it has none. */
  readonly label: string;
  readonly #parts: KeptParts;
  readonly #compiled: BackendGraph;
  /** Releases the constants. `initialize` replaces it. The finalizer holds it, so it must not lead to the device. */
  readonly #held: { release: () => void };
  readonly #work: Work;
  /** The plan of the inputs alone. */
  readonly #inputPlan: BindingPlan;

  static {
    const is = (value: object) => #compiled in value;
    nameKind('a compiled graph', 'compiled graphs', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(context: DeviceContext, parts: KeptParts, { compiled, constants }: Compiled, label: string) {
    const held = { release: constants.release };
    const release = () => {
      compiled.dispose();
      held.release();
    };
    const work = new Work(context, planGraphBindings(parts, label), new OperatorHandle(compiled, release));
    work.constants = constants.shared;
    super(work);
    this.inputs = byName(parts.inputs);
    this.outputs = byName(parts.outputs);
    const shared = constants.shared.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
    this.memory = Object.freeze({ ...compiled.memory, shared });
    this.dequantizedGemms = compiled.dequantizedGemms ?? noDequantizedGemms;
    this.label = label;
    this.#parts = parts;
    this.#held = held;
    this.#compiled = compiled;
    this.#work = work;
    this.#inputPlan = inputsOf(work.plan);
    makeConstant(this, 'inputs', 'outputs', 'memory', 'dequantizedGemms', 'label');
  }

  /**
   * The index tensors that {@link dispatchChecked} does not check, such as `gather_0.indicesTensor`: they are constants, or
   * a node of the graph computes them.
   */
  get uncheckedIndices(): readonly string[] {
    return this.#indices().flatMap(({ path, input }) => (input === null ? [path] : []));
  }

  /**
   * Creates tensors for the outputs and records a dispatch. The promise waits for the device only if that is far behind.
   *
   * @param inputs A binding for each input, as for {@link dispatch}.
   * @returns The outputs by name. Dispose of them when you no longer need them, or leave that to the garbage collector.
   * @throws {DirectMLError} (as a rejection) The errors of {@link dispatch}; ERR_OUT_OF_MEMORY.
   */
  run(inputs: GraphBindings<Inputs>): Promise<GraphOutputs<Outputs>>;
  run(inputs: Bindings): Promise<Readonly<Record<string, Tensor>>> {
    this.#work.context.refuseWhileRecording('run');
    return this.#run(inputs);
  }

  /**
   * @internal Records a run with a tensor for each input. Some of the outputs may be given. The program goes on after `wait`.
   */
  runWith(inputs: readonly Tensor[], given: readonly (Tensor | undefined)[]): Recorded {
    this.#work.context.refuseWhileRecording('run');
    return fromCallerNow(() => this.#recordRun(() => inputs, given));
  }

  /**
   * Like {@link dispatch}, but first reads the inputs that are index tensors of a node, and rejects if an index is out of
   * range. It cannot check the index tensors in {@link uncheckedIndices}. The graph runs with copies of the checked indices.
   *
   * @throws {DirectMLError} (as a rejection) ERR_INDEX_OUT_OF_RANGE with the node and the first index out of range; and the
   * errors of `dispatch`.
   */
  dispatchChecked(bindings: GraphBindings<Inputs, NamesOf<Outputs>>): Promise<void> {
    this.#work.context.refuseWhileRecording('dispatchChecked');
    return fromCaller(async () => {
      this.#work.check('dispatchChecked');
      const checks = this.#indices().flatMap(({ input, find }) => (input === null ? [] : [{ position: input, find }]));
      await recordChecked(this.#work, 'dispatchChecked', this.#work.resolve(bindings), checks);
    });
  }

  /**
   * Creates a zero-filled tensor for each output, with its data type, sizes and strides. Returns them by name.
   *
   * @throws {DirectMLError} ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  createOutputs(): GraphOutputs<Outputs>;
  createOutputs(): Readonly<Record<string, Tensor>> {
    this.#work.check('createOutputs');
    return withNewTensors(this.#work.context, (make) => this.#named(this.#parts.outputs.map(({ tensor }) => make(tensor))));
  }

  /**
   * Replaces all constants of the graph. Dispatches recorded earlier use the old ones.
   *
   * @param constants By name, a tensor or data for every constant of the graph.
   * @throws {DirectMLError} ERR_MISSING_BINDING if a constant is missing, ERR_UNKNOWN_BINDING for a name that no constant has;
   * the errors of {@link dispatch} for tensors and of {@link Tensor.write} for data; ERR_OUT_OF_MEMORY.
   */
  initialize(constants: ConstantsData): void {
    fromCallerNow(() => {
      const { context } = this.#work;
      this.#work.check('initialize', false);
      context.refuseWhileRecording('initialize');
      const names = this.#parts.constants.map(({ name }) => name);
      const place = { operator: 'initialize', field: 'constants' };
      const given = readConstants(place, constants);
      refuseUnknown(given.names, names, place);
      const renewed = this.#parts.constants.map((constant) => {
        const { name, tensor } = constant;
        const data = given.read(name);
        if (data === undefined) {
          const expected = 'a tensor or data for every constant';
          throw fieldError('ERR_MISSING_BINDING', at(place, shorten(name)), expected, 'nothing');
        }
        return { ...constant, data: readConstant(at(place, shorten(name)), tensor, data) };
      });
      this.#work.check('initialize', false);
      const replaced = constantMemories(context, renewed);
      context.backend.initializeGraph(this.#compiled, replaced.memories);
      this.#held.release();
      this.#held.release = replaced.release;
      this.#work.constants = replaced.shared;
      context.changes++;
    });
  }

  /** @internal A dispatch with these bindings, which can be recorded again and again. */
  bound(bindings: Bindings): BoundWork {
    return { work: this.#work, dispatch: this.#work.resolve(bindings) };
  }

  /** A line with the label, and the inputs and outputs. `console.log` shows it too. */
  override toString(): string {
    return this.#work.lineOf('CompiledGraph', '');
  }

  async #run(inputs: Bindings): Promise<Readonly<Record<string, Tensor>>> {
    const read = () => readBindings(this.#inputPlan, atDispatch, inputs);
    const { tensors, wait } = fromCallerNow(() => this.#recordRun(read, []));
    if (wait !== null) await wait;
    return this.#named(tensors);
  }

  #recordRun(read: () => readonly (Binding | null)[], given: readonly (Tensor | undefined)[]): Recorded {
    const { context } = this.#work;
    this.#work.check('run');
    const inputs = read();
    const tensors = withNewTensors(context, (make) => {
      const outputs = this.#parts.outputs.map(({ tensor }, i) => given[i] ?? make(tensor));
      this.#work.record('run', this.#work.bind([...inputs, ...outputs]));
      return outputs;
    });
    return { tensors, wait: context.pace.addStep() };
  }

  #named(tensors: readonly Tensor[]): Readonly<Record<string, Tensor>> {
    return Object.fromEntries(tensors.map((tensor, i): [string, Tensor] => [this.#parts.outputs[i]?.name ?? '', tensor]));
  }

  /** All index tensors. `input` is the graph input that has the indices, or null. */
  #indices(): readonly { readonly path: string; readonly input: number | null; readonly find: IndexCheck['find'] }[] {
    return this.#parts.indexed.flatMap(({ name, operator, inputs }) => {
      const slot = indicesSlot(operator);
      const source = slot === null ? null : (inputs[slot.position] ?? null);
      if (slot === null || source === null) return [];
      const find = (bytes: ArrayBuffer) => {
        const error = findBadIndex(operator, bytes);
        if (error === null) return null;
        const place = { operator: 'graph', field: `${shorten(name)}.${error.field ?? ''}` };
        return fieldError(error.code, place, error.expected ?? '', error.given ?? '');
      };
      return [{ path: `${name}.${slot.path}`, input: source.kind === 'input' ? source.index : null, find }];
    });
  }
}

function byName<Names extends string>(tensors: readonly NamedTensor[]): TensorDescriptions<Names>;
function byName(tensors: readonly NamedTensor[]): TensorDescriptions {
  return Object.freeze(Object.fromEntries(tensors.map(({ name, tensor }) => [name, Object.freeze(tensor)])));
}
