/**
 * Caches of keys and values that grow with each token. A graph has fixed sizes, so that each length would need a graph of its own.
 * Instead, the caches have room for 2^n tokens on the device, and the program sees the part that is in use.
 */
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { viewElements, type TypedArrayFor } from '../api/memory/typed-arrays.js';
import { runOn } from '../api/operators/device-operators.js';
import { partOfBytes } from '../tensors/bytes.js';
import { bitsOf } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { packedStrides, productOf } from '../tensors/tensor-size.js';
import { growingOf, lengthAfter, lengthBefore, withLength, type Growing } from './cache-inputs.js';
import { Elements } from './inputs.js';
import { roomFor } from './operators/attention-helpers.js';
import type { Computed, Placement, Result } from './plan.js';
import type { ModelProto } from './proto.js';
import { tensorOn } from './weights.js';

export type Given = ReadonlyMap<string, Tensor | Elements>;

/** The inputs of a run with room. */
interface Grown {
  readonly given: Map<string, Tensor | Elements>;
  /** How long the caches will be; null if the run tells. */
  readonly length: number | null;
  /** What the run holds until its end. */
  readonly held: readonly Memory[];
  /** The caches to which operators may append. */
  readonly roomy: ReadonlySet<unknown>;
  /** The sizes of the inputs. */
  readonly key: string;
}

/** A tensor with room. Views of several lengths may lie in it, of which the longest can be appended to. */
class Memory {
  readonly tensor: Tensor;
  /** The places that a view uses, or the present of a run will use. */
  used: number;
  /** The views and the runs that need the tensor. */
  #users = 0;

  constructor(tensor: Tensor, used: number) {
    this.tensor = tensor;
    this.used = used;
  }

  hold(): this {
    this.#users += 1;
    return this;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users === 0) this.tensor.dispose();
  }
}

/** By the views that the program has. */
const memories = new WeakMap<Tensor, Memory>();

/** Disposes of a tensor, or of a view and of its memory if nothing else uses that. */
export function disposeOf(tensor: Tensor): void {
  const memory = memories.get(tensor);
  memories.delete(tensor);
  if (memory === undefined) tensor.dispose();
  else memory.release();
}

/** The elements in order, also of a tensor with room behind them. */
export function elementsIn(tensor: Tensor): Promise<TypedArrayFor<DataType>> {
  const memory = memories.get(tensor);
  return memory === undefined ? tensor.readWithin() : usedElements(tensor, memory);
}

async function usedElements({ dataType, sizes }: Tensor, memory: Memory): Promise<TypedArrayFor<DataType>> {
  const all = await memory.tensor.readWithin();
  const bytes = new Uint8Array(all.buffer, all.byteOffset, all.byteLength);
  const rows = productOf(sizes.slice(0, 2));
  const used = (productOf(sizes) * bitsOf(dataType)) / 8 / rows;
  return viewElements(dataType, withRows(bytes, rows, used).buffer, productOf(sizes));
}

/** The rows with other lengths in bytes: without their ends, or with zeros behind them. */
function withRows(bytes: Uint8Array, rows: number, length: number): Uint8Array<ArrayBuffer> {
  const own = bytes.length / rows;
  const result = new Uint8Array(rows * length);
  for (let row = 0; row < rows; row++) {
    result.set(partOfBytes(bytes, row * own, row * own + Math.min(own, length)), row * length);
  }
  return result;
}

export class GrowingCaches {
  /** The model that computes with such caches. */
  readonly model: ModelProto;
  readonly #context: DeviceContext;
  readonly #growing: Growing;
  #isStopped = false;
  /** The last run with room. */
  #last: { readonly key: string; readonly placement: Placement } | null = null;

  private constructor(context: DeviceContext, model: ModelProto, growing: Growing) {
    this.#context = context;
    this.#growing = growing;
    this.model = { ...model, graph: withLength(model.graph, growing) };
  }

  /** Null if the model has no caches that grow. */
  static of(context: DeviceContext, model: ModelProto): GrowingCaches | null {
    const growing = growingOf(model.graph);
    return growing && new GrowingCaches(context, model, growing);
  }

