/**
 * What a model does for inputs of certain sizes: graphs, and between them what JavaScript computes or reads. Steps are made when a
 * run first needs them, and kept.
 */
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import { Tensor } from '../api/memory/tensor.js';
import { isFloat } from '../tensors/data-types.js';
import { DirectMLError } from '../values/errors.js';
import {
  DeviceData,
  HostData,
  isHost,
  packedBytes,
  Sequence,
  sizesOf,
  type HostOperand,
  type Item,
  type Layout,
  type Operand,
  type Supply,
} from './operand.js';
import type { Tracer } from './tracer.js';
import { Unknown, type NodePlacement, type Recipe, type Request, type Trace } from './tracing.js';

/** What a plan needs of its model. */
export interface PlanSource {
  /** A tracer with an empty graph, and the trace of the model with these inputs. */
  begin: (inputs: ReadonlyMap<string, Item>) => { readonly tracer: Tracer; readonly trace: Trace<Item[]> };
  continue: (tracer: Tracer) => void;
  compile: (tracer: Tracer, outputs: Readonly<Record<string, Operand>>) => Promise<CompiledGraph>;
  upload: (layout: Layout, bytes: Uint8Array) => Tensor;
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
  readonly net: CompiledGraph | null;
  /** The slots of inputs in whose memory outputs of the graph are, by those of the outputs. */
  readonly appended: Readonly<Record<string, string>>;
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

/** What a step was made for: a supply with these elements, or with any elements of the same sizes. */
interface Guard {
  readonly slot: string;
  readonly layout: string;
  readonly bytes: Uint8Array | null;
}

/** One run: tensors and elements by slot. */
class Run {
  readonly tensors = new Map<string, Tensor>();
  readonly supplies = new Map<string, HostOperand>();
  readonly answers: (readonly HostOperand[])[] = [];
}

/** More graphs than any loop of a real model needs in one run: each is followed from the beginning of the model. */
const mostAnswers = 256;
/** More steps than that of one step are not kept. */
const mostNext = 64;

export class Plan {
  readonly #source: PlanSource;
  readonly #inputs: ReadonlyMap<string, Item>;
  readonly #first: Step[] = [];
  /** Tensors for elements of later runs, by slot. */
  readonly #spare = new Map<string, Tensor>();
  #runs = 0;
  #isRetired = false;
  /** Steps are made one after the other. */
  #making: Promise<unknown> = Promise.resolve();

  /** The elements of `inputs` are those of the first run: each run binds its own. */
  constructor(source: PlanSource, inputs: ReadonlyMap<string, Item>) {
    this.#source = source;
    this.#inputs = inputs;
  }

