/** The data of a graph's constants, and the memory for it. */
import { constants as limits } from 'node:buffer';
import type { ConstantMemory } from '../../backends/backend.js';
import { copyOfBytes } from '../../tensors/bytes.js';
import { typedArrayLength } from '../../values/typed-array-name.js';
import { at, describe, fieldError, oneOf, shorten, type Place } from '../../values/errors.js';
import { minSharedBytes } from '../../graph/limits.js';
import type { ConstantData, GraphConstant } from '../../graph/resolved-graph.js';
import { didYouMean } from '../../values/near-names.js';
import { nodeModule } from '../../values/node-module.js';
import { argumentObject } from '../../values/arguments.js';
import { namesOf, readOwn } from '../../values/input.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { bufferSize, spanInBytes } from '../../tensors/tensor-size.js';
import { slotOf, type Subject } from '../operators/binding-plan.js';
import { bindTensor } from '../operators/bindings.js';
import type { BoundTensor } from '../operators/dispatch.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import type { DeviceContext } from '../device-context.js';
import { Tensor } from '../memory/tensor.js';
import { bytesOfTensor } from '../memory/tensor-data.js';

/** The engine's own, saved now because a program may replace the global later. */
const { WeakRef } = globalThis;

/** Data for a constant: a tensor, or a copy of the elements' bytes. `place` is that of the data. */
export function readConstant(place: Place, tensor: ResolvedTensor, data: unknown): Tensor | Uint8Array {
  return Tensor.is(data) ? data : copyOfBytes(bytesOfTensor(place, tensor, data));
}

/** Data for a constant, and who has its memory. `place` is that of the ownership. */
export function ownedConstant(place: Place, data: Tensor | Uint8Array, ownership: unknown): ConstantData {
  if (ownership !== undefined && ownership !== 'shared' && ownership !== 'directml') {
    throw fieldError('ERR_INVALID_ARGUMENT', place, `'shared' or 'directml'`, describe(ownership));
  }
  const isShared = ownership === undefined ? Tensor.is(data) || data.length > minSharedBytes : ownership === 'shared';
  return { data, ownership, isShared };
}

/** The data of constants by name, as the user gave it. */
export interface GivenConstants {
  readonly names: readonly string[];
  /** Reads the data of a constant; undefined if there is none. To be called once for each name that the graph has. */
  readonly read: (name: string) => unknown;
}

/** Reads the names of constants, but no data yet: a name that the graph does not have is an error before that. */
export function readConstants({ operator, field }: Place, constants: unknown): GivenConstants {
  const given = argumentObject(operator, field, constants);
  const place = { operator, field };
  const names = namesOf(given, place, 'ERR_INVALID_ARGUMENT');
  return { names, read: (name) => readOwn(given, name, place, 'ERR_INVALID_ARGUMENT') };
}

/** @throws {DirectMLError} ERR_UNKNOWN_BINDING for a name in `given` that is not one of the constants' names. */
export function refuseUnknown(given: Iterable<string>, names: readonly string[], place: Place): void {
  const known = new Set(names);
  for (const name of given) {
    if (known.has(name)) continue;
    const expected = names.length === 0 ? 'no name, because the graph has no constants' : oneOf(names);
    throw fieldError('ERR_UNKNOWN_BINDING', at(place, shorten(name)), expected, describe(name), { why: didYouMean(name, names) });
  }
}

/** base64 has 4 characters for 3 bytes. */
const maxTextBytes = Math.floor(limits.MAX_STRING_LENGTH / 4) * 3;

/** The bytes of a constant as base64. A script may have replaced the getters that Buffer would read, which then get the bytes. */
export function textOfBytes(name: string, bytes: Uint8Array): string {
  const length = Number(typedArrayLength(bytes));
  if (length > maxTextBytes) {
    const place = { operator: 'graph.toDescriptor', field: `constants.${shorten(name)}` };
    const why = 'graph.constant(tensor) leaves the data out, and the options of compileGraph take it';
    throw fieldError('ERR_SIZES', place, `at most ${maxTextBytes} bytes, as a string can hold`, `${length}`, { why });
  }
  const { StringDecoder } = nodeModule('node:string_decoder') as typeof import('node:string_decoder');
  return new StringDecoder('base64').end(bytes);
}

/** The bytes of a constant whose elements a graph descriptor has as base64. */
export function bytesOfText(place: Place, { dataType, sizes, strides }: ResolvedTensor, text: unknown): Uint8Array {
  if (text === undefined) {
    const why = 'the options of compileGraph take it too';
    throw fieldError('ERR_MISSING_BINDING', place, 'the elements as base64', 'nothing', { why });
  }
  const count = spanInBytes(dataType, sizes, strides);
  const bytes = typeof text === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
  if (bytes === null) throw fieldError('ERR_INVALID_ARGUMENT', place, 'the elements as base64', describe(text));
  if (bytes.length !== count) throw fieldError('ERR_SIZES', place, `${count} bytes`, `${bytes.length}`);
  return new Uint8Array(bytes);
}

