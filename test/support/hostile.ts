/** Objects as no well-meaning program hands them in. */

/** While `run` runs, every object inherits `properties`. */
export async function polluted<T>(properties: Readonly<Record<string, unknown>>, run: () => Promise<T>): Promise<T> {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: true, writable: true });
  }
  try {
    return await run();
  } finally {
    for (const name of Object.keys(properties)) Reflect.deleteProperty(Object.prototype, name);
  }
}

/** The same object with a count of how often each of its properties is read; a second reading gives something else. */
export function counted<T extends object>(target: T): { proxy: T; reads: Map<PropertyKey, number> } {
  const reads = new Map<PropertyKey, number>();
  const proxy = new Proxy(target, {
    get: (_, name) => {
      const count = (reads.get(name) ?? 0) + 1;
      reads.set(name, count);
      return count === 1 ? Reflect.get(target, name) : `read ${count} times`;
    },
  });
  return { proxy, reads };
}

/** One that throws whatever is asked of it. */
export function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** The same fields, but given by a prototype. */
export function inherited<T extends object>(target: T): T {
  return Object.create(Object.create(target));
}

/** The same fields without any prototype. */
export function bare<T extends object>(target: T): T {
  return Object.setPrototypeOf({ ...target }, null);
}

export const thrown = new Error('from the getter');

/** The same object, but that one of its properties throws. */
export function throwing<T extends object>(target: T, name: keyof T): T {
  return Object.defineProperty({ ...target }, name, {
    enumerable: true,
    get: () => {
      throw thrown;
    },
  });
}

/** The value without its type, as a program in JavaScript hands it in. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the place that takes it says what T is
export function untyped<T>(value: unknown): T {
  return new Array(1).fill(value)[0];
}
