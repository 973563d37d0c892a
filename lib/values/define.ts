/** Defines properties so that no script can interfere. */

/**
 * Defines a configurable own property. An assignment could call a setter on a prototype, and a descriptor with a prototype
 * could inherit a `get` from Object.prototype.
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
