/** The objects and the valid arguments from which malformed calls of the native boundary are made. */
import type { NativeBinding } from '#lib/backends/directml/addon.js';
import type {
  NativeBuffer,
  NativeDevice,
  NativeGraphDesc,
  NativeOperator,
  NativeOperatorDesc,
  NativeRanges,
} from '../../binding.js';
import type { Random } from '../random.js';

export interface Boundary {
  readonly binding: NativeBinding;
  readonly directory: string;
  readonly rows: ReturnType<NativeBinding['operatorTable']>;
  readonly device: NativeDevice;
  readonly buffer: NativeBuffer;
  /** Another buffer of the same size. */
  readonly target: NativeBuffer;
  readonly operator: NativeOperator;
  /** {@link sampleGraph}, compiled. */
  readonly graph: NativeOperator;
  /** Objects of another device. */
  readonly foreign: { readonly buffer: NativeBuffer; readonly operator: NativeOperator; readonly graph: NativeOperator };
  /** Objects that were disposed of. */
  readonly deadBuffer: NativeBuffer;
  readonly deadOperator: NativeOperator;
  readonly deadGraph: NativeOperator;
  readonly deadDevice: NativeDevice;
}

/** A call to make. If it returns a promise, that is awaited. */
export interface Call {
  readonly label: string;
  run(): unknown;
  /** True if the error shows that the value was well-formed after all. */
  skip?(error: unknown): boolean;
  /** True if the value may be well-formed, so that the call may succeed. */
  readonly mayPass?: boolean;
}

export type Make = (random: Random, at: Boundary) => Call;

/** No such execution flag: a well-formed descriptor is refused right after it was marshalled, and never reaches DirectML. */
export const NO_FLAG = 8;

const OWNED_BY_DML = 1;

/** Sizes `[1, 1, rows, 4 / rows]`, 16 bytes. */
export const tensor = (rows = 1, flags = 0) => ({
  dataType: 1,
  flags,
  sizes: [1, 1, rows, 4 / rows],
  strides: null,
  totalTensorSizeInBytes: 16,
  guaranteedBaseOffsetAlignment: 0,
});

/** A well-formed descriptor of DML_OPERATOR_ELEMENT_WISE_IDENTITY, as the binding takes it. */
export const identity = (flags = 0) => ({ type: 1, inputTensor: tensor(1, flags), outputTensor: tensor(), scaleBias: null });

/** DML_OPERATOR_ELEMENT_WISE_ADD. */
export const add = (bFlags = 0): NativeOperatorDesc => ({
  type: 4,
  aTensor: tensor(),
  bTensor: tensor(1, bFlags),
  outputTensor: tensor(),
});

/** A well-formed graph: `sum` is the identity of `x`, plus `bias`. DirectML owns `bias`. */
export const sampleGraph = (): NativeGraphDesc => ({
  operators: [identity(), add(OWNED_BY_DML)],
  nodes: Uint32Array.of(0, 1),
  inputEdges: Uint32Array.of(0, 0, 0, 1, 1, 1),
  outputEdges: Uint32Array.of(1, 0, 0),
  intermediateEdges: Uint32Array.of(0, 0, 1, 0),
  inputs: ['x', 'bias', 'unused'],
  outputs: ['sum', 'unused'],
});

export function call(object: object, method: string, receiver: unknown, args: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(object, method);
  if (typeof found !== 'function') throw new Error(`there is no ${method}`);
  return Reflect.apply(found, receiver, args);
}

/** Binds the first 16 bytes of each buffer; null for none. */
export const ranges = (...buffers: readonly (NativeBuffer | null)[]): NativeRanges =>
  Float64Array.from(buffers.flatMap((buffer) => (buffer === null ? [0, 0, 0] : [buffer.number, 0, 16])));

/** Valid bindings of {@link sampleGraph}. */
export const sampleRanges = ({ buffer, target }: Boundary) => ({
  initialization: ranges(null, buffer, null),
  dispatch: ranges(buffer, null, null, target, null),
});

export function hasField(error: unknown, field: string): boolean {
  return error instanceof Error && 'field' in error && error.field === field;
}
