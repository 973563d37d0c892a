/**
 * Keeps objects of this package from being cloned, as `postMessage` and `structuredClone` do: a copy would have the properties, but
 * no memory of a device. Node.js can refuse that from 22.10 on.
 */
import { nodeModule } from './node-module.js';

type Marker = (object: object) => void;

let marker: Marker | undefined;

/** Makes clones of the object a DataCloneError. Must come before the object is frozen. Does nothing where Node.js cannot do it. */
export function markUncloneable(object: object): void {
  marker ??= findMarker();
  marker(object);
}

/** Looks for it when the first object is marked. */
function findMarker(): Marker {
  const isTooOld = Number.parseInt(process.versions.node, 10) < 22;
  const threads = isTooOld ? {} : (nodeModule('node:worker_threads') as object);
  const known: unknown = Reflect.get(threads, 'markAsUncloneable');
  return isMarker(known) ? known : () => undefined;
}

function isMarker(value: unknown): value is Marker {
  return typeof value === 'function';
}
