/** The device: creates buffers and tensors, compiles and runs operators, and submits recorded work. */
import { readWait, waitFor, type WaitOptions } from './abortable.js';
import { byteCount, labelOption, readOptions } from '../values/arguments.js';
import { BudgetListeners } from './budget-listeners.js';
import { DirectMLBuffer } from './memory/buffer.js';
import type { CompiledOperator } from './operators/compiled-operator.js';
import { fromCaller, fromCallerNow } from './call-site.js';
import type { DeviceContext } from './device-context.js';
import type { DeviceInfo, DeviceLostInfo } from '../backends/device-info.js';
import type { DeviceMemory } from '../backends/device-memory.js';
import { rememberBackend } from './device-internals.js';
import { DeviceOperators, runOn } from './operators/device-operators.js';
import type { CompileOptions, ExecutionOptions } from './operators/compile-options.js';
import type { PreparedOperator } from './operators/prepared-operator.js';
import { createTensor, type TensorOptions, type TensorPlace } from './memory/create-tensor.js';
import type { CompiledGraph } from './graphs/compiled-graph.js';
import { jit, type JitOptions } from './graphs/jit.js';
import type { JitFunction, JitParameter, JitReturn } from './graphs/jit-types.js';
import { addToScope, runInScope, type Settled } from './scope.js';
import type { DirectMLFence, FenceOptions } from './sharing/fence.js';
import type { SharedSource } from './sharing/handles.js';
import {
  createFence,
  createSharedBuffer,
  importBuffer,
  importFence,
  importTexture,
  onFence,
  type ForeignBufferSource,
} from './sharing/import.js';
import { sharingOf } from './sharing/sharing-of.js';
import type { DirectMLTexture } from './sharing/texture.js';
import { record, type Recording, type RecordOptions } from './recording/recording.js';
import { Graph, type CompileGraphOptions } from './graphs/graph.js';
import { nameKind, shorten } from '../values/given.js';
import { printAsText, withState } from '../values/printed.js';
import { makeConstant } from './make-constant.js';
import { profile, type ProfileOptions } from './recording/profile.js';
import type { DispatchProfile, Profile } from './recording/profiling.js';
import type { InitializationInputs, InputName, OutputTensors, RunDescriptor } from './operators/typed-bindings.js';
import { descriptorOf, type ResolvedDescriptor } from './operators/resolved-descriptor.js';
import type { GraphDescriptor, InputsIn } from '../graph/graph-descriptor.js';
import type { DataTypesIn } from '../graph/typed-values.js';
import type { OperatorDescriptor, OperatorType } from '../descriptors/generated/descriptors.js';
import type { DataType, FeatureLevel } from '../tensors/generated/enums.js';
import type { TensorDesc } from '../tensors/tensor-desc.js';
import type { Tensor } from './memory/tensor.js';
import { markUncloneable } from '../values/uncloneable.js';
import type { TensorData } from './memory/tensor-data.js';
import { tensorOf, type DataTypeOf, type ElementSource, type Levels, type TensorOfOptions } from './memory/tensor-of.js';

/** Options of {@link Device.createBuffer}. */
export interface BufferOptions {
  /** Name of the buffer in error messages, debuggers and the Direct3D 12 debug layer. Default: `''`. */
  readonly label?: string | undefined;
  /**
   * Whether the buffer gets a handle, by which other processes and devices can import it: see
   * {@link DirectMLBuffer.exportHandle}. They can also import it by the `name` of the handle, such as `'Local\\frames'`, while the
   * buffer lives. Default: false.
   */
  readonly shared?: boolean | { readonly name: string } | undefined;
}

/** @internal The context of a device; undefined for any other value. */
export let contextOf: (value: unknown) => DeviceContext | undefined;

/**
 * A device of the DirectML backend or of the reference backend. {@link createDevice} opens it. Its commands (writes,
 * dispatches and reads) run in the order in which they are recorded.
 */
export class Device implements Disposable, AsyncDisposable {
  /** The backend, the adapter, DirectML's path and version, and the highest feature level that the device supports. */
  readonly info: DeviceInfo;
  readonly #context: DeviceContext;
  readonly #operators: DeviceOperators;
  readonly #budgetListeners: BudgetListeners;

