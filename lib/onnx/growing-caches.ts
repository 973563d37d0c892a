/**
 * Caches of keys and values that grow with each token. A graph has fixed sizes, so that each length would need a graph of its own.
 * Instead, the caches have room for 2^n tokens on the device, and the program sees the part that is in use.
 */
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { viewElements, type TypedArrayFor } from '../api/memory/typed-arrays.js';
import { runOn } from '../api/operators/device-operators.js';
import { partOfBytes } from '../data-types/bytes.js';
import { bitsOf } from '../data-types/table.js';
import type { DataType } from '../schema/generated/enums.js';
import { packedStrides, productOf } from '../validation/tensor-size.js';
import { growingOf, lengthAfter, lengthBefore, withLength, type Growing } from './cache-inputs.js';
import { Elements } from './model.js';
import { roomFor } from './operators/attention-helpers.js';
import type { Computed, Placement, Result } from './plan.js';
import type { ModelProto } from './proto.js';

export type Given = ReadonlyMap<string, Tensor | Elements>;

/** The inputs of a run with room. */
export interface Grown {
  readonly given: Given;
  /** How long the caches will be; null if the run tells. */
  readonly length: number | null;
  /** To be disposed of after the run. */
  readonly copies: readonly Tensor[];
  /** The sizes of the inputs. */
  readonly key: string;
}

/** The tensors with room, by the views that the program has. */
const whole = new WeakMap<Tensor, Tensor>();

/** The tensor that has the memory of a view with room behind its elements. */
export function wholeOf(tensor: Tensor): Tensor {
  return whole.get(tensor) ?? tensor;
}

/** The elements in order, also of a tensor with room behind them. */
export async function elementsIn(tensor: Tensor): Promise<TypedArrayFor<DataType>> {
  const memory = whole.get(tensor);
  if (memory === undefined) return tensor.read();
  const { dataType, sizes } = tensor;
  const all = await memory.read();
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
  readonly #growing: Growing | null;
  #isStopped = false;
  /** The last run with room. */
  #last: { readonly key: string; readonly placement: Placement } | null = null;

  constructor(context: DeviceContext, model: ModelProto) {
    this.#context = context;
    this.#growing = growingOf(model.graph);
    this.model = this.#growing === null ? model : { ...model, graph: withLength(model.graph, this.#growing) };
  }

  /** Null for a run whose caches do not grow, such as the first one. */
  async enter(given: Given): Promise<Grown | null> {
    if (this.#growing === null || this.#isStopped) return null;
    const { pasts, total, isMask, isTold } = this.#growing;
    const counted = given.get(total ?? '');
    const sizes = pasts.map((name) => given.get(name)?.sizes ?? []);
    const [before = 0] = sizes.map((each) => each[2]);
    const isFilled = sizes.every((each) => each.length === 4 && !each.includes(0) && each[2] === before);
    const length = total === null ? before + 1 : isMask ? counted?.sizes.at(-1) : numberIn(counted);
    if (!isFilled || length === undefined || length <= before) return null;
    const room = roomFor(length);
    const copies: Tensor[] = [];
    const result = new Map(given);
    const widen = async (name: string, axis: number) => {
      const own = given.get(name);
      if (own !== undefined) result.set(name, await this.#withRoom(own, axis, room, copies));
    };
    for (const name of pasts) await widen(name, 2);
    if (total !== null && isMask) await widen(total, (counted?.sizes.length ?? 1) - 1);
    else if (total !== null) result.set(total, numberAs(counted?.sizes ?? [1], room));
    const key = Array.from(result.values(), (each) => each.sizes.join()).join(' ');
    if (!isTold) return { given: result, length, copies, key };
    return { given: result.set(lengthBefore, numberAs([1], before)), length: null, copies, key };
  }

  /** The outputs without the room behind their elements. `placement` is that of the run. */
  leave(outputs: ReadonlyMap<string, Result>, { length, key }: Grown, placement: Placement): ReadonlyMap<string, Result> {
    // The model needs the length for sizes or positions, so that each length has a graph of its own.
    if (length === null && this.#last?.key === key && this.#last.placement !== placement) this.stop();
    this.#last = { key, placement };
    const told = outputs.get(lengthAfter);
    const own = length ?? (told && 'bytes' in told ? numberIn(told) : undefined) ?? 0;
    const results = Array.from(outputs, ([name, result]) => {
      const isPresent = this.#growing?.presents.has(name) === true && result !== null && 'tensor' in result;
      return [name, isPresent ? withoutRoom(result, own) : result] as const;
    });
    return new Map(results);
  }

  /** For a model that cannot compute with masks and caches of other lengths. */
  stop(): void {
    this.#isStopped = true;
  }

  async #withRoom(given: Tensor | Elements, axis: number, room: number, copies: Tensor[]): Promise<Tensor | Elements> {
    if (given instanceof Elements) return elementsWithRoom(given, axis, room);
    const known = wholeOf(given);
    if (known.sizes[axis] === room && known.strides === null) return known;
    const copy = await copied(this.#context, given, axis, room);
    copies.push(copy);
    return copy;
  }
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

function withoutRoom(result: Computed, length: number): Computed {
  const { tensor, dims } = result;
  if (tensor === null || dims.length !== 4) return result;
  const sizes = dims.with(2, length);
  const view = tensor.view({ sizes, strides: packedStrides(dims) });
  whole.set(view, tensor);
  return { ...result, dims: sizes, tensor: view };
}

function numberIn(given: Tensor | Pick<Elements, 'dataType' | 'bytes'> | undefined): number | undefined {
  if (given === undefined || !('bytes' in given) || given.dataType !== 'int32' || given.bytes?.length !== 4) return undefined;
  return new DataView(given.bytes.buffer, given.bytes.byteOffset).getInt32(0, true);
}

function numberAs(sizes: readonly number[], value: number): Elements {
  return new Elements('int32', sizes, new Uint8Array(Int32Array.of(value).buffer));
}
