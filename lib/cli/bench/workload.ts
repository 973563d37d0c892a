/** A row of `node-directml bench`: what it does and what its time is compared with. */
import { toFloat16Bits, type Device, type Tensor, type TensorDesc } from '../../index.js';
import type { Round } from './measure.js';

export type FloatType = 'float32' | 'float16';

/** The amount of work done once, as far as known. */
interface Amounts {
  /** Bytes that the adapter reads and writes, each once: the least that the operator needs. */
  readonly bytes?: number;
  /** Bytes transferred to or from the adapter. */
  readonly transferred?: number;
  /** Multiplications and additions. */
  readonly operations?: { readonly count: number; readonly dataType: FloatType };
  readonly elements?: number;
  readonly dispatches?: number;
}

/** Work that is ready to be measured. */
export interface Prepared {
  readonly name: string;
  readonly amounts: Amounts;
  readonly round: Round;
  /** False for work of the CPU, whose GPU time is meaningless. */
  readonly isOnGpu?: boolean;
}

export interface Workload {
  /** Its name for arguments and programs. */
  readonly id: string;
  /** The rows whose rates this one's are compared with. */
  readonly limits: readonly string[];
  /** Features that the adapter must support. */
  readonly dataType?: FloatType;
  prepare(device: Device): Prepared | Promise<Prepared>;
}

/** Small numbers, repeated. Zeros, subnormals and infinities could be faster or slower. */
const values = [-2.5, -0.5, 1.5, -1.5, 0.5];

/** A tensor of small numbers. */
export function filled<Type extends FloatType>(device: Device, desc: TensorDesc & { dataType: Type }): Tensor<Type> {
  const count = desc.sizes.reduce((product, size) => product * size, 1);
  const pattern = desc.dataType === 'float16' ? toFloat16Bits(values) : Float32Array.from(values);
  const data = desc.dataType === 'float16' ? new Uint16Array(count) : new Float32Array(count);
  data.set(pattern.subarray(0, count));
  // Each copy doubles the filled part, so whole patterns follow each other.
  for (let done = pattern.length; done < count; done *= 2) data.copyWithin(done, 0, done);
  const tensor = device.createTensor(desc);
  tensor.write(data.buffer);
  return tensor;
}

/** Does the work several times without waiting, and then waits for all of it. */
export function thenIdle(device: Device, work: () => void): Round {
  return async (repeats) => {
    for (let i = 0; i < repeats; i++) work();
    await device.idle();
  };
}

/** Waits for the work each time. */
export function eachAwaited(work: () => Promise<unknown>): Round {
  return async (repeats) => {
    for (let i = 0; i < repeats; i++) await work();
  };
}
