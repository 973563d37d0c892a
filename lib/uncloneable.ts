/**
 * Keeps objects of this package from being cloned, as `postMessage` and `structuredClone` do: a copy would have the properties, but
 * no memory of a device. Node.js can refuse that from 22.10 on.
 */
import * as threads from 'node:worker_threads';

/** Read by its name, because bundlers turn `threads.markAsUncloneable` into an import, which older versions of Node.js refuse. */
const known: unknown = Reflect.get(threads, 'markAsUncloneable');

/** Makes clones of the object a DataCloneError. Must come before the object is frozen. Does nothing where Node.js cannot do it. */
export const markUncloneable: (object: object) => void = isMarker(known) ? known : () => undefined;

function isMarker(value: unknown): value is (object: object) => void {
  return typeof value === 'function';
}
