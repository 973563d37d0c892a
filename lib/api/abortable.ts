/** Ends the wait of a promise when an AbortSignal says so. The device goes on with the work. */
import { DirectMLError } from '../values/errors.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { guard } from '../values/input.js';

/** The part of an `AbortSignal` that this package uses. Signals of other realms and of polyfills have it too. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Options of methods that wait for the device. */
export interface WaitOptions {
  /**
   * Ends the wait: when it is aborted, the promise rejects with ERR_ABORTED, whose `name` is `'AbortError'` and whose `cause` is
   * the signal's `reason`. The device goes on with the work. If it is aborted before the call, the call records nothing.
   */
  readonly signal?: AbortSignalLike | undefined;
}

/** What the waits on one signal share. Node.js may warn of a signal with more than ten listeners. */
interface Shared {
  readonly listener: () => void;
  readonly aborts: Set<() => void>;
}

/** By signal, as long as something waits. */
const shared = new WeakMap<object, Shared>();

/** The wait of a method that has the option `signal`. */
export class Wait {
  readonly #method: string;
  readonly #signal: object;
  readonly #consequence: string;

  constructor(method: string, signal: object, consequence: string) {
    this.#method = method;
    this.#signal = signal;
    this.#consequence = consequence;
  }

  static is(value: unknown): value is Wait {
    return typeof value === 'object' && value !== null && #signal in value;
  }

  /** Begins the work unless the signal is aborted. If it is aborted later, `release` gets the result that nobody waits for. */
  async for<T>(work: () => Promise<T>, release: (late: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const isWaiting = () => !isOver;
      const abort = () => {
        if (end()) reject(this.#error());
      };
      const end = () => {
        if (isOver) return false;
        isOver = true;
        this.#remove(abort);
        return true;
      };
      if (this.#read('aborted') === true) abort();
      else this.#add(abort);
      // A signal may call its listener as soon as it is added.
      if (!isWaiting()) return;
      const begun = begin(work);
      begun.then(
        (result) => {
          if (end()) resolve(result);
          else release(result);
        },
        () => {
          // What nobody waits for is no unhandled rejection.
          if (end()) resolve(begun);
        },
      );
    });
  }

  #error(): DirectMLError {
    const message = `${this.#method}: the wait was aborted; ${this.#consequence}`;
    return new DirectMLError('ERR_ABORTED', message, { operator: this.#method, cause: this.#reason() });
  }

  #reason(): unknown {
    try {
      return Reflect.get(this.#signal, 'reason');
    } catch (error) {
      return error;
    }
  }

  #add(abort: () => void): void {
    const known = shared.get(this.#signal);
    if (known !== undefined) {
      known.aborts.add(abort);
      return;
    }
    const aborts = new Set([abort]);
    const listener = () => {
      for (const each of [...aborts]) each();
    };
    shared.set(this.#signal, { listener, aborts });
    try {
      this.#call('addEventListener', listener);
    } catch (error) {
      shared.delete(this.#signal);
      throw error;
    }
  }

  #remove(abort: () => void): void {
    const known = shared.get(this.#signal);
    if (known === undefined) return;
    known.aborts.delete(abort);
    if (known.aborts.size > 0) return;
    shared.delete(this.#signal);
    try {
      this.#call('removeEventListener', known.listener);
    } catch {
      // The result of the work is there all the same.
    }
  }

  #call(name: 'addEventListener' | 'removeEventListener', listener: () => void): void {
    const method = this.#read(name);
    if (typeof method !== 'function') throw noSignal(this.#method, this.#signal);
    guard('ERR_INVALID_ARGUMENT', placeIn(this.#method), () => {
      Reflect.apply(method, this.#signal, ['abort', listener]);
    });
  }

  #read(name: keyof AbortSignalLike): unknown {
    return readPart(this.#method, this.#signal, name);
  }
}

/** Reads the options of a method whose only option is `signal`; or takes over the wait of a method that calls this one. */
export function readWait(method: string, options: unknown): Wait | null {
  if (options === undefined || Wait.is(options)) return options ?? null;
  return waitOf(method, readOptions(method, options, ['signal']).get('signal'));
}

/**
 * The wait that the option `signal` ends; null if it is absent.
 *
 * @param consequence What becomes of the work, for the message.
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT for anything other than a signal.
 */
export function waitOf(method: string, signal: unknown, consequence = 'the device goes on with the work'): Wait | null {
  if (signal === undefined) return null;
  if (typeof signal !== 'object' || signal === null) throw noSignal(method, signal);
  const isSignal =
    typeof readPart(method, signal, 'aborted') === 'boolean' &&
    typeof readPart(method, signal, 'addEventListener') === 'function' &&
    typeof readPart(method, signal, 'removeEventListener') === 'function';
  if (!isSignal) throw noSignal(method, signal);
  return new Wait(method, signal, consequence);
}

/** Does the work, and waits for it as long as the signal allows. */
export function waitFor<T>(wait: Wait | null, work: () => Promise<T>, release: (late: T) => void = ignore): Promise<T> {
  return wait === null ? work() : wait.for(work, release);
}

/** Begins the work now; whatever it throws becomes a rejection. */
export async function begin<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** Signals inherit their properties, so they are read like those of any object. */
function readPart(method: string, signal: object, name: keyof AbortSignalLike): unknown {
  return guard('ERR_INVALID_ARGUMENT', placeIn(method), (): unknown => Reflect.get(signal, name));
}

function noSignal(method: string, given: unknown): DirectMLError {
  return argumentError(method, placeIn(method).field, 'an AbortSignal', given);
}

function placeIn(method: string) {
  return { operator: method, field: 'options.signal' };
}

function ignore(): void {
  // There is nothing to release.
}