/** Data that was uploaded for a graph. Graphs that have a constant with equal data share it. */
class Upload {
  readonly buffer: DirectMLBuffer;
  readonly #onUnused: () => void;
  #users = 0;

  constructor(buffer: DirectMLBuffer, onUnused: () => void) {
    this.buffer = buffer;
    this.#onUnused = onUnused;
  }

  use(): void {
    this.#users += 1;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#onUnused();
    this.buffer.dispose();
  }
}

/** The uploads that graphs use, by device, and by the length and hash of their data. */
const uploads = new WeakMap<DeviceContext, Map<string, Upload>>();
/** The hashes of the copies of data that graphs have, so that each is computed once. */
const hashes = new WeakMap<Uint8Array, string>();

/** The memory of constants, and what a compiled graph has to keep and to check. */
export interface Constants {
  readonly memories: readonly ConstantMemory[];
  /** Those that every dispatch binds. */
  readonly shared: readonly BoundTensor[];
  /** Call it once, when the graph no longer needs the constants. It does not keep the device alive: finalizers hold it. */
  readonly release: () => void;
}

/** Weak, because an upload leads to its device. A live device keeps the uploads that are in use. */
function releaserOf(used: readonly Upload[]): () => void {
  const weak = used.map((upload) => new WeakRef(upload));
  return () => weak.forEach((upload) => upload.deref()?.release());
}

/**
 * The memory of each constant. Data is uploaded into new buffers.
 *
 * @throws {DirectMLError} The errors of a binding for a tensor that does not fit; ERR_MISSING_BINDING for a constant without
 * data.
 */
export function constantMemories(context: DeviceContext, constants: readonly GraphConstant[]): Constants {
  const subject: Subject = { type: 'graph', label: '' };
  const slots = constants.map((constant, i) => slotOf('input', constant, i));
  const ranges = slots.map((slot, i) => {
    const data = constants[i]?.data;
    return bindTensor(subject, slot, Tensor.is(data) ? data : null, context);
  });
  const memories: ConstantMemory[] = [];
  const shared: BoundTensor[] = [];
  const used: Upload[] = [];
  try {
    for (const [i, { name, tensor, data, isShared }] of constants.entries()) {
      const slot = slots[i] ?? slotOf('input', { name, tensor }, i);
      let range = ranges[i] ?? null;
      if (range === null && isShared) {
        const upload = uploadOf(context, name, tensor, requireData(name, data));
        upload.use();
        used.push(upload);
        const { buffer } = upload;
        range = { buffer: buffer.memory, offset: 0, sizeInBytes: buffer.sizeInBytes, slot, owner: buffer };
      }
      if (range !== null && isShared) shared.push(range);
      memories.push({ range: range ?? newRange(context, name, tensor, data), isOwn: range === null });
    }
    return { memories, shared, release: releaserOf(used) };
  } catch (error) {
    for (const { range, isOwn } of memories) if (isOwn) range.buffer.dispose();
    for (const upload of used) upload.release();
    throw error;
  }
}

function uploadOf(context: DeviceContext, name: string, tensor: ResolvedTensor, data: Uint8Array): Upload {
  const sizeInBytes = bufferSize(tensor.totalTensorSizeInBytes);
  const key = `${sizeInBytes} ${hashOf(data)}`;
  const all = uploads.get(context) ?? new Map<string, Upload>();
  uploads.set(context, all);
  const known = all.get(key);
  if (known !== undefined) return known;
  const buffer = new DirectMLBuffer(context, sizeInBytes, name, 'tensor');
  buffer.write(data);
  const upload = new Upload(buffer, () => all.delete(key));
  all.set(key, upload);
  return upload;
}

function hashOf(data: Uint8Array): string {
  const hash = hashes.get(data) ?? crypto().createHash('sha256').update(data).digest('base64');
  hashes.set(data, hash);
  return hash;
}

function crypto(): typeof import('node:crypto') {
  return nodeModule('node:crypto') as typeof import('node:crypto');
}

function newRange({ backend }: DeviceContext, name: string, tensor: ResolvedTensor, data: unknown): ConstantMemory['range'] {
  const bytes = requireData(name, data);
  const sizeInBytes = bufferSize(tensor.totalTensorSizeInBytes);
  const buffer = backend.createBuffer(sizeInBytes);
  backend.write(buffer, 0, bytes);
  return { buffer, offset: 0, sizeInBytes };
}

function requireData(name: string, data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  const place = { operator: 'graph', field: `constants.${shorten(name)}` };
  throw fieldError('ERR_MISSING_BINDING', place, 'a tensor or data', 'nothing');
}