  /** Compiles the first graph. Null if it depends on elements of inputs. */
  async prepare(given: ReadonlyMap<string, HostOperand>): Promise<Placement | null> {
    const run = new Run();
    for (const [slot, input] of given) run.supplies.set(slot, input);
    try {
      return (await this.#nextStep(this.#first, run)).placement;
    } catch (error) {
      if (error instanceof Unknown) return null;
      throw error;
    }
  }

  get nets(): readonly CompiledGraph[] {
    const netsOf = (step: Step): CompiledGraph[] => [...(step.net === null ? [] : [step.net]), ...step.next.flatMap(netsOf)];
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

  /** `given` are the inputs by slot. */
  async run(given: ReadonlyMap<string, Tensor | HostOperand>): Promise<{ results: readonly Result[]; placement: Placement }> {
    const run = new Run();
    for (const [slot, input] of given) {
      if (Tensor.is(input)) run.tensors.set(slot, input);
      else run.supplies.set(slot, input);
    }
    this.#runs += 1;
    const uploads = new Map<string, Tensor>();
    const made = new Set<Tensor>();
    const kept = new Set<Tensor>();
    const bind = (slot: string, sizes: readonly number[]): Tensor => {
      const known = run.tensors.get(slot);
      if (known !== undefined) return known;
      const supply = run.supplies.get(slot);
      if (supply === undefined) throw new TypeError(`nothing is kept in ${slot}`);
      const tensor = this.#upload(slot, { ...supply, dims: sizes });
      uploads.set(slot, tensor);
      run.tensors.set(slot, tensor);
      return tensor;
    };
    try {
      for (let step = await this.#nextStep(this.#first, run); ; step = await this.#nextStep(step.next, run)) {
        if (step.net !== null) {
          const bindings = Object.fromEntries(
            Object.entries(step.net.inputs).map(([slot, { sizes }]) => [slot, bind(slot, sizes)]),
          );
          const given = Object.entries(step.appended).map(([slot, input]) => [slot, run.tensors.get(input)] as const);
          const outputs = await step.net.runWith(bindings, new Map(given));
          for (const [slot, tensor] of Object.entries(outputs)) {
            if (step.appended[slot] === undefined) made.add(tensor);
            run.tensors.set(slot, tensor);
          }
        }
        if (step.request === null) {
          const results = step.outputs.map((item, i) => resultOf(item, `${i}`, run));
          for (const result of results.flat()) if (result?.tensor) kept.add(result.tensor);
          return { results, placement: step.placement };
        }
        if (run.answers.length === mostAnswers) throw endless();
        run.answers.push(await this.#answer(step.request, step.slots, run));
      }
    } finally {
      for (const tensor of made) if (!kept.has(tensor)) tensor.dispose();
      for (const [slot, tensor] of uploads) {
        if (this.#spare.has(slot)) tensor.dispose();
        else this.#spare.set(slot, tensor);
      }
      this.#runs -= 1;
      if (this.#isRetired) this.retire();
    }
  }

  /** The device does its work in order, so that a tensor may be written again as soon as a run has recorded its own. */
  #upload(slot: string, operand: HostOperand): Tensor {
    const spare = this.#spare.get(slot);
    this.#spare.delete(slot);
    if (spare?.dataType === operand.dataType && spare.sizes.join() === sizesOf(operand.dims).join()) {
      spare.buffer.write(operand.data.bytes, spare.offset);
      return spare;
    }
    spare?.dispose();
    return this.#source.upload(operand, operand.data.bytes);
  }

  /** Reads what the request needs, and computes what it asks for. */
  async #answer({ operands, compute }: Request, slots: Step['slots'], run: Run): Promise<readonly HostOperand[]> {
    const given = await Promise.all(operands.map((operand, i) => this.#read(operand, slots[i] ?? '', run)));
    const depth = run.answers.length;
    const results = compute === null ? given : computed(compute, given);
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

  /** Finds the step that was made for what the run has, or makes it. */
  #nextStep(known: Step[], run: Run): Promise<Step> {
    const find = () => known.find((step) => fits(step, run));
    const step = find();
    if (step !== undefined) return Promise.resolve(step);
    return this.#inTurn(async () => {
      const other = find();
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

  /** Follows the model from the beginning, with the answers of a run, to the first request that has none. */
  async #make({ answers, supplies }: Run): Promise<Step> {
    const inputs = new Map(Array.from(this.#inputs, ([name, item]) => [name, mapped(item, (each) => inputOf(each, supplies))]));
    const { tracer, trace } = this.#source.begin(inputs);
    let turn = trace.next();
    for (let depth = 0; turn.done !== true; depth++) {
      const request = turn.value;
      // Elements that are there before the graph runs do not cut it.
      const cuts = request.operands.some(({ data }) => data instanceof DeviceData && tracer.isComputed(data));
      const kept = cuts ? this.#keep(tracer, request, depth) : {};
      if (cuts) tracer.noteCut();
      const answer = answers[depth];
      if (answer === undefined) {
        const slots = request.operands.map(({ data }) => (data instanceof DeviceData ? tracer.slots.get(data) : undefined));
        const net = await this.#net(tracer, kept);
        return stepOf(tracer, { net, request, slots, outputs: [], appended: appendedIn(tracer, kept) });
      }
      if (cuts) this.#source.continue(tracer);
      const given = answer.map((each) => ({ ...each, data: new HostData(each.data.bytes, fresh(each)) }));
      tracer.supplied.push(...given);
      turn = trace.next(given);
    }
    const outputs: Record<string, Operand> = {};
    const list = (item: Item, place: string): void => {
      if (item === null) return;
      if (item instanceof Sequence) item.items.forEach((each, i) => list(each, `${place}.${i}`));
      else if (!isHost(item)) outputs[outputSlot(place)] = item;
    };
    for (const [i, item] of turn.value.entries()) list(item, `${i}`);
    const net = await this.#net(tracer, outputs);
    return stepOf(tracer, { net, request: null, slots: [], outputs: turn.value, appended: appendedIn(tracer, outputs) });
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

  async #net(tracer: Tracer, outputs: Readonly<Record<string, Operand>>): Promise<CompiledGraph | null> {
    return Object.keys(outputs).length === 0 ? null : this.#source.compile(tracer, outputs);
  }
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
  return { dataType, isBool, dims, tensor: run.tensors.get(outputSlot(place)) ?? null, bytes: new Uint8Array() };
}

/** The operand with the elements that it has in this run. */
function suppliedIn({ supplies }: Pick<Run, 'supplies'>, operand: HostOperand): HostOperand {
  const { supply } = operand.data;
  return { ...operand, data: supply === null ? operand.data : (supplies.get(supply.slot)?.data ?? operand.data) };
}

/** What JavaScript computes may find that elements are wrong. */
function computed(compute: NonNullable<Request['compute']>, given: readonly HostOperand[]): readonly HostOperand[] {
  try {
    return compute(given);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DirectMLError('ERR_INVALID_FILE', `model.run: ${cause.message}`, { operator: 'model.run', cause });
  }
}

function appendedIn(tracer: Tracer, outputs: Readonly<Record<string, Operand>>): Step['appended'] {
  const found = Object.entries(outputs).flatMap(([slot, { data }]) => {
    const input = data instanceof DeviceData && tracer.isComputed(data) ? tracer.appended.get(data) : undefined;
    return input === undefined ? [] : [[slot, input] as const];
  });
  return Object.fromEntries(found);
}

type Made = Pick<Step, 'net' | 'appended' | 'request' | 'slots' | 'outputs'>;

function stepOf({ placed, recipes, supplied, graphsBefore }: Tracer, made: Made): Step {
  const graphs = graphsBefore + (made.net === null ? 0 : 1);
  const guards = supplied.map((operand): Guard => {
    const { bytes, supply } = operand.data;
    return { slot: supply?.slot ?? '', layout: layoutOf(operand), bytes: supply?.isConsulted === true ? bytes : null };
  });
  return { ...made, recipes, guards, placement: { graphs, nodes: placed }, next: [] };
}

/** The input with the elements of a run, if its elements are in memory. */
function inputOf(operand: Operand, supplies: ReadonlyMap<string, HostOperand>): Operand {
  const supply = isHost(operand) ? operand.data.supply : null;
  const given = supply === null ? undefined : supplies.get(supply.slot);
  if (supply === null || given === undefined) return operand;
  return { ...operand, data: new HostData(given.data.bytes, fresh(given)) };
}

function mapped(item: Item, map: (operand: Operand) => Operand): Item {
  if (item === null) return null;
  return item instanceof Sequence ? new Sequence(item.items.map(map)) : map(item);
}

function outputSlot(place: string): string {
  return `output.${place}`;
}

/** Elements that only a run has. */
export function supplyOf(slot: string, { dataType }: Layout, isUnknown = false): Supply {
  return { slot, isConsulted: false, mayBeSize: !isFloat(dataType), isUnknown };
}

/** The supply as it is before a trace. */
function fresh(operand: HostOperand): Supply {
  return { ...(operand.data.supply ?? supplyOf('', operand)), isConsulted: false };
}

function layoutOf({ dataType, dims }: Operand): string {
  return `${dataType} ${sizesOf(dims).join()} ${dims.length}`;
}

/**
 * True if the step was made for what the run has. The run then also has what the step computes in memory. That is computed up to
 * the first difference: there may be many other steps.
 */
function fits({ guards, recipes }: Step, run: Run): boolean {
  const supplies = new Map(run.supplies);
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
  for (const [slot, operand] of supplies) run.supplies.set(slot, operand);
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
  step?.net?.dispose();
  step?.next.forEach(disposeAll);
}
