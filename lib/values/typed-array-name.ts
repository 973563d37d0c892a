/** Finds out from the engine what an object is, because the object itself may lie. */

/** The number of elements of a typed array. */
export const typedArrayLength = getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'length');
const typedArrayTag = getterOf(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

/** `'Float32Array'` for one, and for a subclass of one such as Node's `Buffer`; undefined for anything else. */
export function typedArrayName(value: unknown): string | undefined {
  const name = typedArrayTag(value);
  return typeof name === 'string' ? name : undefined;
}

/** The engine's own getter as a function of the object. */
export function getterOf(prototype: unknown, name: PropertyKey): (object: unknown) => unknown {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with whatever object it is asked about
  const getter: ((this: unknown) => unknown) | undefined = property?.get;
  if (getter === undefined) throw new TypeError(`no getter: ${String(name)}`);
  return (object) => getter.call(object);
}
