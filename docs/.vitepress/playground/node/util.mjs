// @ts-check
// node:util for the library and for what programs print. `inspect` is Node's own code, extracted by a package.
export { inspect } from 'node-inspect-extracted';

const isTagged = (/** @type {string} */ tag) => (/** @type {unknown} */ value) =>
  typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === `[object ${tag}]`;

const isArrayBuffer = isTagged('ArrayBuffer');
const isSharedArrayBuffer = isTagged('SharedArrayBuffer');
const isNever = () => false;

/** The tests that the library uses. A browser cannot tell a proxy from its target, and has no externals. */
export const types = {
  isAnyArrayBuffer: (/** @type {unknown} */ value) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isArrayBuffer,
  isDataView: isTagged('DataView'),
  isDate: isTagged('Date'),
  isExternal: isNever,
  isMap: (/** @type {unknown} */ value) => value instanceof Map,
  isNativeError: (/** @type {unknown} */ value) => value instanceof Error,
  isPromise: (/** @type {unknown} */ value) => value instanceof Promise,
  isProxy: isNever,
  isSet: (/** @type {unknown} */ value) => value instanceof Set,
  isSharedArrayBuffer,
};
