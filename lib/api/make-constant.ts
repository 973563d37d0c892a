/** The change that makes a property constant. It inherits nothing, because a script may give Object.prototype a `value`. */
const constant: PropertyDescriptor = Object.freeze({ __proto__: null, writable: false, configurable: false });

/** Makes `readonly` properties constant at run time, because later checks rely on them. */
export function makeConstant<T extends object>(object: T, ...names: readonly (keyof T & string)[]): void {
  for (const name of names) Object.defineProperty(object, name, constant);
}
