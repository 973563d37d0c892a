/** The objects and the valid arguments from which malformed calls of the native boundary are made. */
import { loadAddon } from '#lib/backends/directml/addon.js';
import type {
  NativeBuffer,
  NativeDevice,
  NativeFence,
  NativeGraphDesc,
  NativeOperatorDesc,
  NativeRanges,
} from '../../../binding.js';
import type { Random } from '../../harness/random.js';

/**
 * `graph` is the compiled {@link sampleGraph}, `target` is another buffer of the same size, and `dead…` objects are disposed of.
 */
export type Boundary = Awaited<ReturnType<typeof openBoundary>>;

/** A call to make. If it returns a promise, that is awaited. */
export interface Call {
  readonly label: string;
  run(): unknown;
  /** True if the value may be well-formed, so that the call may succeed, or is refused for {@link NO_FLAG}. */
  readonly mayPass?: boolean;
}

export type Make = (random: Random, at: Boundary) => Call;

export async function openBoundary() {
  const { binding, directory } = loadAddon();
  const make = () => binding.createDevice({ addonDirectory: directory });
  const [device, other, deadDevice] = [await make(), await make(), await make()];
  const [buffer, target, deadBuffer] = [device.createBuffer(16), device.createBuffer(16), device.createBuffer(16)];
  const foreignBuffer = other.createBuffer(16);
  const closed = openAndClose(device);
  // Kept: the handle of an object that is collected is closed, and another object may get its value.
  const [sharedBuffer, sharedFence] = [device.createBuffer(16, ''), device.createFence('')];
  const handles = { buffer: handleOf(sharedBuffer), fence: handleOf(sharedFence), closed };
  const compile = (on: NativeDevice) => on.compileOperator(identity(), 0);
  const compileGraph = (on: NativeDevice, bias: NativeBuffer) => on.compileGraph(sampleGraph(), 0, ranges(null, bias, null));
  const [operator, deadOperator] = [await compile(device), await compile(device)];
  const [graph, deadGraph] = [await compileGraph(device, buffer), await compileGraph(device, buffer)];
  for (const object of [deadBuffer, deadOperator, deadGraph, deadDevice]) object.dispose();
  /** Objects of another device. */
  const foreign = { buffer: foreignBuffer, operator: await compile(other), graph: await compileGraph(other, foreignBuffer) };
  const dead = { deadBuffer, deadOperator, deadGraph, deadDevice };
  return {
    binding,
    directory,
    rows: binding.operatorTable(),
    device,
    buffer,
    target,
    operator,
    graph,
    foreign,
    handles,
    ...{ sharedBuffer, sharedFence },
    ...dead,
  };
}

/** A handle that is no longer open. Another object may get its value later. */
function openAndClose(device: NativeDevice): bigint {
  const fence = device.createFence('');
  const handle = handleOf(fence);
  fence.dispose();
  return handle;
}

function handleOf(shared: NativeBuffer | NativeFence): bigint {
  const handle = shared.sharedHandle();
  if (handle === undefined) throw new Error('the object has no handle');
  return handle;
}

/**
 * An execution flag that does not exist. A well-formed descriptor is refused for it right after marshalling, and never reaches
 * DirectML.
 */
export const NO_FLAG = 8;

/** True if the error shows that everything before the flags was well-formed. */
export function isForFlag(error: unknown): boolean {
  return error instanceof Error && 'field' in error && error.field === 'executionFlags';
}

export const OWNED_BY_DML = 1;

/** A float32 tensor with the sizes `[1, 1, rows, 4 / rows]`, which has 16 bytes. */
const tensor = (rows = 1, flags = 0) => ({
  dataType: 1,
  flags,
  sizes: [1, 1, rows, 4 / rows],
  strides: null,
  totalTensorSizeInBytes: 16,
  guaranteedBaseOffsetAlignment: 0,
});

/** A well-formed descriptor of DML_OPERATOR_ELEMENT_WISE_IDENTITY, as the binding takes it. */
export const identity = (flags = 0) => ({ type: 1, inputTensor: tensor(1, flags), outputTensor: tensor(), scaleBias: null });

/** A well-formed descriptor of DML_OPERATOR_ELEMENT_WISE_ADD. */
const add = (bFlags = 0): NativeOperatorDesc => ({
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

/** Binds the first 16 bytes of each buffer; null binds nothing. */
export const ranges = (...buffers: readonly (NativeBuffer | null)[]): NativeRanges =>
  Float64Array.from(buffers.flatMap((buffer) => (buffer === null ? [0, 0, 0] : [buffer.number, 0, 16])));
