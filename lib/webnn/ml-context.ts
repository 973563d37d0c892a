/** MLContext: tensors, dispatches and the end of both, on a device. */
import { fromCaller } from '../api/call-site.js';
import type { Device } from '../api/device.js';
import { dueTurn } from '../api/event-loop.js';
import { outsideScopes } from '../api/scope.js';
import type { Tensor } from '../api/memory/tensor.js';
import { shorten } from '../values/given.js';
import { copyOf, lengthProblem, viewOf } from './buffer-data.js';
import type { BuiltGraph, Port } from './ml-graph.js';
import { ContextTensor, type TensorUse } from './ml-tensor.js';
import { domError, invalidState } from './dom-errors.js';
import type { MLOperandDescriptor, MLTensorDescriptor } from './generated/arguments.js';
import type { MLContextLostInfo } from './generated/types.js';
import type { AllowSharedBufferSource } from './idl/conversions.js';
import { supportLimits } from './limits.js';
import { byteLength, problemOf, sameShape, sizesOf, type OperandDescriptor } from './ml-operand.js';
import { Pending } from './pending.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Uint8Array } = globalThis;

type NamedTensors = ReadonlyMap<string, ContextTensor>;

/** The device's promise by the context's promise. A collected device resolves its promise only if that is still alive. */
const deviceLost = new WeakMap<Promise<MLContextLostInfo>, Promise<unknown>>();

export class Context {
  readonly device: Device;
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  readonly #ownsDevice: boolean;
  readonly #work = new Pending();
  /** What to destroy with the context, if the program still has it. */
  readonly #made = new Set<WeakRef<ContextTensor | BuiltGraph>>();
  #resolveLost: (info: MLContextLostInfo) => void = () => undefined;
  #isLost = false;
  /** The size of `#made` at which collected entries are removed. */
  #sweepAt = 64;

