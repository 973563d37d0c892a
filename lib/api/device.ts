/** A device: memory, operators and the order of their work. */
import { minimumAlignment } from '../data-types/table.js';
import { argumentError, booleanOption, byteCount, readArguments, readOptions } from './arguments.js';
import type { CompileFlags } from '../backends/backend.js';
import { DirectMLBuffer } from './buffer.js';
import { planBindings } from './binding-plan.js';
import { resolveBindings, type Bindings } from './bindings.js';
import { CompiledOperator } from './compiled-operator.js';
import { fromCaller, fromCallerNow } from './call-site.js';
import type { DeviceContext } from './device-context.js';
import type { DeviceInfo, DeviceLostInfo } from '../backends/device-info.js';
import { rememberBackend } from './device-internals.js';
import { checkDataTypes } from './device-support.js';
import { at, fieldError } from '../errors.js';
import { keep } from './keep.js';
import { cacheKey, OperatorCache } from './operator-cache.js';
import { descriptorOf, type ResolvedDescriptor } from './resolved-descriptor.js';
import type { OperatorDescriptor, OperatorType } from '../schema/generated/descriptors.js';
import type { DataType, FeatureLevel } from '../schema/generated/enums.js';
import type { TensorDesc } from '../schema/tensor-desc.js';
import { Tensor } from './tensor.js';
import type { TypedArrayFor } from './typed-arrays.js';
import { resolveDescriptor } from '../validation/index.js';
import { guard } from '../validation/input.js';
import type { ResolvedOperator, ResolvedTensor } from '../validation/resolved.js';
import { resolveTensor } from '../validation/tensor.js';

export interface BufferOptions {
  /** Shown in error messages, by debuggers and by the debug layer. */
  readonly label?: string | undefined;
}

