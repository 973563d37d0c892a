/** The operators of a device: validates and compiles their descriptors, and keeps those that are in use or ran last. */
import type { BufferRange, CompileFlags } from '../../backends/backend.js';
import type { OperatorDescriptor } from '../../descriptors/generated/descriptors.js';
import { descriptions, type TensorReader } from '../../descriptors/tensor-reader.js';
import { requireDescriptor, resolveDescriptor } from '../../operators/resolve.js';
import { readRequest, type PlainRequest } from '../../descriptors/plain-request.js';
import type { ResolvedOperator, TensorSlot } from '../../descriptors/resolved.js';
import { atInitialization, planBindings } from './binding-plan.js';
import { bindTensor } from './bindings.js';
import { waitFor, type Wait } from '../abortable.js';
import { fromCaller, fromCallerNow } from '../call-site.js';
import { noFlags, readCompileOptions, readExecutionOptions, type CompileOptions } from './compile-options.js';
import { CompiledOperator } from './compiled-operator.js';
import type { DeviceContext } from '../device-context.js';
import { checkDataTypes } from '../device-support.js';
import { Work } from './dispatchable.js';
import { cacheKey, OperatorCache, type OperatorHandle, type OperatorKey } from './operator-cache.js';
import { readBindings } from './read-bindings.js';
import { descriptorOf } from './resolved-descriptor.js';
import { PreparedOperator } from './prepared-operator.js';
import { bindTensors, needTensors, recordRun, TensorFields, type Runnable } from './run.js';
import { withNewTensors } from '../memory/new-tensor.js';
import { RecentlyUsed } from '../recently-used.js';
import { describeTensor, tensorKind, type Tensor } from '../memory/tensor.js';
import { tensorOrDescription } from '../memory/tensor-words.js';

/** The outputs of {@link Device.run} by field name. */
type Outputs = Readonly<Record<string, Tensor | readonly Tensor[]>>;

/** Descriptors to compile describe tensors, or have them. */
const compiled: TensorReader = { ...descriptions, describe: describeTensor, input: tensorOrDescription };

/** How many operators that nobody holds stay compiled. */
const mostRun = 256;

/** By device. */
const operators = new WeakMap<DeviceContext, DeviceOperators>();

/** Runs an operator like {@link Device.run}, on the device with this context. */
export function runOn(context: DeviceContext, descriptor: unknown): Promise<Outputs> {
  context.refuseWhileRecording('device.run');
  const own = operators.get(context);
  if (own === undefined) throw new TypeError('a device has operators');
  return own.run(descriptor);
}

export class DeviceOperators {
  readonly #context: DeviceContext;
  readonly #inUse = new OperatorCache();
  readonly #recentlyRun = new RecentlyUsed<OperatorKey, Runnable>(mostRun, ({ handle }) => handle.release());

  constructor(context: DeviceContext) {
    this.#context = context;
    operators.set(context, this);
  }

  /** Forgets all operators without releasing them; called when the device is disposed of. */
  clear(): void {
    this.#recentlyRun.clear();
    this.#inUse.clear();
  }

