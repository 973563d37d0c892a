/** Makes `readonly` properties constant at run time, because later checks rely on them. */
export function keep<T extends object>(object: T, ...names: readonly (keyof T & string)[]): void {
  for (const name of names) Object.defineProperty(object, name, { writable: false, configurable: false });
}
