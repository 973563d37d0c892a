/**
 * What a model does for inputs of certain sizes: graphs, and between them what JavaScript computes or reads. Steps are made when a
 * run first needs them, and kept.
 */
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import { Tensor } from '../api/memory/tensor.js';
import { bitsOf } from '../data-types/table.js';
import { DirectMLError } from '../errors.js';
import {
  DeviceData,
  HostData,
  isHost,
  packedBytes,
  Sequence,
  sizesOf,
  type HostOperand,
  type Item,
  type Operand,
} from './operand.js';
import type { Tracer } from './tracer.js';
import type { Request, Trace } from './tracing.js';

/** What a plan needs of its model. */
export interface PlanSource {
  /** A tracer with an empty graph, and the trace of the model with these inputs. */
  begin: (inputs: ReadonlyMap<string, Item>) => { readonly tracer: Tracer; readonly trace: Trace<Item[]> };
  continue: (tracer: Tracer) => void;
  compile: (tracer: Tracer, outputs: Readonly<Record<string, Operand>>) => Promise<CompiledGraph>;
  upload: (operand: Operand, bytes: Uint8Array) => Tensor;
  /** The tensor of a weight; undefined for other data. */
  weightOf: (data: object) => Tensor | undefined;
}

/** An output of a run: null for an optional without a value. */
export type Result = Tensor | EmptyTensor | readonly (Tensor | EmptyTensor)[] | null;

/** A tensor without elements, which DirectML does not have. */
export interface EmptyTensor {
  readonly dataType: Operand['dataType'];
  readonly sizes: readonly number[];
}

interface Step {
  /** Null if there is nothing to compute. */
  readonly net: CompiledGraph | null;
  /** What the next step depends on; null in the last step. */
  readonly request: Request | null;
  /** Where the operands of the request are kept; undefined for those in memory, and for weights. */
  readonly slots: readonly (string | undefined)[];
  /** The outputs of the model in the last step. */
  readonly outputs: readonly Item[];
  /** The elements of this run for which the step was made. */
  readonly guards: readonly Guard[];
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

/** More steps than that of one step are not kept. */
const mostNext = 64;

export class Plan {
  readonly #source: PlanSource;
  readonly #inputs: ReadonlyMap<string, Item>;
  #first: Step | null = null;
  /** Steps are made one after the other. */
  #making: Promise<unknown> = Promise.resolve();

  /** `inputs` have data without elements: each run binds its own. */
  constructor(source: PlanSource, inputs: ReadonlyMap<string, Item>) {
    this.#source = source;
    this.#inputs = inputs;
  }

  /** Compiles the first graph. */
  async prepare(): Promise<readonly CompiledGraph[]> {
    await this.#firstStep();
    return this.nets;
  }

  get nets(): readonly CompiledGraph[] {
    const netsOf = (step: Step): CompiledGraph[] => [...(step.net === null ? [] : [step.net]), ...step.next.flatMap(netsOf)];
    return this.#first === null ? [] : netsOf(this.#first);
  }

  dispose(): void {
    for (const net of this.nets) net.dispose();
    this.#first = null;
  }