  /** Validates a descriptor for the device. */
  resolve(method: string, descriptor: unknown, tensors: TensorReader = compiled): ResolvedOperator {
    const operator = resolveDescriptor(descriptor, this.#context.featureLevel, method, tensors);
    checkDataTypes(operator, this.#context.backend.info.tensorDataTypes);
    return operator;
  }

  async compile(descriptor: OperatorDescriptor, options: CompileOptions | undefined): Promise<CompiledOperator> {
    this.#context.check('compile');
    // Before the options, for compile(type, fields) looks like wrong options.
    requireDescriptor(descriptor, 'compile');
    const { label, flags, initializationInputs, wait } = readCompileOptions(options);
    const operator = this.resolve('compile', descriptor);
    const plan = planBindings(operator, label);
    const given = readBindings(plan, atInitialization, initializationInputs);
    // Inputs come before outputs.
    const owned = inputSlots(operator).map((slot, i) => bindTensor(plan, slot, given[i], this.#context));
    const { type } = operator.descriptor;
    const key = owned.every((range) => range === null) ? cacheKey(operator.descriptor, flags) : Symbol(type);
    const handle = await this.#await(wait, () => this.#acquire('compile', key, operator, flags, owned));
    const work = new Work(this.#context, plan, handle);
    return new CompiledOperator(work, operator, { type, descriptor: descriptorOf(operator.descriptor) });
  }

  async prepare(descriptor: unknown, options: unknown): Promise<PreparedOperator> {
    this.#context.check('prepare');
    requireDescriptor(descriptor, 'prepare');
    const { label, flags, wait } = readExecutionOptions('prepare', options);
    const fields = new TensorFields();
    const operator = this.resolve('prepare', descriptor, fields);
    needTensors(operator, fields);
    const unowned = inputSlots(operator).map(() => null);
    const key = cacheKey(operator.descriptor, flags);
    const handle = await this.#await(wait, () => this.#acquire('prepare', key, operator, flags, unowned));
    const work = new Work(this.#context, planBindings(operator, label), handle);
    try {
      return withNewTensors(this.#context, (make) => {
        const created: Tensor[] = [];
        const bound = bindTensors(this.#context, work, fields.tensors, (desc) => {
          const tensor = make(desc);
          created.push(tensor);
          return tensor;
        });
        return new PreparedOperator(work, operator.descriptor.type, { ...bound, outputs: Object.freeze(bound.outputs), created });
      });
    } catch (error) {
      work.dispose();
      throw error;
    }
  }

  async run(descriptor: unknown): Promise<Outputs> {
    const request = readRequest(descriptor, tensorKind);
    const recent = request === null ? undefined : this.#recentlyRun.get(request.key);
    const outputs =
      request === null || recent === undefined
        ? await fromCaller(() => this.#compileAndRun(descriptor, request))
        : fromCallerNow(() => {
            this.#context.check('run');
            return recordRun(this.#context, recent, request.tensors);
          });
    const wait = this.#context.pace.addStep();
    if (wait !== null) await wait;
    return outputs;
  }

  async #compileAndRun(descriptor: unknown, request: PlainRequest<Tensor> | null): Promise<Outputs> {
    this.#context.check('run');
    const fields = new TensorFields();
    const operator = this.resolve('run', descriptor, fields);
    needTensors(operator, fields);
    const compiledKey = cacheKey(operator.descriptor, noFlags);
    const key = request?.key ?? compiledKey;
    const recent = this.#recentlyRun.get(key);
    if (recent !== undefined) return recordRun(this.#context, recent, fields.tensors);
    const unowned = inputSlots(operator).map(() => null);
    const handle = await this.#acquire('run', compiledKey, operator, noFlags, unowned);
    const runnable = { handle, plan: planBindings(operator) };
    this.#recentlyRun.add(key, runnable);
    return recordRun(this.#context, runnable, fields.tensors);
  }

  /** Waits for a handle as long as the signal allows. One that comes later is released. */
  #await(wait: Wait | null, acquire: () => Promise<OperatorHandle>): Promise<OperatorHandle> {
    return waitFor(wait, acquire, (late) => {
      if (!this.#context.isDisposed) late.release();
    });
  }

  /** Compiles the operator, or shares one with this key that is in use. `owned` has the bindings for the initialization. */
  async #acquire(
    method: string,
    key: OperatorKey,
    operator: ResolvedOperator,
    flags: CompileFlags,
    owned: readonly (BufferRange | null)[],
  ): Promise<OperatorHandle> {
    const { backend } = this.#context;
    let handle: OperatorHandle | null = null;
    try {
      handle = await this.#inUse.acquire(key, () => backend.compile(operator, { ...flags }, owned));
      this.#context.check(method);
      return handle;
    } catch (error) {
      if (!this.#context.isDisposed) handle?.release();
      throw this.#context.explain(method, error);
    }
  }
}

function inputSlots({ slots }: ResolvedOperator): readonly TensorSlot[] {
  return slots.filter(({ role }) => role === 'input');
}