/** Memory that a tensor is to lie in, instead of a buffer of its own. */
export interface TensorPlace {
  readonly buffer: DirectMLBuffer;
  /** In bytes, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
}

/** DML_EXECUTION_FLAGS, all false by default, and the weights. */
export interface CompileOptions {
  /** Lets float32 operators compute with float16 where that is faster. */
  readonly allowHalfPrecisionComputation?: boolean | undefined;
  /** Keeps to DirectML's own shaders, without those of the driver. */
  readonly disableMetacommands?: boolean | undefined;
  /** Reads descriptors when the work runs, not when it is recorded. */
  readonly descriptorsVolatile?: boolean | undefined;
  /**
   * The weights that DirectML takes over: a binding for each input of the descriptor whose flags are `'ownedByDml'`, by
   * field name. DirectML reads them once and may keep them in a layout of its own. Leave their memory unchanged until
   * the promise resolves; it is not needed afterwards. No dispatch binds them.
   */
  readonly initializationInputs?: Bindings | undefined;
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
  createTensor<T extends DataType>(
    desc: TensorDesc & { readonly dataType: T },
    data?: TypedArrayFor<T> | ArrayBufferLike | DataView | TensorPlace,
  ): Tensor<T> {
    this.#context.check('createTensor');
    const place = { operator: 'createTensor', field: '' };
    // Read once, and here, where it is of the caller's type.
    const dataType = guard('ERR_INVALID_DESCRIPTOR', at(place, 'dataType'), () => ownDataType(desc));
    const known = dataType === undefined ? undefined : new Map([['dataType', dataType]]);
    const resolved = resolveTensor(desc, place, 'any', this.#context.featureLevel, known);
    if (dataType === undefined) throw fieldError('ERR_MISSING_FIELD', at(place, 'dataType'), 'a data type', 'nothing');
    if (isPlace(data)) return this.#placeTensor(resolved, dataType, data);
    const size = Math.ceil(resolved.totalTensorSizeInBytes / 4) * 4;
    const tensor = new Tensor(resolved, dataType, new DirectMLBuffer(this.#context, size, ''), 0, true);
    if (data === undefined) return tensor;
    try {
      tensor.write(data);
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
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
  async compile(descriptor: OperatorDescriptor, options?: CompileOptions): Promise<CompiledOperator> {
    return fromCaller(() => this.#compile(descriptor, options));
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
    const key = owned.every((range) => range === null) ? cacheKey(operator.descriptor, flags) : Symbol(operator.descriptor.type);
    const { backend } = this.#context;
    const handle = await this.#operators.acquire(key, () => backend.compile(operator, { ...flags }, owned));
    try {
      this.#context.check('compile');
    } catch (error) {
      if (!this.#context.isDisposed) handle.release();
      throw error;
    }
    return new CompiledOperator(this.#context, operator, handle);
  }

  #resolve(method: string, descriptor: unknown): ResolvedOperator {
    const operator = resolveDescriptor(descriptor, this.#context.featureLevel, method);
    checkDataTypes(operator, this.info.tensorDataTypes);
    return operator;
  }

  #placeTensor<T extends DataType>(resolved: ResolvedTensor, dataType: T, place: TensorPlace): Tensor<T> {
    const method = { operator: 'createTensor', field: '' };
    const { buffer, offset: given } = readPlace(place);
    if (!buffer.belongsTo(this.#context)) {
      throw fieldError('ERR_WRONG_DEVICE', at(method, 'buffer'), 'a buffer of this device', `another device's`);
    }
    buffer.check('createTensor');
    const offset = byteCount('createTensor', 'offset', given);
    const end = offset + resolved.totalTensorSizeInBytes;
    if (offset % minimumAlignment !== 0) {
      throw fieldError('ERR_BINDING_RANGE', at(method, 'offset'), `a multiple of ${minimumAlignment}`, `${offset}`);
    }
    if (end > buffer.sizeInBytes) {
      const expected = `a range within the buffer's ${buffer.sizeInBytes} bytes`;
      throw fieldError('ERR_BINDING_RANGE', at(method, 'buffer'), expected, `bytes ${offset} to ${end}`);
    }
    return new Tensor(resolved, dataType, buffer, offset, false);
  }
}

function readCompileOptions(options: unknown): {
  flags: CompileFlags & Readonly<Record<string, boolean>>;
  initializationInputs: unknown;
} {
  const flagNames = ['allowHalfPrecisionComputation', 'disableMetacommands', 'descriptorsVolatile'] as const;
  const read = readOptions('compile', options, [...flagNames, 'initializationInputs'] as const);
  const flag = (name: (typeof flagNames)[number]) => booleanOption('compile', name, read.get(name));
  return {
    flags: {
      allowHalfPrecisionComputation: flag('allowHalfPrecisionComputation'),
      disableMetacommands: flag('disableMetacommands'),
      descriptorsVolatile: flag('descriptorsVolatile'),
    },
    initializationInputs: read.has('initializationInputs') ? read.get('initializationInputs') : {},
  };
}

function ownDataType<T extends DataType>(desc: { readonly dataType: T }): T | undefined {
  return isObject(desc) && Object.hasOwn(desc, 'dataType') ? desc.dataType : undefined;
}

/** A buffer's place, or another tensor's, rather than data. */
function isPlace(data: unknown): data is TensorPlace {
  if (!isObject(data) || ArrayBuffer.isView(data)) return false;
  return guard('ERR_INVALID_ARGUMENT', { operator: 'createTensor', field: 'data' }, () => Object.hasOwn(data, 'buffer'));
}

function readPlace(place: object): { buffer: DirectMLBuffer; offset: unknown } {
  if (Tensor.is(place)) return { buffer: place.buffer, offset: place.offset };
  const read = readArguments('createTensor', '', place, ['buffer', 'offset']);
  const buffer = read.get('buffer');
  if (DirectMLBuffer.is(buffer)) return { buffer, offset: read.has('offset') ? read.get('offset') : 0 };
  throw argumentError('createTensor', 'buffer', 'a buffer of this device', buffer);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
