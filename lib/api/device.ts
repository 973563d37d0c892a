/** A device: memory, operators and the order of their work. */
import { argumentError, byteCount, readOptions } from './arguments.js';
import type { BufferRange, CompileFlags } from '../backends/backend.js';
import { DirectMLBuffer } from './buffer.js';
import { planBindings } from './binding-plan.js';
import { resolveBindings } from './bindings.js';
import { CompiledOperator } from './compiled-operator.js';
import { fromCaller, fromCallerNow } from './call-site.js';
import type { DeviceContext } from './device-context.js';
import type { DeviceInfo, DeviceLostInfo } from '../backends/device-info.js';
import { rememberBackend } from './device-internals.js';
import { checkDataTypes } from './device-support.js';
import { noFlags, readCompileOptions, type CompileOptions } from './compile-options.js';
import { createTensor, type TensorPlace } from './create-tensor.js';
import { keep } from './keep.js';
import { cacheKey, OperatorCache, RecentOperators, type OperatorHandle, type OperatorKey } from './operator-cache.js';
import { readRequest, type RunRequest } from './run-request.js';
import { describeTensor, needTensors, recordRun, TensorFields, type Runnable } from './run.js';
import type { InitializationInputs, InputName, OutputTensors, RunDescriptor } from './typed-bindings.js';
import { descriptorOf, type ResolvedDescriptor } from './resolved-descriptor.js';
import type { OperatorDescriptor, OperatorType } from '../schema/generated/descriptors.js';
import type { DataType, FeatureLevel } from '../schema/generated/enums.js';
import type { TensorDesc } from '../schema/tensor-desc.js';
import type { Tensor, TensorData } from './tensor.js';
import { resolveDescriptor } from '../validation/index.js';
import type { TensorDescriber } from '../validation/fields.js';
import type { ResolvedOperator } from '../validation/resolved.js';

export interface BufferOptions {
  /** Shown in error messages, by debuggers and by the debug layer. */
  readonly label?: string | undefined;
}

/**
 * A DirectML device, or the reference that stands in for it; made by {@link createDevice}. Commands (writes,
 * dispatches, reads) run in the order in which they are recorded.
 */
export class Device implements Disposable, AsyncDisposable {
  /** Backend, adapter, DirectML's path and version, highest feature level. */
  readonly info: DeviceInfo;
  readonly #context: DeviceContext;
  readonly #operators = new OperatorCache();
  readonly #recentlyRun = new RecentOperators<Runnable>();

  /** @internal */
  constructor(context: DeviceContext) {
    this.#context = context;
    this.info = context.backend.info;
    keep(this, 'info');
    rememberBackend(this, context.backend);
  }

  /** The feature level that descriptors are validated for. */
  get featureLevel(): FeatureLevel {
    return this.#context.featureLevel;
  }

  /**
   * Resolves when the device can no longer be used, as in WebGPU: with reason `'destroyed'` after `dispose()` or when
   * the device was garbage-collected, with `'unknown'` after a driver reset or the like, within a second of it. It never
   * rejects. The promise does not keep the device alive, nor the process.
   */
  get lost(): Promise<DeviceLostInfo> {
    return this.#context.lost;
  }