  /** `given` are the tensors of the inputs by slot. */
  async run(given: ReadonlyMap<string, Tensor>): Promise<readonly Result[]> {
    const run = new Run();
    for (const [slot, tensor] of given) run.tensors.set(slot, tensor);
    const made = new Set<Tensor>();
    const kept = new Set<Tensor>();
    const bind = (slot: string): Tensor => {
      const known = run.tensors.get(slot);
      if (known !== undefined) return known;
      const supply = run.supplies.get(slot);
      if (supply === undefined) throw new TypeError(`nothing is kept in ${slot}`);
      const { bytes } = supply.data;
      // As the graph has it, flat.
      const tensor = this.#source.upload({ ...supply, dims: [(bytes.length * 8) / bitsOf(supply.dataType)] }, bytes);
      made.add(tensor);
      run.tensors.set(slot, tensor);
      return tensor;
    };
    try {
      for (let step = this.#first ?? (await this.#firstStep()); ; step = await this.#nextStep(step, run)) {
        if (step.net !== null) {
          const bindings = Object.fromEntries(Object.keys(step.net.inputs).map((slot) => [slot, bind(slot)]));
          for (const [slot, tensor] of Object.entries(await step.net.run(bindings))) {
            made.add(tensor);
            run.tensors.set(slot, tensor);
          }
        }
        if (step.request === null) {
          const results = step.outputs.map((item, i) => this.#result(item, `${i}`, run));
          for (const tensor of results.flat()) if (Tensor.is(tensor)) kept.add(tensor);
          return results;
        }
        run.answers.push(await this.#answer(step.request, step.slots, run));
      }
    } finally {
      for (const tensor of made) if (!kept.has(tensor)) tensor.dispose();
    }
  }

  #result(item: Item, place: string, run: Run): Result {
    if (item === null) return null;
    if (item instanceof Sequence) {
      return item.items.map((each, i) => this.#result(each, `${place}.${i}`, run) as Tensor | EmptyTensor);
    }
    const { dataType, dims } = item;
    if (dims.includes(0)) return { dataType, sizes: dims };
    if (!isHost(item)) return run.tensors.get(outputSlot(place)) ?? null;
    const { supply } = item.data;
    const data = supply === null ? item.data : (run.supplies.get(supply.slot)?.data ?? item.data);
    return this.#source.upload(item, packedBytes({ ...item, data }));
  }

  /** Reads what the request needs, and computes what it asks for. */
  async #answer({ operands, compute }: Request, slots: Step['slots'], run: Run): Promise<readonly HostOperand[]> {
    const given = await Promise.all(operands.map((operand, i) => this.#read(operand, slots[i] ?? '', run)));
    const depth = run.answers.length;
    const results = compute === null ? given : computed(compute, given);
    return results.map((result, i) => {
      const slot = `supply.${depth}.${i}`;
      const supplied = { ...result, data: new HostData(result.data.bytes, { slot, isConsulted: false }) };
      run.supplies.set(slot, supplied);
      return supplied;
    });
  }

  async #read(operand: Operand, slot: string, run: Run): Promise<HostOperand> {
    if (isHost(operand)) {
      const { supply } = operand.data;
      return { ...operand, data: supply === null ? operand.data : (run.supplies.get(supply.slot)?.data ?? operand.data) };
    }
    const tensor = this.#source.weightOf(operand.data) ?? run.tensors.get(slot);
    if (tensor === undefined) throw new TypeError('an operand that is read is kept');
    const { buffer, byteOffset, byteLength } = await tensor.read();
    return { ...operand, data: new HostData(new Uint8Array(buffer, byteOffset, byteLength)) };
  }

  #firstStep(): Promise<Step> {
    return this.#inTurn(async () => (this.#first ??= await this.#make([])));
  }

  #nextStep(step: Step, run: Run): Promise<Step> {
    const find = () => step.next.find(({ guards }) => guards.every((guard) => holds(guard, run)));
    const known = find();
    if (known !== undefined) return Promise.resolve(known);
    return this.#inTurn(async () => {
      const other = find();
      if (other !== undefined) return other;
      const made = await this.#make(run.answers);
      step.next.push(made);
      if (step.next.length > mostNext) disposeAll(step.next.shift());
      return made;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#making.then(work);
    this.#making = result.catch(() => undefined);
    return result;
  }

  /** Follows the model from the beginning, with the answers of a run, to the first request that has none. */
  async #make(answers: readonly (readonly HostOperand[])[]): Promise<Step> {
    const { tracer, trace } = this.#source.begin(this.#inputs);
    const supplies: HostOperand[] = [];
    let turn = trace.next();
    for (let depth = 0; turn.done !== true; depth++) {
      const kept = this.#keep(tracer, turn.value, depth);
      const answer = answers[depth];
      const guards = supplies.map(guardOf);
      if (answer === undefined) {
        const slots = turn.value.operands.map(({ data }) => (data instanceof DeviceData ? tracer.slotOf(data) : undefined));
        return { net: await this.#net(tracer, kept), request: turn.value, slots, outputs: [], guards, next: [] };
      }
      this.#source.continue(tracer);
      const given = answer.map((each) => ({ ...each, data: new HostData(each.data.bytes, supplyOf(each)) }));
      supplies.push(...given);
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
    return { net, request: null, slots: [], outputs: turn.value, guards: supplies.map(guardOf), next: [] };
  }

  /** What later graphs may read of the current one. */
  #keep(tracer: Tracer, { operands }: Request, depth: number): Readonly<Record<string, Operand>> {
    const kept: Record<string, Operand> = {};
    for (const operand of [...operands, ...tracer.live()]) {
      const { data, dataType } = operand;
      if (!(data instanceof DeviceData) || !tracer.isComputed(data)) continue;
      const slot = `kept.${depth}.${Object.keys(kept).length}`;
      kept[slot] = { dataType, isBool: false, dims: data.sizes, strides: null, data };
      tracer.keepIn(slot, data);
    }
    return kept;
  }

  async #net(tracer: Tracer, outputs: Readonly<Record<string, Operand>>): Promise<CompiledGraph | null> {
    return Object.keys(outputs).length === 0 ? null : this.#source.compile(tracer, outputs);
  }
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

function outputSlot(place: string): string {
  return `output.${place}`;
}

function supplyOf({ data }: HostOperand): { slot: string; isConsulted: boolean } {
  return { slot: data.supply?.slot ?? '', isConsulted: false };
}

function layoutOf({ dataType, dims }: Operand): string {
  return `${dataType} ${sizesOf(dims).join()} ${dims.length}`;
}

function guardOf(operand: HostOperand): Guard {
  const { bytes, supply } = operand.data;
  return { slot: supply?.slot ?? '', layout: layoutOf(operand), bytes: supply?.isConsulted === true ? bytes : null };
}

function holds({ slot, layout, bytes }: Guard, { supplies }: Run): boolean {
  const supply = supplies.get(slot);
  if (supply === undefined || layoutOf(supply) !== layout) return false;
  return bytes === null || Buffer.compare(bytes, supply.data.bytes) === 0;
}

function disposeAll(step: Step | undefined): void {
  step?.net?.dispose();
  step?.next.forEach(disposeAll);
}
