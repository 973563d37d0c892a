/**
 * Keeps objects of this package from being cloned, as `postMessage` and `structuredClone` do: a copy would have the properties, but
 * no memory of a device. Node.js can refuse that from 22.10 on.
 */
// Not `{ createRequire }`: webpack warns about each call of it with an unknown argument.
import Module from 'node:module';

type Marker = (object: object) => void;

let marker: Marker | undefined;

/** Makes clones of the object a DataCloneError. Must come before the object is frozen. Does nothing where Node.js cannot do it. */
export function markUncloneable(object: object): void {
  marker ??= findMarker();
  marker(object);
}

/** Looks for it when the first object is marked, because an import of node:worker_threads takes milliseconds. */
function findMarker(): Marker {
  const isTooOld = Number.parseInt(process.versions.node, 10) < 22;
  const threads: object = isTooOld ? {} : (Module.createRequire(process.execPath)('node:worker_threads') as object);
  const known: unknown = Reflect.get(threads, 'markAsUncloneable');
  return isMarker(known) ? known : () => undefined;
}

function isMarker(value: unknown): value is Marker {
  return typeof value === 'function';
}
