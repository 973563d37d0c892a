/**
 * The backend in pure TypeScript. It runs where DirectML is not available, and its results are what the real DirectML's are
 * compared with. It executes every command as soon as it is recorded, and so in the recorded order.
 */
import { dataTypes } from '../../data-types/table.js';
import type { DeviceInfo, DeviceLostInfo } from '../device-info.js';
import { DirectMLError } from '../../errors.js';
import type { OperatorType } from '../../schema/generated/descriptors.js';
import type { Resolved, ResolvedOperator, ResolvedTensor, TensorSlot } from '../../validation/resolved.js';
import type { Backend, BackendBuffer, BackendDispatchable, BufferRange, CompileFlags } from '../backend.js';
import { kernels } from './kernels/index.js';
import type { Tensors } from './kernels/kernel.js';
import { viewTensor, type TensorView } from './compute/tensor-view.js';

export function createReferenceBackend(): Backend {
  return new ReferenceBackend();
}

const INFO: DeviceInfo = Object.freeze({
  backend: 'reference' as const,
  adapter: null,
  directmlPath: null,
  directmlVersion: null,
  featureLevel: '6.4' as const,
  tensorDataTypes: dataTypes,
});

class ReferenceBackend implements Backend {
  readonly info = INFO;
  readonly lost: Promise<DeviceLostInfo>;
  #lose: (info: DeviceLostInfo) => void = () => undefined;

  constructor() {
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  createBuffer(sizeInBytes: number): BackendBuffer {
    return new ReferenceBuffer(sizeInBytes);
  }

  compile(
    operator: ResolvedOperator,
    _flags: CompileFlags,
    owned: readonly (BufferRange | null)[],
  ): Promise<BackendDispatchable> {
    return Promise.resolve(new ReferenceOperator(operator, owned.map(copyOf)));
  }

  dispatch(
    operator: BackendDispatchable,
    inputs: readonly (BufferRange | null)[],
    outputs: readonly (BufferRange | null)[],
  ): void {
    if (!(operator instanceof ReferenceOperator)) throw new TypeError('the operator belongs to another backend');
    const { descriptor, slots } = operator.resolved;
    const boundInputs = inputs.map((range, position) => operator.owned[position] ?? copyIfShared(range, outputs));
    run(descriptor.type, descriptor, tensorsOf(slots, boundInputs, outputs));
  }

  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void {
    bytesOf(buffer).set(data, offset);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error has to become a rejection
  async read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ArrayBuffer> {
    return bytesOf(buffer).slice(offset, offset + sizeInBytes).buffer;
  }

  submit(): void {
    // Everything has run already.
  }

  async idle(): Promise<void> {
    // Everything has run already.
  }

  dispose(): void {
    this.#lose({ reason: 'destroyed', message: 'the device was disposed' });
  }
}

class ReferenceBuffer implements BackendBuffer {
  readonly sizeInBytes: number;
  bytes: Uint8Array<ArrayBuffer>;

  constructor(sizeInBytes: number) {
    this.sizeInBytes = sizeInBytes;
    try {
      this.bytes = new Uint8Array(sizeInBytes);
    } catch (cause) {
      throw new DirectMLError('ERR_OUT_OF_MEMORY', `a buffer of ${sizeInBytes} bytes cannot be allocated`, {
        cause,
      });
    }
  }

  setLabel(): void {
    // Labels are for GPU debuggers, which do not see this buffer.
  }

  dispose(): void {
    this.bytes = new Uint8Array(0);
  }
}

class ReferenceOperator implements BackendDispatchable {
  readonly resolved: ResolvedOperator;
  /** Copies of the inputs with `flags: 'ownedByDml'`, by position; null for all others. */
  readonly owned: readonly (BufferRange | null)[];

  constructor(resolved: ResolvedOperator, owned: readonly (BufferRange | null)[]) {
    this.resolved = resolved;
    this.owned = owned;
  }

  dispose(): void {
    // Holds no resources.
  }
}

/** Runs an operator's kernel. The type parameter tells the compiler that operator, kernel and tensors belong together. */
function run<Type extends OperatorType>(type: Type, operator: Resolved<Type>, tensors: Tensors<Type>): void {
  kernels[type](operator, tensors);
}

/**
 * Views of an operator's tensors by field name. The cast is safe: the slots come from the operator's table, from which the type
 * is generated as well, so there is one slot for each tensor field; and validation has made sure that every required tensor is
 * bound.
 */
function tensorsOf(
  slots: readonly TensorSlot[],
  inputs: readonly (BufferRange | null)[],
  outputs: readonly (BufferRange | null)[],
): Tensors<OperatorType> {
  const tensors: Record<string, TensorView | null | TensorView[]> = { __proto__: null };
  for (const { field, isArray, role, position, tensor } of slots) {
    const range = (role === 'input' ? inputs : outputs)[position] ?? null;
    const view = tensor === null || range === null ? null : viewOf(tensor, range);
    const others = tensors[field];
    if (!isArray) tensors[field] = view;
    else if (view !== null && Array.isArray(others)) others.push(view);
    else tensors[field] = view === null ? [] : [view];
  }
  const views: object = tensors;
  return views as Tensors<OperatorType>;
}

function viewOf(tensor: ResolvedTensor, range: BufferRange): TensorView {
  const { buffer, byteOffset } = bytesOf(range.buffer);
  return viewTensor(tensor, new Uint8Array(buffer, byteOffset + range.offset, range.sizeInBytes));
}

/** A copy of an input that an output is to overwrite: kernels may write an output before they have read all inputs. */
function copyIfShared(range: BufferRange | null, outputs: readonly (BufferRange | null)[]): BufferRange | null {
  return range !== null && outputs.some((output) => output !== null && share(range, output)) ? copyOf(range) : range;
}

/** True if the ranges have bytes in common. */
function share(a: BufferRange, b: BufferRange): boolean {
  return a.buffer === b.buffer && a.offset < b.offset + b.sizeInBytes && b.offset < a.offset + a.sizeInBytes;
}

function copyOf(range: BufferRange | null): BufferRange | null {
  if (range === null) return null;
  const { offset, sizeInBytes } = range;
  const buffer = new ReferenceBuffer(sizeInBytes);
  buffer.bytes.set(bytesOf(range.buffer).subarray(offset, offset + sizeInBytes));
  return { buffer, offset: 0, sizeInBytes };
}

function bytesOf(buffer: BackendBuffer): Uint8Array<ArrayBuffer> {
  if (!(buffer instanceof ReferenceBuffer)) throw new TypeError('the buffer belongs to another backend');
  return buffer.bytes;
}