  /**
   * Zero-filled memory on the device.
   *
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  createBuffer(sizeInBytes: number, options?: BufferOptions): DirectMLBuffer {
    this.#context.check('createBuffer');
    const size = byteCount('createBuffer', 'sizeInBytes', sizeInBytes, 1);
    const read = readOptions('createBuffer', options, ['label']);
    const label = read.has('label') ? read.get('label') : '';
    if (typeof label !== 'string') throw argumentError('createBuffer', 'options.label', 'a string', label);
    return new DirectMLBuffer(this.#context, size, label);
  }

  /**
   * A tensor with a zero-filled buffer of its own, or in a buffer that is given.
   *
   * @param desc Data type, sizes and, for a tensor that is not packed, strides in elements.
   * @param data Its elements as {@link Tensor.write} takes them, or the place where the tensor is to lie.
   * @throws {DirectMLError} ERR_INVALID_DESCRIPTOR, ERR_DATA_TYPE, ERR_SIZES and others for a wrong description or
   * wrong data, ERR_BINDING_RANGE for a place that does not fit, ERR_WRONG_DEVICE, ERR_OUT_OF_MEMORY, ERR_DISPOSED,
   * ERR_DEVICE_LOST.
   */
  createTensor<T extends DataType>(desc: TensorDesc & { readonly dataType: T }, data?: TensorData<T> | TensorPlace): Tensor<T> {
    this.#context.check('createTensor');
    return createTensor(this.#context, desc, data);
  }

  /**
   * The whole descriptor, frozen, without compiling it: outputs that it leaves out, counts and defaults are filled in. So
   * it tells what an operator's outputs are, and validates as {@link compile} does.
   *
   * @throws {DirectMLError} as `compile` does for a descriptor: ERR_MISSING_FIELD, for an output's data type or sizes too
   * where the other fields do not tell them, ERR_DISPOSED, ERR_DEVICE_LOST and others.
   */
  resolve<Type extends OperatorType>(descriptor: OperatorDescriptor<Type> & { readonly type: Type }): ResolvedDescriptor<Type>;
  resolve(descriptor: OperatorDescriptor): ResolvedDescriptor {
    return fromCallerNow(() => {
      this.#context.check('resolve');
      return descriptorOf(this.#resolve('resolve', descriptor).descriptor);
    });
  }

  /**
   * Validates a descriptor for the device's feature level and compiles the operator, off the JavaScript thread. The
   * same descriptor with the same options gives the same compiled operator while one of its users lives, unless
   * DirectML owns one of its tensors. Outputs may be left out where they follow from the other fields.
   *
   * @throws {DirectMLError} (as a rejection) with operator, field, what was expected and what was given:
   * ERR_INVALID_DESCRIPTOR, ERR_UNKNOWN_OPERATOR, ERR_UNKNOWN_FIELD, ERR_MISSING_FIELD, ERR_OUT_OF_RANGE,
   * ERR_FEATURE_LEVEL, ERR_DATA_TYPE, ERR_DIMENSION_COUNT, ERR_SIZES, ERR_STRIDES, ERR_TENSOR_SIZE,
   * ERR_FIELD_COMBINATION; for the weights those of {@link CompiledOperator.dispatch};
   * ERR_OUT_OF_MEMORY, ERR_NATIVE_CALL, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  compile<Type extends OperatorType, Owned extends InputName<Type> = never>(
    descriptor: OperatorDescriptor<Type> & { readonly type: Type },
    options?: CompileOptions<InitializationInputs<Type, Owned>>,
  ): Promise<CompiledOperator<Type, Owned>>;
  async compile(descriptor: OperatorDescriptor, options?: CompileOptions): Promise<CompiledOperator> {
    return fromCaller(() => this.#compile(descriptor, options));
  }

  /**
   * Computes with tensors at once: compiles the operator, or takes it from a cache, makes its outputs, and records the work
   * behind all that was recorded before the promise resolves. Nothing waits for the device; a read of an output does.
   *
   * @param descriptor The operator's descriptor with tensors in the fields of its inputs. An output is left out or described,
   * and then made; an output that is a tensor is written into.
   * @returns The outputs by field name. Dispose them when they are no longer needed, or leave that to garbage collection.
   * @throws {DirectMLError} (as a rejection) those of {@link compile} and of {@link CompiledOperator.dispatch};
   * ERR_MISSING_BINDING for an input that is described and not a tensor.
   */
  run<Type extends OperatorType>(descriptor: RunDescriptor<Type> & { readonly type: Type }): Promise<OutputTensors<Type>>;
  async run(descriptor: unknown): Promise<Readonly<Record<string, Tensor | readonly Tensor[]>>> {
    const request = readRequest(descriptor);
    const recent = request === null ? undefined : this.#recentlyRun.get(request.key);
    if (request === null || recent === undefined) return fromCaller(() => this.#run(descriptor, request));
    return fromCallerNow(() => {
      this.#context.check('run');
      return recordRun(this.#context, recent, request.tensors);
    });
  }

  /**
   * Hands the recorded commands to the device, which starts on them.
   *
   * @throws {DirectMLError} ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  submit(): void {
    this.#context.check('submit');
    this.#context.backend.submit();
  }

  /**
   * Submits, and resolves when everything recorded so far has run.
   *
   * @throws {DirectMLError} (as a rejection) ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  async idle(): Promise<void> {
    await fromCaller(async () => {
      this.#context.check('idle');
      await this.#context.backend.idle();
    });
  }

  /** Gives back all that the device holds; its buffers, tensors and operators can no longer be used either. */
  dispose(): void {
    this.#recentlyRun.clear();
    this.#operators.clear();
    this.#context.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Waits for what was recorded, then disposes. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.idle();
    } catch {
      // A lost or disposed device has nothing left to wait for.
    }
    this.dispose();
  }

  async #compile(descriptor: OperatorDescriptor, options: CompileOptions | undefined): Promise<CompiledOperator> {
    this.#context.check('compile');
    const { flags, initializationInputs } = readCompileOptions(options);
    const operator = this.#resolve('compile', descriptor);
    const plan = planBindings(operator, 'initialization');
    const owned = resolveBindings(plan, initializationInputs, this.#context).inputs;
    const { type } = operator.descriptor;
    const key = owned.every((range) => range === null) ? cacheKey(operator.descriptor, flags) : Symbol(type);
    const handle = await this.#acquire('compile', key, operator, flags, owned);
    return new CompiledOperator(this.#context, operator, handle, { type, descriptor: descriptorOf(operator.descriptor) });
  }

  async #run(descriptor: unknown, request: RunRequest | null): Promise<Readonly<Record<string, Tensor | readonly Tensor[]>>> {
    this.#context.check('run');
    const fields = new TensorFields();
    const operator = this.#resolve('run', descriptor, fields.describe);
    needTensors(operator, fields);
    const compiledKey = cacheKey(operator.descriptor, noFlags);
    const key = request?.key ?? compiledKey;
    const recent = this.#recentlyRun.get(key);
    if (recent !== undefined) return recordRun(this.#context, recent, fields.tensors);
    const unowned = operator.slots.filter(({ role }) => role === 'input').map(() => null);
    const handle = await this.#acquire('run', compiledKey, operator, noFlags, unowned);
    const runnable = { operator, handle, plan: planBindings(operator, 'dispatch') };
    this.#recentlyRun.add(key, runnable);
    return recordRun(this.#context, runnable, fields.tensors);
  }

  /** Compiles the operator, or takes it from those that are compiled and in use. */
  async #acquire(
    method: string,
    key: OperatorKey,
    operator: ResolvedOperator,
    flags: CompileFlags,
    owned: readonly (BufferRange | null)[],
  ): Promise<OperatorHandle> {
    const { backend } = this.#context;
    const handle = await this.#operators.acquire(key, () => backend.compile(operator, { ...flags }, owned));
    try {
      this.#context.check(method);
      return handle;
    } catch (error) {
      if (!this.#context.isDisposed) handle.release();
      throw error;
    }
  }

  #resolve(method: string, descriptor: unknown, describe: TensorDescriber = describeTensor): ResolvedOperator {
    const operator = resolveDescriptor(descriptor, this.#context.featureLevel, method, describe);
    checkDataTypes(operator, this.info.tensorDataTypes);
    return operator;
  }
}
