/** Makes properties as constant as `readonly` says they are: later checks rely on them, and JavaScript could change them. */
export function keep<T extends object>(object: T, ...names: readonly (keyof T & string)[]): void {
  for (const name of names) Object.defineProperty(object, name, { writable: false, configurable: false });
}