  static {
    contextOf = (value) => (typeof value === 'object' && value !== null && #context in value ? value.#context : undefined);
    const is = (value: object) => #operators in value;
    nameKind('a device', 'devices', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(context: DeviceContext) {
    this.#context = context;
    this.#operators = new DeviceOperators(context);
    this.#budgetListeners = new BudgetListeners(context);
    this.info = context.backend.info;
    makeConstant(this, 'info');
    rememberBackend(this, context.backend);
    markUncloneable(this);
  }

  /** The feature level for which descriptors are validated, such as `'6.4'`. At most `info.featureLevel`. */
  get featureLevel(): FeatureLevel {
    return this.#context.featureLevel;
  }

  /**
   * Resolves when the device can no longer be used, as `GPUDevice.lost` does in WebGPU. The reason is `'destroyed'` after
   * `dispose()` or garbage collection of the device, and `'unknown'` within a second after a driver reset, an unplugged
   * adapter or a crash of the driver. The promise never rejects. It keeps neither the device nor the process alive.
   */
  get lost(): Promise<DeviceLostInfo> {
    return this.#context.lost;
  }

  /**
   * Creates a buffer: zero-filled memory of the device.
   *
   * @param sizeInBytes A whole number of bytes, at least 1.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST; with `shared`
   * ERR_NOT_SHAREABLE on the reference backend, and ERR_NATIVE_CALL.
   */
  createBuffer(sizeInBytes: number, options?: BufferOptions): DirectMLBuffer {
    this.#context.check('createBuffer');
    const size = byteCount('createBuffer', 'sizeInBytes', sizeInBytes, 1);
    const read = readOptions('createBuffer', options, ['label', 'shared']);
    const label = labelOption('createBuffer', read.get('label'));
    const shared = read.get('shared');
    const buffer =
      shared === undefined || shared === false
        ? new DirectMLBuffer(this.#context, size, label)
        : createSharedBuffer(this.#context, size, label, shared);
    addToScope(this.#context, buffer);
    return buffer;
  }

  /**
   * The device for other native addons of the process: an external that include/node_directml.h reads, with the ID3D12Device, the
   * command queue and the IDMLDevice. See docs/guides/zero-copies.md.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE on the reference backend; ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  get native(): unknown {
    this.#context.check('device.native');
    return sharingOf(this.#context, 'device.native').deviceExternal();
  }

  /**
   * Imports a buffer of other code in the process. It is a buffer like any other, but its memory belongs to the other code, too.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE if the memory cannot be used, with what was found and what to do;
   * ERR_INVALID_ARGUMENT, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_NATIVE_CALL.
   */
  importBuffer(source: ForeignBufferSource): DirectMLBuffer {
    return fromCallerNow(() => importBuffer(this.#context, source));
  }

  /**
   * Imports a 2D texture of other code in the process, with 1 sample, 1 mip level and 1 array slice, in one of the formats of
   * {@link TextureFormat}.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE if the texture cannot be used, with what was found and what to do;
   * ERR_INVALID_ARGUMENT, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_NATIVE_CALL.
   */
  importTexture(source: SharedSource): DirectMLTexture {
    return fromCallerNow(() => importTexture(this.#context, source));
  }

  /**
   * Imports a fence of other code in the process, to order the work of both.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE if the fence cannot be used, with what was found and what to do;
   * ERR_INVALID_ARGUMENT, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_NATIVE_CALL.
   */
  importFence(source: SharedSource): DirectMLFence {
    return fromCallerNow(() => importFence(this.#context, source));
  }

  /**
   * Creates a fence at 0n, which other processes and devices can import by its handle or its name.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE on the reference backend; ERR_INVALID_ARGUMENT, also if another kernel object has the
   * name; ERR_DISPOSED, ERR_DEVICE_LOST, ERR_NATIVE_CALL.
   */
  createFence(options?: FenceOptions): DirectMLFence {
    return fromCallerNow(() => createFence(this.#context, options));
  }

  /**
   * Submits the recorded commands. All commands after this wait, on the GPU, until the fence has reached the value. If that never
   * happens, they never run: promises that wait for them stay pending until the device is disposed of, and then reject.
   *
   * @param value From 1n to 2n ** 64n - 2n.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_WRONG_DEVICE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_NOT_RECORDABLE,
   * ERR_NATIVE_CALL.
   */
  waitFor(fence: DirectMLFence, value: bigint): void {
    fromCallerNow(() => onFence(this.#context, 'waitFor', fence, value));
  }

  /**
   * Submits the recorded commands. The GPU raises the fence to the value when they have run.
   *
   * @param value Higher than all values before, and at most 2n ** 64n - 2n.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_WRONG_DEVICE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_NOT_RECORDABLE,
   * ERR_NATIVE_CALL.
   */
  signal(fence: DirectMLFence, value: bigint): void {
    fromCallerNow(() => onFence(this.#context, 'signal', fence, value));
  }

  /**
   * Creates a tensor of the elements, in a new buffer: `device.tensor([[1, 2, 3], [4, 5, 6]])` has sizes `[2, 3]`.
   *
   * @param data A number, a typed array, or arrays of them in one level for each dimension. Numbers are converted to the data type.
   * A typed array that {@link Tensor.write} takes for the data type is copied as it is: a `Uint16Array` has the bits of float16, a
   * `Uint8Array` two elements of int4 or uint4 in each byte.
   * @param options `dataType`, by default that of the typed array, `'float32'` for numbers, `'int64'` for bigints and `'uint8'` for
   * booleans; `sizes` of as many elements, by default the lengths of the arrays, and `[1]` for a number; `label`.
   * @throws {DirectMLError} ERR_SIZES for arrays of different lengths, for none, and for sizes of other numbers of elements;
   * ERR_DIMENSION_COUNT for more than 8 dimensions; ERR_OUT_OF_RANGE for a number that the data type cannot represent;
   * ERR_INVALID_ARGUMENT for other values; ERR_TENSOR_SIZE; ERR_OUT_OF_MEMORY; ERR_DISPOSED; ERR_DEVICE_LOST.
   */
  tensor<Element extends ElementSource>(
    data: Element | Levels<Element>,
    options?: TensorOfOptions<undefined>,
  ): Tensor<DataTypeOf<Element>>;
  tensor<T extends DataType>(data: ElementSource | Levels<ElementSource>, options: TensorOfOptions<T>): Tensor<T>;
  tensor(data: unknown, options?: unknown): Tensor {
    this.#context.check('device.tensor');
    return tensorOf(this.#context, data, options);
  }

  /**
   * Creates a tensor. It gets a new buffer, unless `data` names one. Without data, that is filled with zeros.
   *
   * @param desc Data type, sizes and, unless the tensor is packed, strides in elements.
   * @param data The elements, in any form that {@link Tensor.write} accepts; or a tensor with the same data type, sizes and
   * strides, which the device copies after the commands recorded before; or `{ buffer, offset }`, the existing memory to use.
   * @throws {DirectMLError} ERR_INVALID_DESCRIPTOR, ERR_DATA_TYPE, ERR_DIMENSION_COUNT, ERR_SIZES, ERR_STRIDES,
   * ERR_TENSOR_SIZE and others if the description or the data is wrong, or does not match the tensor to copy; ERR_BINDING_RANGE
   * if the tensor does not fit into the buffer or its offset is not a multiple of 16; ERR_WRONG_DEVICE; ERR_INVALID_ARGUMENT;
   * ERR_OUT_OF_MEMORY; ERR_DISPOSED; ERR_DEVICE_LOST.
   */
  createTensor<T extends DataType>(
    desc: TensorDesc & { readonly dataType: T },
    data?: TensorData<T> | Tensor<T> | TensorPlace,
    options?: TensorOptions,
  ): Tensor<T> {
    this.#context.check('createTensor');
    return createTensor(this.#context, desc, data, options);
  }

  /**
   * Validates a descriptor and returns it complete and frozen, without compiling the operator. It fills in outputs, counts and
   * default values, so use it to find out the data types and sizes of the outputs.
   *
   * @throws {DirectMLError} The errors of {@link compile} for a descriptor, such as ERR_MISSING_FIELD if the other fields do
   * not determine the data type or the sizes of an output; ERR_DISPOSED; ERR_DEVICE_LOST.
   */
  resolve<Type extends OperatorType>(descriptor: OperatorDescriptor<Type> & { readonly type: Type }): ResolvedDescriptor<Type>;
  resolve(descriptor: OperatorDescriptor): ResolvedDescriptor {
    return fromCallerNow(() => {
      this.#context.check('resolve');
      return descriptorOf(this.#operators.resolve('resolve', descriptor).descriptor);
    });
  }

  /**
   * Validates a descriptor for the device's feature level, and compiles the operator off the JavaScript thread. You can leave
   * out outputs that can be inferred from the other fields. Compiled operators with equal descriptors and options share one
   * native operator, unless DirectML owns one of its tensors.
   *
   * @throws {DirectMLError} (as a rejection) with the operator, the field, the expected and the given value:
   * ERR_INVALID_DESCRIPTOR, ERR_UNKNOWN_OPERATOR, ERR_UNKNOWN_FIELD, ERR_MISSING_FIELD, ERR_OUT_OF_RANGE,
   * ERR_FEATURE_LEVEL, ERR_DATA_TYPE, ERR_DIMENSION_COUNT, ERR_SIZES, ERR_STRIDES, ERR_TENSOR_SIZE,
   * ERR_FIELD_COMBINATION; for `initializationInputs` the errors of {@link CompiledOperator.dispatch};
   * ERR_INVALID_ARGUMENT for other options; ERR_ABORTED, ERR_OUT_OF_MEMORY, ERR_NATIVE_CALL, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  compile<
    Type extends OperatorType,
    Owned extends InputName<Type> = never,
    Input extends DataType = DataType,
    Given extends DataType = never,
  >(
    descriptor: OperatorDescriptor<Type> & { readonly type: Type } & DataTypesIn<Type, Input, Given>,
    options?: CompileOptions<InitializationInputs<Type, Owned>>,
  ): Promise<CompiledOperator<Type, Owned, Input, Given>>;
  async compile(descriptor: OperatorDescriptor, options?: CompileOptions): Promise<CompiledOperator> {
    return fromCaller(() => this.#operators.compile(descriptor, options));
  }

  /**
   * Runs an operator on tensors: compiles it, or takes it from a cache of 256 operators, creates its outputs, and records a
   * dispatch. The dispatch is recorded before the promise resolves, and runs after all commands recorded before it. The promise
   * waits for the device only if that is far behind. Reading an output waits until it is computed.
   *
   * @param descriptor The operator's descriptor with a tensor in the field of each input. If you leave an output out, or give
   * its description, the tensor is created. If you give a tensor, the operator writes into it.
   * @returns The outputs by field name. Dispose of them when you no longer need them, or leave that to the garbage collector.
   * @throws {DirectMLError} (as a rejection) The errors of {@link compile} and of {@link CompiledOperator.dispatch};
   * ERR_MISSING_BINDING if an input is a description instead of a tensor.
   */
  run<Type extends OperatorType, Input extends DataType = DataType, Given extends DataType = never>(
    descriptor: RunDescriptor<Type> & { readonly type: Type } & DataTypesIn<Type, Input, Given>,
  ): Promise<OutputTensors<Type, Input, Given>>;
  run(descriptor: unknown): Promise<Readonly<Record<string, Tensor | readonly Tensor[]>>> {
    return runOn(this.#context, descriptor);
  }

  /**
   * Compiles an operator, creates its outputs and binds its tensors, so that {@link PreparedOperator.dispatch} needs no
   * arguments. Use it for {@link record}, and for operators that run often with the same tensors.
   *
   * @param descriptor As for {@link run}.
   * @throws {DirectMLError} (as a rejection) The errors of {@link run}; ERR_INVALID_ARGUMENT for other options.
   */
  prepare<Type extends OperatorType, Input extends DataType = DataType, Given extends DataType = never>(
    descriptor: RunDescriptor<Type> & { readonly type: Type } & DataTypesIn<Type, Input, Given>,
    options?: ExecutionOptions,
  ): Promise<PreparedOperator<Type, Input, Given>>;
  async prepare(descriptor: unknown, options?: ExecutionOptions): Promise<PreparedOperator> {
    return fromCaller(() => this.#operators.prepare(descriptor, options));
  }

  /**
   * Creates an empty graph, to compile several operators as one. In TypeScript, `createGraph<'x' | 'mask'>()` names all inputs
   * that the graph will have. Then other names do not compile, neither here nor where the compiled graph runs.
   *
   * @throws {DirectMLError} ERR_FEATURE_LEVEL below feature level 2.1, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  createGraph<Inputs extends string = string>(): Graph<Inputs>;
  createGraph(): Graph {
    return fromCallerNow(() => {
      this.#context.check('createGraph');
      return new Graph(this.#context);
    });
  }

  /**
   * Makes a function of tensors that runs as one graph. The first call calls `fn` with values of a graph in the place of tensors,
   * compiles what it returns, and runs it. Further calls with tensors of the same data types, sizes and strides, and the same
   * other arguments, only run it.
   *
   * @param fn Its arguments and its result are tensors, or plain objects and arrays of them; other arguments are numbers,
   * strings and the like. It may be async. The graphs share tensors that it gets from elsewhere: each call reads their
   * elements as they are then. Numbers that it gets from elsewhere, also from `Math.random()`, stay those of the first call.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  jit<Args extends readonly unknown[] = readonly JitParameter[], Result = unknown>(
    fn: (...args: Args) => JitReturn<Result>,
    options?: JitOptions,
  ): JitFunction<Args, Result>;
  jit(fn: unknown, options?: JitOptions): JitFunction<readonly unknown[], unknown> {
    return fromCallerNow(() => {
      this.#context.check('jit');
      return jit(this.#context, fn, options);
    });
  }

  /**
   * Compiles a graph given as plain data, such as the result of {@link Graph.toDescriptor}.
   *
   * @throws {DirectMLError} (as a rejection) with the place in the descriptor: ERR_INVALID_GRAPH for an unknown or duplicate
   * name, a cycle, or an unused input; ERR_MISSING_BINDING for a constant without data; ERR_UNKNOWN_BINDING for an option that
   * does not name a constant; the errors of {@link compile} for the descriptors of nodes; and those of {@link Graph.compile}.
   */
  compileGraph<Outputs extends string, Inputs extends string = string>(
    descriptor: GraphDescriptor<Outputs> & InputsIn<Inputs>,
    options?: CompileGraphOptions,
  ): Promise<CompiledGraph<Outputs, Inputs>>;
  async compileGraph(descriptor: GraphDescriptor, options?: CompileGraphOptions): Promise<CompiledGraph> {
    return fromCaller(() => Graph.compileDescriptor(this.#context, descriptor, options));
  }

  /**
   * Records dispatches of operators and graphs without running them. {@link Recording.replay} runs them, as often as you like.
   *
   * @param work Called once. It may call `dispatch` of operators and graphs of this device. Other methods that need data from
   * JavaScript, wait or run something, such as `write`, `read`, `run`, `idle` and `replay`, are errors in it.
   * @throws {DirectMLError} ERR_NOT_RECORDABLE for any other method than `dispatch`, which throws it within `work`, even if it
   * otherwise returns a promise; the errors of `dispatch`; ERR_INVALID_ARGUMENT for an async function or wrong options;
   * ERR_OUT_OF_RANGE for more than 65,536 dispatches; ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  record(work: () => void, options?: RecordOptions): Recording {
    return fromCallerNow(() => {
      this.#context.check('record');
      return record(this.#context, work, options);
    });
  }

  /**
   * Calls a function, and disposes of what it made on this device except for what it returns: tensors, buffers, compiled
   * operators and graphs, recordings and functions of {@link jit}, also those that were made after an `await`. An inner scope
   * gives what it returns to the scope around it. Code that still runs after the end belongs to the scope around, too.
   *
   * @param fn May be async. Scopes find what stays in properties of its result, in arrays, maps and sets, at any depth. With a
   * view its tensor stays; with a recording, all that it dispatches. If the function throws, nothing stays.
   * @returns The result of the function; promises in plain objects and arrays are awaited first.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_DISPOSED, ERR_DEVICE_LOST; and whatever the function throws.
   */
  scope<Result>(fn: () => Result): Promise<Settled<Result>>;
  scope(fn: () => unknown): Promise<unknown> {
    return fromCaller(async () => {
      this.#context.check('scope');
      return runInScope(this.#context, fn);
    });
  }

  /**
   * Returns the memory that the device currently uses, and the memory of its adapter.
   *
   * @throws {DirectMLError} ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  memory(): DeviceMemory {
    return fromCallerNow(() => {
      this.#context.check('memory');
      return this.#context.backend.memory();
    });
  }

  /**
   * Calls a function whenever Windows shrinks the adapter's memory budget for this process, because other processes need
   * memory. If your program uses more than its budget, it becomes slow: dispose of objects that you can recreate. The device
   * has already freed its unused memory. The listener does not keep the process alive, and is never called on the reference
   * backend.
   *
   * @param listener Called with the result of {@link memory}.
   * @returns An object whose `Symbol.dispose` method removes the listener.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_NATIVE_CALL, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  onBudgetShrink(listener: (memory: DeviceMemory) => void): Disposable {
    return fromCallerNow(() => {
      this.#context.check('onBudgetShrink');
      return this.#budgetListeners.add(listener);
    });
  }

  /**
   * Measures how long the device takes for the work that a function records, by the GPU's own clock and by the computer's. It
   * waits until all earlier work has run, calls the function, and waits for its work. Work that other code records on this
   * device in the meantime counts too.
   *
   * @param work Called once. If it returns a promise, the profile lasts until that is fulfilled.
   * @param options `perDispatch: true` measures each dispatch separately, which makes the work slower.
   * @returns The times, and with `perDispatch: true` also the `dispatches` with the time of each.
   * @throws {DirectMLError} (as a rejection) ERR_PROFILE_RUNNING before another profile of this device has ended;
   * ERR_NOT_RECORDABLE within {@link Device.record}; ERR_INVALID_ARGUMENT; ERR_DISPOSED or ERR_DEVICE_LOST, also if that happens
   * during the profile; ERR_OUT_OF_MEMORY; and whatever the function throws.
   */
  profile(work: () => unknown, options: ProfileOptions & { readonly perDispatch: true }): Promise<DispatchProfile>;
  profile(work: () => unknown, options?: ProfileOptions): Promise<Profile>;
  profile(work: () => unknown, options?: ProfileOptions): Promise<Profile> {
    this.#context.refuseWhileRecording('device.profile');
    return this.#profile(work, options);
  }

  /**
   * Submits the recorded commands, so that the device starts to run them. Does not wait for them.
   *
   * @throws {DirectMLError} ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  submit(): void {
    this.#context.check('submit');
    this.#context.refuseWhileRecording('device.submit');
    this.#context.backend.submit();
  }

  /**
   * Submits the recorded commands, and resolves when they have run.
   *
   * @param options `signal` ends the wait.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_ABORTED, ERR_DISPOSED, ERR_DEVICE_LOST; ERR_OUT_OF_MEMORY
   * if the worker thread of the reference backend ran out of memory, and no earlier promise has reported it.
   */
  idle(options?: WaitOptions): Promise<void> {
    this.#context.refuseWhileRecording('device.idle');
    return fromCaller(async () => {
      this.#context.check('idle');
      const wait = readWait('idle', options);
      try {
        await waitFor(wait, () => this.#context.backend.idle());
        this.#context.checkReport('idle');
      } catch (error) {
        throw this.#context.explain('idle', error);
      }
    });
  }

  /**
   * Loses the device as a driver reset would, for tests of programs that go on with a new device. Calls that wait for the device
   * reject with ERR_DEVICE_LOST, and later calls throw it. {@link lost} resolves with the reason `'unknown'`. On the DirectML
   * backend this really removes the Direct3D device, and with it every other device that this process has on the adapter.
   *
   * @throws {DirectMLError} ERR_DISPOSED; ERR_DEVICE_LOST if the device is lost already; ERR_NATIVE_CALL.
   */
  simulateLoss(): void {
    fromCallerNow(() => this.#context.simulateLoss());
  }

  /**
   * Releases the device and everything that belongs to it. Its buffers, tensors and operators can no longer be used. May be
   * called again.
   */
  dispose(): void {
    this.#operators.clear();
    this.#context.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Waits until the recorded commands have run, then disposes of the device. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.idle();
    } catch {
      // A lost or disposed device has nothing left to wait for.
    }
    this.dispose();
  }

  /** A line with the backend, the adapter and the feature level. `console.log` shows it too. */
  toString(): string {
    const { backend, adapter } = this.info;
    const { state, featureLevel } = this.#context;
    const title = adapter === null ? `Device ${backend}` : `Device ${backend} '${shorten(adapter.name)}'`;
    return withState(`${title}, feature level ${featureLevel}`, state);
  }

  async #profile(work: () => unknown, options: ProfileOptions | undefined): Promise<Profile> {
    const profiled = await fromCaller(() => profile(this.#context, work, options));
    if ('thrown' in profiled) throw profiled.thrown;
    return profiled.profile;
  }
}