  /** Null for a run whose caches do not grow, such as the first one. */
  async enter(given: Given): Promise<Grown | null> {
    if (this.#isStopped) return null;
    const { pasts, total, isMask, isTold } = this.#growing;
    const counted = given.get(total ?? '');
    const sizes = pasts.map((name) => given.get(name)?.sizes ?? []);
    const [before = 0] = sizes.map((each) => each[2]);
    const isFilled = sizes.every((each) => each.length === 4 && !each.includes(0) && each[2] === before);
    const length = total === null ? before + 1 : isMask ? counted?.sizes.at(-1) : numberIn(counted);
    if (!isFilled || length === undefined || length <= before) return null;
    const room = roomFor(length);
    const held: Memory[] = [];
    const result = new Map(given);
    const grown = { given: result, held, roomy: new Set(), length };
    try {
      for (const name of pasts) {
        const own = given.get(name);
        const memory = own && (await this.#memoryOf(own, room, before, length)).hold();
        if (memory === undefined) continue;
        held.push(memory);
        result.set(name, memory.tensor);
        if (!isTold) grown.roomy.add(memory.tensor);
      }
      if (total !== null && isMask && counted !== undefined) result.set(total, await this.#withRoom(counted, room, held));
      else if (total !== null) result.set(total, numberAs(counted?.sizes ?? [1], room));
    } catch (error) {
      end(held);
      throw error;
    }
    const key = Array.from(result.values(), (each) => each.sizes.join()).join(' ');
    if (!isTold) return { ...grown, key };
    return { ...grown, given: result.set(lengthBefore, numberAs([1], before)), length: null, key };
  }

  /** The outputs without the room behind their elements. `placement` is that of the run. */
  leave(outputs: ReadonlyMap<string, Result>, { length, key, held }: Grown, placement: Placement): ReadonlyMap<string, Result> {
    // The model needs the length for sizes or positions, so that each length has a graph of its own.
    if (length === null && this.#last?.key === key && this.#last.placement !== placement) this.stop();
    this.#last = { key, placement };
    const told = outputs.get(lengthAfter);
    const own = length ?? (told && 'bytes' in told ? numberIn(told) : undefined) ?? 0;
    const results = Array.from(outputs, ([name, result]) => {
      const isPresent = this.#growing.presents.has(name) && result !== null && 'tensor' in result;
      return [name, isPresent ? withoutRoom(result, own, held) : result] as const;
    });
    return new Map(results);
  }

  /** For a model that cannot compute with masks and caches of other lengths. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The memory of a past with this room: its own, unless another run has appended to it. */
  async #memoryOf(past: Tensor | Elements, room: number, before: number, length: number): Promise<Memory> {
    const isTold = this.#growing.isTold;
    const own = Tensor.is(past) ? memories.get(past) : undefined;
    if (own?.tensor.sizes[2] === room && (isTold || own.used === before)) {
      if (!isTold) own.used = length;
      return own;
    }
    if (Tensor.is(past)) return new Memory(await copied(this.#context, past, 2, room), length);
    const { dataType, sizes, bytes } = elementsWithRoom(past, 2, room);
    const tensor = tensorOn(this.#context, { dataType, sizes }, { operator: 'session.run', field: 'feeds' });
    if (bytes !== null) tensor.buffer.write(bytes, tensor.offset);
    return new Memory(tensor, length);
  }

  /** A mask with zeros behind it. */
  async #withRoom(mask: Tensor | Elements, room: number, held: Memory[]): Promise<Tensor | Elements> {
    const axis = mask.sizes.length - 1;
    if (!Tensor.is(mask)) return elementsWithRoom(mask, axis, room);
    const memory = new Memory(await copied(this.#context, mask, axis, room), room).hold();
    held.push(memory);
    return memory.tensor;
  }
}

/** Ends a run. */
export function end(held: readonly Memory[]): void {
  for (const memory of held) memory.release();
}

/** A packed copy of a tensor, perhaps with room along an axis. */
export async function copied(context: DeviceContext, tensor: Tensor, axis = 0, room = tensor.sizes[axis] ?? 1): Promise<Tensor> {
  const { dataType, sizes } = tensor;
  const { outputTensor } = await runOn(context, {
    type: 'padding1',
    inputTensor: tensor,
    outputTensor: { dataType, sizes: sizes.with(axis, room) },
    ...{ paddingMode: 'constant', paddingValueDataType: dataType, paddingValue: dataType === 'int64' ? 0n : 0 },
    startPadding: sizes.map(() => 0),
    endPadding: sizes.map((size, i) => (i === axis ? room - size : 0)),
  });
  if (!Tensor.is(outputTensor)) throw new TypeError('a padding has an output');
  return outputTensor;
}

function elementsWithRoom({ dataType, sizes, bytes }: Elements, axis: number, room: number): Elements {
  const rows = productOf(sizes.slice(0, axis));
  const own = bytes ?? new Uint8Array();
  const length = (own.length / rows / (sizes[axis] ?? 1)) * room;
  return new Elements(dataType, sizes.with(axis, room), withRows(own, rows, length));
}

/** The view that the program gets. */
function withoutRoom(result: Computed, length: number, held: readonly Memory[]): Computed {
  const { tensor, dims } = result;
  if (tensor === null || dims.length !== 4) return result;
  const sizes = dims.with(2, length);
  const view = tensor.view({ sizes, strides: packedStrides(dims) });
  const memory = held.find((each) => each.tensor === tensor) ?? new Memory(tensor, length);
  memories.set(view, memory.hold());
  return { ...result, dims: sizes, tensor: view };
}

function numberIn(given: Tensor | Pick<Elements, 'dataType' | 'bytes'> | undefined): number | undefined {
  if (given === undefined || !('bytes' in given) || given.dataType !== 'int32' || given.bytes?.length !== 4) return undefined;
  return new DataView(given.bytes.buffer, given.bytes.byteOffset).getInt32(0, true);
}

function numberAs(sizes: readonly number[], value: number): Elements {
  return new Elements('int32', sizes, new Uint8Array(Int32Array.of(value).buffer));
}
