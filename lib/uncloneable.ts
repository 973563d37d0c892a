/**
 * Keeps objects of this package from being cloned, as `postMessage` and `structuredClone` do: a copy would have the properties, but
 * no memory of a device. Node.js can refuse that from 22.10 on.
 */

/** Saved now, because a program may replace it later. A version of Node.js without it cannot refuse clones either. */
const getBuiltinModule: unknown = Reflect.get(process, 'getBuiltinModule');

/** The function; null if there is none, undefined before the first look. */
let mark: unknown;

/** Makes clones of the object a DataCloneError. Must come before the object is frozen. Does nothing where Node.js cannot do it. */
export function markUncloneable(object: object): void {
  if (mark === undefined) mark = findMark();
  if (isFunction(mark)) mark(object);
}

/** Loads the module of the function when it is first needed, because that takes milliseconds. */
function findMark(): unknown {
  const threads = isFunction(getBuiltinModule) ? getBuiltinModule('node:worker_threads') : undefined;
  const found: unknown = typeof threads === 'object' && threads !== null ? Reflect.get(threads, 'markAsUncloneable') : undefined;
  return found ?? null;
}

function isFunction(value: unknown): value is (argument: unknown) => unknown {
  return typeof value === 'function';
}
