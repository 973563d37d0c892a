/**
 * What a model does for inputs of certain sizes: graphs, and between them what JavaScript computes or reads. Steps are made when a
 * run first needs them, and kept.
 */
import { fromCaller } from '../api/call-site.js';
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import { Tensor } from '../api/memory/tensor.js';
import { DirectMLError } from '../values/errors.js';
import { inputSlot, type PlannedInputs, type Supplied } from './inputs.js';
import {
  DeviceData,
  HostData,
  isHost,
  packedBytes,
  Sequence,
  sizesOf,
  supplyOf,
  type HostOperand,
  type Item,
  type Layout,
  type Operand,
} from './operand.js';
import type { Tracer } from './tracer.js';
import { Unknown, type Recipe, type Request, type Trace } from './tracing.js';
import type { NodePlacement } from './types.js';

/** What a plan needs of its model. */
export interface PlanSource {
  /** A tracer with an empty graph, and the trace of the model with these inputs. */
  begin: (inputs: PlannedInputs) => { readonly tracer: Tracer; readonly trace: Trace<Item[]> };
  continue: (tracer: Tracer) => void;
  compile: (tracer: Tracer, outputs: Readonly<Record<string, Operand>>) => Promise<CompiledGraph>;
  upload: (layout: Pick<Layout, 'dataType' | 'dims'>, bytes: Uint8Array) => Tensor;
  /** The tensor of a weight; undefined for other data. */
  weightOf: (data: object) => Tensor | undefined;
}

/** A tensor that a run has computed: on the device, or in memory. */
export interface Computed extends Layout {
  readonly tensor: Tensor | null;
  /** Empty for a tensor on the device. */
  readonly bytes: Uint8Array;
}

/** An output of a run: null for an optional without a value. */
export type Result = Computed | readonly Computed[] | null;

/** True for the tensors of a sequence. */
export function isList(result: Result): result is readonly Computed[] {
  return Array.isArray(result);
}

/** What a step was made of. */
export interface Placement {
  /** The number of graphs, with those of the steps before. */
  readonly graphs: number;
  /** The nodes that were followed. */
  readonly nodes: readonly NodePlacement[];
}

interface Step {
  /** Null if there is nothing to compute. */
  readonly net: Net | null;
  /** What the next step depends on; null in the last step. */
  readonly request: Request | null;
  /** Where the operands of the request are kept; undefined for those in memory, and for weights. */
  readonly slots: readonly (string | undefined)[];
  /** The outputs of the model in the last step. */
  readonly outputs: readonly Item[];
  /** How the run computes what it has in memory, and the elements for which the step was made. */
  readonly recipes: readonly Recipe[];
  readonly guards: readonly Guard[];
  readonly placement: Placement;
  readonly next: Step[];
}

/** A graph, and the slots of its tensors in their order. */
interface Net {
  readonly graph: CompiledGraph;
  readonly inputs: readonly (Pick<Tensor, 'dataType' | 'sizes'> & { readonly slot: string })[];
  /** `appended` is the slot of the input in whose memory the output is; undefined for a new tensor. */
  readonly outputs: readonly { readonly slot: string; readonly appended: string | undefined }[];
}

/** What a step was made for: a supply with these elements, or with any elements of the same sizes. */
interface Guard {
  readonly slot: string;
  readonly layout: string;
  readonly bytes: Uint8Array | null;
}

/** A trace that has stopped at a request without an answer. */
interface OpenTrace {
  readonly tracer: Tracer;
  readonly trace: Trace<Item[]>;
  /** True if the request ended a graph. */
  readonly cuts: boolean;
  /** The number of answers that it has got. */
  readonly depth: number;
}

/** One run: tensors and elements by slot. */
class Run {
  readonly tensors = new Map<string, Tensor>();
  supplies = new Map<string, HostOperand>();
  readonly answers: (readonly HostOperand[])[] = [];
  /** Tensors for elements in memory, by slot. */
  readonly uploads = new Map<string, Tensor>();
  /** Tensors between graphs. */
  readonly between: Tensor[] = [];
  /** The trace of the step that this run made last. */
  open: OpenTrace | null = null;

