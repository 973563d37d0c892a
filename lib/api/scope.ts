/** `device.scope`: disposes of what a function made, except for what it returns. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { requireFunction } from '../values/arguments.js';
import type { DeviceContext } from './device-context.js';
import { fromProgram } from './call-site.js';
import { settleResult } from './graphs/jit-trees.js';
import { untilEnd } from './until-end.js';

/** The engine's own, saved now because a program may replace the global later. */
const { WeakRef } = globalThis;

/** Something that a scope disposes of. */
interface Made {
  dispose(): void;
}

/** By object, what has to stay if it stays, such as what a recording dispatches. */
const parts = new WeakMap<object, readonly object[]>();
/** The scope in which the code runs, also after an `await`. */
const scopes = new AsyncLocalStorage<Scope | null>();

class Scope {
  readonly #context: DeviceContext;
  readonly #outer: Scope | null;
  /** Weak, so that objects which the function drops can be collected before its end. */
  #made: WeakRef<Made>[] = [];
  /** Up to this number, collected objects are not looked for. */
  #limit = 1024;
  #isOver = false;

  constructor(context: DeviceContext, outer: Scope | null) {
    this.#context = context;
    this.#outer = outer;
  }

  /** The innermost scope of the device that has not ended. Code that runs on after the end belongs to the scope outside. */
  of(context: DeviceContext): Scope | null {
    if (this.#context === context && !this.#isOver) return this;
    return this.#outer?.of(context) ?? null;
  }

  add(object: Made): void {
    if (this.#made.length >= this.#limit) {
      this.#made = this.#made.filter((made) => made.deref() !== undefined);
      this.#limit = Math.max(this.#limit, this.#made.length * 2);
    }
    this.#made.push(new WeakRef(object));
  }

  /** Disposes of everything but `kept`, which the scope outside gets. */
  end(kept: ReadonlySet<object>): void {
    this.#isOver = true;
    const outer = this.of(this.#context);
    for (const reference of this.#made) {
      const made = reference.deref();
      if (made === undefined) continue;
      if (kept.has(made)) outer?.add(made);
      else made.dispose();
    }
    this.#made = [];
  }
}

/**
 * Registers a new object with the current scope, if there is one. The object stays if the function returns `holder`, and so do
 * the objects that `holder` needs.
 */
export function addToScope(context: DeviceContext, made: Made, holder: object = made, needs: Iterable<object> = []): void {
  const scope = scopes.getStore()?.of(context);
  if (scope === null || scope === undefined) return;
  parts.set(holder, [made, ...needs]);
  scope.add(made);
}

/** Calls a function whose objects no scope disposes of, such as those of a cache. */
export function outsideScopes<Result>(work: () => Result): Result {
  return scopes.getStore() === undefined ? work() : scopes.run(null, work);
}

/** The result of a function with what its promises give: itself, or the properties of an object or the elements of an array. */
export type Settled<T> =
  T extends Promise<infer Value>
    ? Settled<Value>
    : T extends object
      ? [Extract<T[keyof T], Promise<unknown>>] extends [never]
        ? T
        : { [Name in keyof T]: Awaited<T[Name]> }
      : T;

/** See {@link Device.scope}. */
export async function runInScope(context: DeviceContext, fn: () => unknown): Promise<unknown> {
  requireFunction('scope', 'fn', fn);
  const scope = new Scope(context, scopes.getStore() ?? null);
  const kept = new Set<object>();
  const check = () => context.check('scope');
  try {
    const result = await untilEnd([context.ending], check, () => scopes.run(scope, () => settleResult(fn, [], 'scope')));
    keep(result, kept);
    return result;
  } catch (error) {
    throw fromProgram(error);
  } finally {
    scope.end(kept);
  }
}

/** Collects all objects that are reached from a result by properties, elements of arrays, maps and sets. */
function keep(result: unknown, kept: Set<object>): void {
  const pending = [result];
  const add = (value: unknown) => {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') pending.push(value);
  };
  while (pending.length > 0) {
    const value = pending.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || kept.has(value)) continue;
    kept.add(value);
    if (ArrayBuffer.isView(value) || types.isProxy(value)) continue;
    parts.get(value)?.forEach(add);
    if (Array.isArray(value)) value.forEach(add);
    else if (types.isSet(value)) value.forEach(add);
    else if (types.isMap(value)) for (const entry of value) entry.forEach(add);
    else for (const property of Object.values(Object.getOwnPropertyDescriptors(value))) add(property.value);
  }
}