  constructor(device: Device, accelerated: boolean, ownsDevice: boolean) {
    this.device = device;
    this.accelerated = accelerated;
    this.#ownsDevice = ownsDevice;
    let resolveLost = this.#resolveLost;
    this.lost = new Promise((resolve) => (resolveLost = resolve));
    this.#resolveLost = resolveLost;
    deviceLost.set(this.lost, device.lost);
    // The device's promise must not keep the context alive. A program that keeps only `lost` is still notified.
    const weak = new WeakRef(this);
    void device.lost.then(({ message }) => {
      weak.deref()?.lose(message);
      resolveLost({ message });
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  opSupportLimits(): unknown {
    return supportLimits();
  }

  destroy(): undefined {
    this.lose('The context was destroyed.');
  }

  lose(message: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#resolveLost({ message });
    this.#work.reject(() => lostError());
    for (const weak of this.#made) {
      const made = weak.deref();
      if (made instanceof ContextTensor) made.reads.reject(() => lostError());
      made?.destroy();
    }
    this.#made.clear();
    if (this.#ownsDevice) this.device.dispose();
  }

  /** @throws {DOMException} InvalidStateError if the context is lost. */
  check(): void {
    if (this.#isLost) throw lostError();
  }

  /** The result of work for the device, or an InvalidStateError as soon as the context is lost. */
  async untilLost<T>(work: Promise<T>): Promise<T> {
    // At the call, so that promises settle in the order of the calls.
    const turn = dueTurn();
    try {
      return await this.#work.wait(work);
    } finally {
      if (turn !== null) await turn;
    }
  }

  /** Destroys a graph or tensor with the context. */
  remember(made: ContextTensor | BuiltGraph): void {
    if (this.#made.size >= this.#sweepAt) {
      for (const weak of this.#made) if (weak.deref()?.isDestroyed !== false) this.#made.delete(weak);
      this.#sweepAt = 2 * this.#made.size + 64;
    }
    this.#made.add(new WeakRef(made));
  }

  async createTensor(descriptor: MLTensorDescriptor): Promise<ContextTensor> {
    this.check();
    const { readable, writable } = descriptor;
    checkDescriptor('createTensor', descriptor);
    return this.untilLost(this.#newTensor(descriptor, { readable, writable, constant: false }));
  }

  async createConstantTensor(descriptor: MLOperandDescriptor, data: AllowSharedBufferSource): Promise<ContextTensor> {
    this.check();
    checkDescriptor('createConstantTensor', descriptor);
    checkLength('createConstantTensor', 'inputData', data, descriptor);
    const bytes = new Uint8Array(copyOf(data));
    const use = { readable: false, writable: false, constant: true };
    return this.untilLost(this.#newTensor(descriptor, use, bytes));
  }

  async readTensor(tensor: ContextTensor, output?: AllowSharedBufferSource): Promise<ArrayBuffer | undefined> {
    this.check();
    this.#checkTensor('readTensor', tensor);
    if (!tensor.readable) throw new TypeError('readTensor: the tensor was not created with readable: true.');
    if (output !== undefined) checkLength('readTensor', 'outputData', output, tensor);
    const { buffer, offset } = tensor.tensor;
    const { bytes } = await this.untilLost(
      tensor.reads.wait(asUnknown(fromCaller(() => buffer.readBytes(offset, byteLength(tensor))))),
    );
    if (output === undefined) return bytes;
    const target = viewOf(output);
    if (target.byteLength < bytes.byteLength) throw new TypeError('readTensor: outputData was detached in the meantime.');
    target.set(new Uint8Array(bytes));
    return undefined;
  }

  writeTensor(tensor: ContextTensor, data: AllowSharedBufferSource): undefined {
    this.check();
    this.#checkTensor('writeTensor', tensor);
    if (!tensor.writable) throw new TypeError('writeTensor: the tensor was not created with writable: true.');
    checkLength('writeTensor', 'inputData', data, tensor);
    try {
      writeBytes(tensor.tensor, viewOf(data));
    } catch (error) {
      throw domError(error, 'OperationError');
    }
  }

  dispatch(graph: BuiltGraph, inputs: NamedTensors, outputs: NamedTensors): undefined {
    if (graph.context !== this) throw new TypeError('dispatch: the graph belongs to another context.');
    if (graph.isDestroyed) throw invalidState('dispatch: the graph was destroyed.');
    const tensors = [...inputs.values(), ...outputs.values()];
    if (new Set(tensors).size !== tensors.length) throw new TypeError('dispatch: a tensor is given twice.');
    for (const tensor of tensors) this.#checkTensor('dispatch', tensor);
    const bindings = { ...bind('input', inputs, graph.ports.inputs), ...bind('output', outputs, graph.ports.outputs) };
    try {
      graph.compiled.dispatch(bindings);
    } catch (error) {
      throw domError(error, 'OperationError');
    }
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error has to become a rejection
  async #newTensor(descriptor: OperandDescriptor, use: TensorUse, bytes?: Uint8Array): Promise<ContextTensor> {
    const { dataType, shape } = descriptor;
    try {
      const tensor = outsideScopes(() => this.device.createTensor({ dataType, sizes: sizesOf(shape) }));
      if (bytes !== undefined) writeBytes(tensor, bytes);
      const made = new ContextTensor(this, descriptor, use, tensor);
      this.remember(made);
      return made;
    } catch (error) {
      throw domError(error, 'UnknownError');
    }
  }

  #checkTensor(method: string, tensor: ContextTensor): void {
    if (tensor.context !== this) throw new TypeError(`${method}: a tensor belongs to another context.`);
    if (!tensor.isDestroyed) return;
    // The specification requires a TypeError everywhere; Chromium and the tests expect it only in dispatch.
    const message = `${method}: a tensor was destroyed.`;
    throw method === 'dispatch' ? new TypeError(message) : invalidState(message);
  }
}

function bind(role: string, given: NamedTensors, ports: ReadonlyMap<string, Port>): Record<string, Tensor> {
  if (given.size !== ports.size) {
    throw new TypeError(`dispatch: the graph has ${ports.size} ${role}s, but ${given.size} are given.`);
  }
  const bound: Record<string, Tensor> = {};
  for (const [name, tensor] of given) {
    const port = ports.get(name);
    const what = `dispatch: the ${role} '${shorten(name)}'`;
    if (port === undefined) throw new TypeError(`${what} is none of the graph.`);
    if (tensor.constant) throw new TypeError(`${what} is a constant tensor.`);
    if (tensor.dataType !== port.dataType || !sameShape(tensor.shape, port.shape)) {
      throw new TypeError(`${what} is ${textOf(tensor)}, not ${textOf(port)}.`);
    }
    bound[port.key] = tensor.tensor;
  }
  return bound;
}

function textOf({ dataType, shape }: OperandDescriptor): string {
  return `${dataType} [${shape.join(', ')}]`;
}

function checkDescriptor(method: string, descriptor: OperandDescriptor): void {
  const problem = problemOf(descriptor);
  if (problem !== undefined) throw new TypeError(`${method}: the tensor ${problem}.`);
}

/** As in Chromium, tensors are written from views of any type, and read into those that are long enough. */
function checkLength(method: string, name: string, data: AllowSharedBufferSource, descriptor: OperandDescriptor): void {
  const problem = lengthProblem(data, descriptor, name === 'outputData');
  if (problem !== undefined) throw new TypeError(`${method}: ${name} ${problem}.`);
}

/** Any bytes, regardless of the data type's typed array. */
function writeBytes(tensor: Tensor, bytes: Uint8Array): void {
  tensor.buffer.write(bytes, tensor.offset);
}

async function asUnknown<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw domError(error, 'UnknownError');
  }
}

function lostError(): DOMException {
  return invalidState('The context is lost.');
}
