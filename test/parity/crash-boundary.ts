/** The objects and the valid arguments from which malformed calls of the native boundary are made. */
import type { NativeBinding } from '#lib/backends/directml/addon.js';
import type { NativeBuffer, NativeDevice, NativeOperator } from '../../binding.js';
import type { Random } from '../random.js';

export interface Boundary {
  readonly binding: NativeBinding;
  readonly directory: string;
  readonly rows: ReturnType<NativeBinding['operatorTable']>;
  readonly device: NativeDevice;
  readonly buffer: NativeBuffer;
  readonly operator: NativeOperator;
  /** Objects of another device. */
  readonly foreign: { readonly buffer: NativeBuffer; readonly operator: NativeOperator };
  /** Objects that were disposed of. */
  readonly deadBuffer: NativeBuffer;
  readonly deadOperator: NativeOperator;
  readonly deadDevice: NativeDevice;
}

/** A call to make. If it returns a promise, that is awaited. */
export interface Call {
  readonly label: string;
  run(): unknown;
  /** True if the error shows that the value was well-formed after all. */
  skip?(error: unknown): boolean;
}

export type Make = (random: Random, at: Boundary) => Call;

/** No such execution flag: a well-formed descriptor is refused right after it was marshalled, and never reaches DirectML. */
export const NO_FLAG = 8;

/** A well-formed descriptor of DML_OPERATOR_ELEMENT_WISE_IDENTITY, as the binding takes it. */
export const identity = () => {
  const tensor = () => ({
    dataType: 1,
    flags: 0,
    sizes: [1, 1, 1, 4],
    strides: null,
    totalTensorSizeInBytes: 16,
    guaranteedBaseOffsetAlignment: 0,
  });
  return { type: 1, inputTensor: tensor(), outputTensor: tensor(), scaleBias: null };
};

export function call(object: object, method: string, receiver: unknown, args: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(object, method);
  if (typeof found !== 'function') throw new Error(`there is no ${method}`);
  return Reflect.apply(found, receiver, args);
}

/** A valid binding of 16 bytes. */
export const binding = (at: Boundary) => ({ buffer: at.buffer, offset: 0, sizeInBytes: 16 });
