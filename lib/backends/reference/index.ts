/**
 * The backend in pure TypeScript: the device of machines without DirectML, and the twin that the real DirectML is
 * compared with. It runs every command the moment it is recorded, which is the recorded order.
 */
import type { DeviceInfo, DeviceLostInfo } from '../../device-info.js';
import { DirectMLError } from '../../errors.js';
import type { DataType } from '../../schema/generated/enums.js';
import { operatorTable } from '../../schema/generated/table.js';
import type { ResolvedOperator, ResolvedTensor } from '../../validation/resolved.js';
import type { Backend, BackendBuffer, BackendOperator, BufferRange, CompileFlags } from '../backend.js';
import { kernels } from './kernels/index.js';
import { isTensor } from './kernels/kernel.js';
import { viewTensor, type TensorView } from './tensor-view.js';

export function createReferenceBackend(): Backend {
  return new ReferenceBackend();
}

const INFO: DeviceInfo = Object.freeze({
  backend: 'reference' as const,
  adapter: null,
  directmlPath: null,
  directmlVersion: null,
  featureLevel: '6.4' as const,
  tensorDataTypes: Object.freeze<DataType[]>([
    'float32',
    'float16',
    'uint32',
    'uint16',
    'uint8',
    'int32',
    'int16',
    'int8',
    'float64',
    'uint64',
    'int64',
    'uint4',
    'int4',
  ]),
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
  ): Promise<BackendOperator> {
    return Promise.resolve(new ReferenceOperator(operator, owned.map(copyOf)));
  }

  dispatch(
    operator: BackendOperator,
    inputs: readonly (BufferRange | null)[],
    outputs: readonly (BufferRange | null)[],
  ): void {
    if (!(operator instanceof ReferenceOperator))
      throw new TypeError('the operator belongs to another backend');
    const { resolved } = operator;
    const all = inputs.map((range, position) => operator.owned[position] ?? range);
    kernels[resolved.type](resolved, viewsOf(operator.inputs, all), viewsOf(operator.outputs, outputs));
  }

  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void {
    bytesOf(buffer).set(data, offset);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws has to become a rejection
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
    // No debugger shows it.
  }

  dispose(): void {
    this.bytes = new Uint8Array(0);
  }
}

class ReferenceOperator implements BackendOperator {
  readonly resolved: ResolvedOperator;
  readonly inputs: readonly (ResolvedTensor | null)[];
  readonly outputs: readonly (ResolvedTensor | null)[];
  /** Copies of the inputs that it took over, by position. */
  readonly owned: readonly (BufferRange | null)[];

  constructor(resolved: ResolvedOperator, owned: readonly (BufferRange | null)[]) {
    this.resolved = resolved;
    this.owned = owned;
    this.inputs = tensorsOf(resolved, 'input');
    this.outputs = tensorsOf(resolved, 'output');
  }

  dispose(): void {
    // Holds no resources.
  }
}

function tensorsOf(operator: ResolvedOperator, role: 'input' | 'output'): (ResolvedTensor | null)[] {
  return operatorTable[operator.type].fields
    .filter((field) => field.role === role)
    .flatMap((field) => {
      const value = operator.fields[field.name];
      return field.kind === 'tensorArray' && Array.isArray(value)
        ? value.filter(isTensor)
        : isTensor(value)
          ? value
          : null;
    });
}

function viewsOf(
  tensors: readonly (ResolvedTensor | null)[],
  ranges: readonly (BufferRange | null)[],
): (TensorView | null)[] {
  return tensors.map((tensor, position) => {
    const range = ranges[position];
    if (tensor === null || range === null || range === undefined) return null;
    const { buffer, byteOffset } = bytesOf(range.buffer);
    return viewTensor(tensor, new Uint8Array(buffer, byteOffset + range.offset, range.sizeInBytes));
  });
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