  constructor(given: readonly Supplied[]) {
    given.forEach((input, i) => {
      if (Tensor.is(input)) this.tensors.set(inputSlot(i), input);
      else if (input !== null) this.supplies.set(inputSlot(i), input);
    });
  }
}

const noBytes = new Uint8Array();
/** More graphs than any loop of a real model needs in one run: a speech model decodes up to 448 tokens. */
const mostAnswers = 1024;
/** More steps than that of one step are not kept. */
const mostNext = 64;

export class Plan {
  readonly #source: PlanSource;
  readonly #inputs: PlannedInputs;
  readonly #first: Step[] = [];
  /** Tensors for elements of later runs, by slot. */
  readonly #spare = new Map<string, Tensor>();
  #runs = 0;
  #isRetired = false;
  /** Steps are made one after the other. */
  #making: Promise<unknown> = Promise.resolve();

  /** The elements of `inputs` are those of the first run: each run binds its own. */
  constructor(source: PlanSource, inputs: PlannedInputs) {
    this.#source = source;
    this.#inputs = inputs;
  }

  /** Compiles the first graph. Null if it depends on elements of inputs. */
  async prepare(given: readonly Supplied[]): Promise<Placement | null> {
    try {
      return (await this.#newStep(this.#first, new Run(given))).placement;
    } catch (error) {
      if (error instanceof Unknown) return null;
      throw error;
    }
  }

  get nets(): readonly CompiledGraph[] {
    const netsOf = (step: Step): CompiledGraph[] => [
      ...(step.net === null ? [] : [step.net.graph]),
      ...step.next.flatMap(netsOf),
    ];
    return this.#first.flatMap(netsOf);
  }

  dispose(): void {
    this.#isRetired = true;
    for (const each of [...this.nets, ...this.#spare.values()]) each.dispose();
    this.#first.length = 0;
    this.#spare.clear();
  }

  /** Disposes of the graphs after the runs that have begun. */
  retire(): void {
    this.#isRetired = true;
    if (this.#runs === 0) this.dispose();
  }

  /**
   * Follows the steps. If a single graph does it all, and is known, it is recorded, and `use` is called, before this returns.
   *
   * @param given The inputs in the order of their slots.
   * @param use Takes the results, which are not in use elsewhere.
   */
  run<T>(given: readonly Supplied[], use: (results: readonly Result[], placement: Placement) => T | Promise<T>): Promise<T> {
    const run = new Run(given);
    const first = foundIn(this.#first, run);
    const follow = () => this.#follow(run, first, use);
    return first?.request === null && first.net !== null ? follow() : fromCaller(follow);
  }

  async #follow<T>(
    run: Run,
    first: Step | undefined,
    use: (results: readonly Result[], placement: Placement) => T | Promise<T>,
  ): Promise<T> {
    this.#runs += 1;
    let used: T | Promise<T>;
    try {
      let step = first ?? (await this.#newStep(this.#first, run));
      for (;;) {
        const wait = step.net === null ? null : this.#record(step.net, step.request === null, run);
        if (wait !== null) await wait;
        if (step.request === null) break;
        if (run.answers.length === mostAnswers) throw endless();
        run.answers.push(await this.#answer(step.request, step.slots, run));
        step = foundIn(step.next, run) ?? (await this.#newStep(step.next, run));
      }
      const results = step.outputs.map((item, i) => resultOf(item, `${i}`, run));
      used = use(results, step.placement);
    } finally {
      this.#end(run);
    }
    return used;
  }

  /** Records the graph. Its outputs are results of the run if it is the last one. */
  #record({ graph, inputs, outputs }: Net, isLast: boolean, run: Run): Promise<void> | null {
    const bound = inputs.map((input) => run.tensors.get(input.slot) ?? this.#upload(input, run));
    const given = outputs.map(({ appended }) => (appended === undefined ? undefined : run.tensors.get(appended)));
    const { tensors, wait } = graph.runWith(bound, given);
    tensors.forEach((tensor, i) => {
      run.tensors.set(outputs[i]?.slot ?? '', tensor);
      if (!isLast && given[i] === undefined) run.between.push(tensor);
    });
    return wait;
  }

  /** The device does its work in order, so that a tensor may be written again as soon as a run has recorded its own. */
  #end({ between, uploads }: Run): void {
    for (const tensor of between) tensor.dispose();
    for (const [slot, tensor] of uploads) {
      if (this.#spare.has(slot)) tensor.dispose();
      else this.#spare.set(slot, tensor);
    }
    this.#runs -= 1;
    if (this.#isRetired) this.retire();
  }

  /** A tensor with elements in memory. */
  #upload({ slot, dataType, sizes }: Net['inputs'][number], run: Run): Tensor {
    const bytes = run.supplies.get(slot)?.data.bytes;
    if (bytes === undefined) throw new TypeError(`nothing is kept in ${slot}`);
    const spare = this.#spare.get(slot);
    this.#spare.delete(slot);
    const isFitting = spare?.dataType === dataType && isEqual(spare.sizes, sizes);
    if (isFitting) spare.buffer.write(bytes, spare.offset);
    else spare?.dispose();
    const tensor = isFitting ? spare : this.#source.upload({ dataType, dims: sizes }, bytes);
    run.uploads.set(slot, tensor);
    run.tensors.set(slot, tensor);
    return tensor;
  }

  /** Reads what the request needs, and computes what it asks for. */
  async #answer({ operands, compute }: Request, slots: Step['slots'], run: Run): Promise<readonly HostOperand[]> {
    const given = await Promise.all(operands.map((operand, i) => this.#read(operand, slots[i] ?? '', run)));
    const depth = run.answers.length;
    const results = compute === null ? given : compute(given);
    return results.map((result, i) => {
      const slot = `supply.${depth}.${i}`;
      const supplied = { ...result, data: new HostData(result.data.bytes, supplyOf(slot, result)) };
      run.supplies.set(slot, supplied);
      return supplied;
    });
  }

  async #read(operand: Operand, slot: string, run: Run): Promise<HostOperand> {
    if (isHost(operand)) return suppliedIn(run, operand);
    const given = run.supplies.get(slot);
    if (given !== undefined) return { ...operand, data: given.data };
    const tensor = this.#source.weightOf(operand.data) ?? run.tensors.get(slot);
    if (tensor === undefined) throw new TypeError('an operand that is read is kept');
    const { buffer, byteOffset, byteLength } = await tensor.read();
    return { ...operand, data: new HostData(new Uint8Array(buffer, byteOffset, byteLength)) };
  }

  /** Makes the step for what the run has, unless another run does. */
  #newStep(known: Step[], run: Run): Promise<Step> {
    return this.#inTurn(async () => {
      const other = foundIn(known, run);
      if (other !== undefined) return other;
      const made = await this.#make(run);
      known.push(made);
      if (known.length > mostNext) disposeAll(known.shift());
      fits(made, run);
      return made;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#making.then(work);
    this.#making = result.catch(() => undefined);
    return result;
  }

  /** Follows the model to the first request that the run has no answer for: from where the run stopped, or from the beginning. */
  async #make(run: Run): Promise<Step> {
    const { answers } = run;
    const open = run.open?.depth === answers.length - 1 ? run.open : null;
    run.open = null;
    const { tracer, trace } = open ?? this.#begin(run);
    let turn = open === null ? trace.next() : this.#go(open, answers[open.depth] ?? []);
    for (let depth = open === null ? 0 : answers.length; turn.done !== true; depth++) {
      const request = turn.value;
      // Elements that are there before the graph runs do not cut it.
      const cuts = request.operands.some(({ data }) => data instanceof DeviceData && tracer.isComputed(data));
      const kept = cuts ? this.#keep(tracer, request, depth) : {};
      if (cuts) tracer.noteCut();
      const answer = answers[depth];
      if (answer === undefined) {
        const slots = request.operands.map(({ data }) => (data instanceof DeviceData ? tracer.slots.get(data) : undefined));
        const net = await this.#net(tracer, kept);
        run.open = { tracer, trace, cuts, depth };
        return stepOf(tracer, { net, request, slots, outputs: [] });
      }
      turn = this.#go({ tracer, trace, cuts, depth }, answer);
    }
    const outputs: Record<string, Operand> = {};
    const list = (item: Item, place: string): void => {
      if (item === null) return;
      if (item instanceof Sequence) item.items.forEach((each, i) => list(each, `${place}.${i}`));
      else if (!isHost(item)) outputs[outputSlot(place)] = item;
    };
    for (const [i, item] of turn.value.entries()) list(item, `${i}`);
    const net = await this.#net(tracer, outputs);
    return stepOf(tracer, { net, request: null, slots: [], outputs: turn.value });
  }

  #begin({ supplies }: Run): { readonly tracer: Tracer; readonly trace: Trace<Item[]> } {
    const { items, slots } = this.#inputs;
    const own = new Map(Array.from(items, ([name, item]) => [name, mapped(item, (each) => inputOf(each, supplies))]));
    return this.#source.begin({ items: own, slots });
  }

  /** Goes on with the answer to the request. */
  #go({ tracer, trace, cuts }: OpenTrace, answer: readonly HostOperand[]): IteratorResult<Request, Item[]> {
    if (cuts) this.#source.continue(tracer);
    const given = answer.map((each) => ({
      ...each,
      data: new HostData(each.data.bytes, each.data.supply && { ...each.data.supply, isConsulted: false }),
    }));
    tracer.supplied.push(...given);
    return trace.next(given);
  }

  /** What later graphs may read of the current one. */
  #keep(tracer: Tracer, { operands }: Request, depth: number): Readonly<Record<string, Operand>> {
    const kept: Record<string, Operand> = {};
    for (const operand of [...operands, ...tracer.live()]) {
      const { data, dataType } = operand;
      if (!(data instanceof DeviceData) || !tracer.isComputed(data)) continue;
      const slot = `kept.${depth}.${Object.keys(kept).length}`;
      kept[slot] = { dataType, isBool: false, dims: data.sizes, strides: null, data };
      tracer.slots.set(data, slot);
    }
    return kept;
  }

  async #net(tracer: Tracer, outputs: Readonly<Record<string, Operand>>): Promise<Net | null> {
    if (Object.keys(outputs).length === 0) return null;
    const graph = await this.#source.compile(tracer, outputs);
    const appendedTo = (slot: string) => {
      const data = outputs[slot]?.data;
      return data instanceof DeviceData && tracer.isComputed(data) ? tracer.appended.get(data) : undefined;
    };
    return {
      graph,
      inputs: Object.entries(graph.inputs).map(([slot, { dataType, sizes }]) => ({ slot, dataType, sizes })),
      outputs: Object.keys(graph.outputs).map((slot) => ({ slot, appended: appendedTo(slot) })),
    };
  }
}

function isEqual(sizes: readonly number[], others: readonly number[]): boolean {
  return sizes.length === others.length && sizes.every((size, i) => size === others[i]);
}

function endless(): DirectMLError {
  const why = 'a loop whose condition depends on elements does not end';
  return new DirectMLError('ERR_INVALID_FILE', `model.run: more than ${mostAnswers} graphs one after the other: ${why}`, {
    operator: 'model.run',
  });
}

function resultOf(item: Item, place: string, run: Run): Result {
  if (item instanceof Sequence) return item.items.map((each, i) => computedOf(each, `${place}.${i}`, run));
  return item === null ? null : computedOf(item, place, run);
}

function computedOf(operand: Operand, place: string, run: Run): Computed {
  const { dataType, isBool, dims } = operand;
  if (isHost(operand)) return { dataType, isBool, dims, tensor: null, bytes: packedBytes(suppliedIn(run, operand)) };
  return { dataType, isBool, dims, tensor: run.tensors.get(outputSlot(place)) ?? null, bytes: noBytes };
}

/** The operand with the elements that it has in this run. */
function suppliedIn({ supplies }: Pick<Run, 'supplies'>, operand: HostOperand): HostOperand {
  const { supply } = operand.data;
  return { ...operand, data: supply === null ? operand.data : (supplies.get(supply.slot)?.data ?? operand.data) };
}

type Made = Pick<Step, 'net' | 'request' | 'slots' | 'outputs'>;

function stepOf({ placed, recipes, supplied, graphsBefore }: Tracer, made: Made): Step {
  const graphs = graphsBefore + (made.net === null ? 0 : 1);
  const guards = supplied.map((operand): Guard => {
    const { bytes, supply } = operand.data;
    return { slot: supply?.slot ?? '', layout: layoutOf(operand), bytes: supply?.isConsulted === true ? bytes : null };
  });
  return { ...made, recipes: [...recipes], guards, placement: { graphs, nodes: placed }, next: [] };
}

/** The input with the elements of a run, if its elements are in memory. */
function inputOf(operand: Operand, supplies: ReadonlyMap<string, HostOperand>): Operand {
  const supply = isHost(operand) ? operand.data.supply : null;
  const given = supply === null ? undefined : supplies.get(supply.slot);
  if (supply === null || given === undefined) return operand;
  const own = { ...supply, isConsulted: false, isUnknown: given.data.supply?.isUnknown === true };
  return { ...operand, data: new HostData(given.data.bytes, own) };
}

function mapped(item: Item, map: (operand: Operand) => Operand): Item {
  if (item === null) return null;
  return item instanceof Sequence ? new Sequence(item.items.map(map)) : map(item);
}

function outputSlot(place: string): string {
  return `output.${place}`;
}

function layoutOf({ dataType, dims }: Operand): string {
  return `${dataType} ${sizesOf(dims).join()} ${dims.length}`;
}

/** The step that was made for what the run has. */
function foundIn(steps: readonly Step[], run: Run): Step | undefined {
  return steps.find((step) => fits(step, run));
}

/**
 * True if the step was made for what the run has. The run then also has what the step computes in memory. That is computed up to
 * the first difference: there may be many other steps.
 */
function fits({ guards, recipes }: Step, run: Run): boolean {
  const supplies = recipes.length === 0 ? run.supplies : new Map(run.supplies);
  const next = recipes.values();
  try {
    for (const guard of guards) {
      while (!supplies.has(guard.slot)) if (!cook(next.next().value, supplies)) return false;
      if (!holds(guard, supplies)) return false;
    }
  } catch {
    // A step for these elements tells what is wrong with them.
    return false;
  }
  run.supplies = supplies;
  return true;
}

/** Computes what the run does not have yet. False if there is no recipe. */
function cook(recipe: Recipe | undefined, supplies: Map<string, HostOperand>): boolean {
  if (recipe === undefined) return false;
  const { operands, compute, slots } = recipe;
  if (slots.every((slot) => supplies.has(slot))) return true;
  const made = compute(operands.map((operand) => suppliedIn({ supplies }, operand)));
  made.forEach((each, i) => supplies.set(slots[i] ?? '', each));
  return true;
}

function holds({ slot, layout, bytes }: Guard, supplies: ReadonlyMap<string, HostOperand>): boolean {
  const supply = supplies.get(slot);
  if (supply === undefined || layoutOf(supply) !== layout) return false;
  return bytes === null || Buffer.compare(bytes, supply.data.bytes) === 0;
}

function disposeAll(step: Step | undefined): void {
  step?.net?.graph.dispose();
  step?.next.forEach(disposeAll);
}
