/** Fences of other code, by which its GPU work and a device's are ordered. */
import type { BackendFence } from '../../backends/backend.js';
import { DirectMLError, named } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText, titled, withState } from '../../values/printed.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { argumentError } from '../../values/arguments.js';
import type { DeviceContext } from '../device-context.js';
import { makeConstant } from '../make-constant.js';
import { ownHandle } from './handles.js';

/** The highest value that a fence can have: 2^64 - 1 stands for a removed device. */
const maxValue = 2n ** 64n - 2n;

/** Options of {@link Device.createFence}. */
export interface FenceOptions {
  /** The name of the fence's handle, by which other processes can import it, such as `'Local\\frames'`. Default: none. */
  readonly name?: string | undefined;
  /** Name of the fence in error messages. Default: `''`. */
  readonly label?: string | undefined;
}

/** @internal The backend's fence, checked for a call of `method`. */
export let fenceOf: (context: DeviceContext, method: string, fence: unknown) => BackendFence;

/**
 * A counter that GPU work raises, shared with other code. {@link Device.importFence} imports it, {@link Device.createFence} creates
 * it. {@link Device.waitFor} and {@link Device.signal} use it.
 */
export class DirectMLFence implements Disposable {
  /** Name of the fence in error messages; `''` if it has none. */
  readonly label: string;
  readonly #context: DeviceContext;
  readonly #native: BackendFence;
  #isDisposed = false;

  static {
    const is = (value: object) => #native in value;
    fenceOf = (context, method, fence) => {
      if (typeof fence !== 'object' || fence === null || !(#native in fence)) {
        throw argumentError(method, 'fence', 'a fence of this device', fence);
      }
      if (fence.#context !== context) {
        throw argumentError(method, 'fence', 'a fence of this device', fence, 'ERR_WRONG_DEVICE');
      }
      fence.#check(method);
      return fence.#native;
    };
    nameKind('a fence', 'fences', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(context: DeviceContext, native: BackendFence, label: string) {
    this.#context = context;
    this.#native = native;
    this.label = label;
    makeConstant(this, 'label');
    markUncloneable(this);
  }

  /**
   * The value that the fence has reached.
   *
   * @throws {DirectMLError} ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  get value(): bigint {
    this.#check('fence.value');
    return this.#native.completedValue();
  }

  /**
   * Returns the handle by which other processes and devices import the fence, if {@link Device.createFence} created the fence or
   * a handle imported it. The handle belongs to the fence: see {@link DirectMLBuffer.exportHandle}.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE if it has none; ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  exportHandle(): bigint {
    this.#check('fence.exportHandle');
    return ownHandle('fence.exportHandle', this.#native.sharedHandle(), 'create the fence with device.createFence');
  }

  /** Releases the fence as soon as no recorded command needs it. May be called again. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (!this.#context.isDisposed) this.#native.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the label. `console.log` shows it too. */
  toString(): string {
    return withState(titled('DirectMLFence', this.label), this.#isDisposed ? 'disposed' : this.#context.state);
  }

  #check(method: string): void {
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: ${named('fence', this.label)} is disposed`);
    this.#context.check(method);
  }
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT unless it is a bigint that a fence can have. */
export function fenceValue(method: string, value: unknown): bigint {
  if (typeof value === 'bigint' && value > 0n && value <= maxValue) return value;
  throw argumentError(method, 'value', 'a bigint from 1n to 2n ** 64n - 2n', value);
}
