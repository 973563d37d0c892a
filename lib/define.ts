/** Defines properties so that no script can interfere. */

/**
 * Gives an object a property of its own, which can be configured. Assigning it could call a setter on a prototype, and a descriptor
 * that inherits could take a `get` from Object.prototype.
 */
export function define(
  object: object,
  name: PropertyKey,
  value: unknown,
  ...attributes: readonly ('writable' | 'enumerable')[]
): void {
  const writable = attributes.includes('writable');
  const enumerable = attributes.includes('enumerable');
  const property = { __proto__: null, value, writable, enumerable, configurable: true };
  Object.defineProperty(object, name, property);
}
