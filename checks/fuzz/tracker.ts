/** Watches the results of calls: every error must be the package's own with a known code, and every promise must settle. */
import { types } from 'node:util';
import { DirectMLError, type ErrorCode } from 'node-directml';
import { errorCodesIn } from '../harness/error-codes.js';
import type { Action } from './make.js';
import { Meddled } from './meddled.js';
import { takeOff } from './undo.js';
import { WrongResult } from './wrong-result.js';

export type FailureKind = 'foreign' | 'refused' | 'accepted' | 'wrong' | 'unsettled' | 'alive';

export interface Failure {
  /** The call's number. */
  readonly index: number;
  readonly kind: FailureKind;
  readonly text: string;
}

interface Pending {
  readonly label: string;
  onSettled: (() => void) | null;
}

const later = setTimeout;
const neverMind = clearTimeout;

/** The maximum length of a message. A longer one would contain a whole argument of the call. */
const LONGEST_MESSAGE = 6_000;

const codes = errorCodesIn('dist/values/errors.d.ts');

/** Codes with which a valid call may fail: the device is gone, or memory ran out. */
const ENDINGS: ReadonlySet<ErrorCode> = new Set(['ERR_DISPOSED', 'ERR_DEVICE_LOST', 'ERR_OUT_OF_MEMORY']);

export class Tracker {
  succeeded = 0;
  refused = 0;
  /** The calls with a pending promise, by number. */
  readonly #pending = new Map<number, Pending>();
  readonly #report: (failure: Failure) => void;

  constructor(report: (failure: Failure) => void) {
    this.#report = report;
  }

  get pending(): number {
    return this.#pending.size;
  }

  run(index: number, { label, outcome, run }: Action): void {
    let result: unknown;
    try {
      result = run();
    } catch (error) {
      this.#threw(index, label, outcome, error);
      return;
    }
    if (!types.isPromise(result)) {
      this.#returned(index, label, outcome);
      return;
    }
    const call: Pending = { label, onSettled: null };
    this.#pending.set(index, call);
    const settle = (report: () => void) => {
      takeOff();
      report();
      this.#pending.delete(index);
      call.onSettled?.();
    };
    result.then(
      () => settle(() => this.#returned(index, label, outcome)),
      (error: unknown) => settle(() => this.#threw(index, label, outcome, error)),
    );
  }

  /**
   * Waits for the promise of the call `index`, or for all promises, for at most `timeout` milliseconds. Does not combine promises,
   * because a call may make the surroundings hostile meanwhile.
   */
  settle(timeout: number, index?: number): Promise<void> {
    const found =
      index === undefined ? [...this.#pending.values()] : [this.#pending.get(index)].filter((call) => call !== undefined);
    if (found.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      let left = found.length;
      const timer = later(resolve, timeout);
      for (const call of found) {
        call.onSettled = () => {
          left -= 1;
          if (left > 0) return;
          neverMind(timer);
          resolve();
        };
      }
    });
  }

  /** Reports every pending promise, and forgets it. */
  reportUnsettled(): void {
    for (const [index, { label }] of this.#pending) this.#report({ index, kind: 'unsettled', text: label });
    this.#pending.clear();
  }

  /** Reports an error outside of calls: an unhandled rejection or an uncaught error. */
  reportForeign(index: number, what: string, error: unknown): void {
    takeOff();
    if (isA(Meddled, error)) return;
    this.#report({ index, kind: 'foreign', text: `${what}: ${told(error)}` });
  }

  #returned(index: number, label: string, outcome: Action['outcome']): void {
    this.succeeded += 1;
    if (outcome === 'refused') this.#report({ index, kind: 'accepted', text: label });
  }

  #threw(index: number, label: string, outcome: Action['outcome'], error: unknown): void {
    this.refused += 1;
    if (isA(WrongResult, error)) {
      this.#report({ index, kind: 'wrong', text: `${label}: ${error.message}` });
    } else if (isA(Meddled, error)) {
      // The script's own error came out as it was.
    } else if (!isA(DirectMLError, error) || !codes.has(error.code)) {
      this.#report({ index, kind: 'foreign', text: `${label}: ${told(error)}` });
    } else if (error.message.length > LONGEST_MESSAGE) {
      this.#report({ index, kind: 'foreign', text: `${label}: a message of ${error.message.length} characters` });
    } else if (outcome === 'succeeds' && !ENDINGS.has(error.code)) {
      this.#report({ index, kind: 'refused', text: `${label}: ${error.code} ${error.message}` });
    }
  }
}

/** Like `instanceof`, for thrown values, which may be anything, even a revoked proxy. */
export function isA<T>(type: abstract new (...args: never) => T, error: unknown): error is T {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}

function told(error: unknown): string {
  try {
    if (!(error instanceof Error)) return `${typeof error} ${String(error)}`;
    const places = error.stack?.split('\n').slice(1, 5) ?? [];
    return `${error.name}: ${error.message} ${places.map((line) => line.trim()).join(' ')}`;
  } catch {
    return `${typeof error} that cannot be told`;
  }
}
