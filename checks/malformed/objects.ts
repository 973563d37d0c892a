/** Objects that only a malicious or wrong program passes in. */

/** Calls `run` while every object inherits `properties` from Object.prototype. */
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

/** A proxy that counts how often each property is read. A second read of a property gives another value. */
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

/** A revoked proxy, which throws on every access. */
export function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** An object that inherits all fields of the target. */
export function inherited<T extends object>(target: T): T {
  return Object.create(Object.create(target));
}

/** An object with the same fields and no prototype. */
export function bare<T extends object>(target: T): T {
  return Object.setPrototypeOf({ ...target }, null);
}

export const thrown = new Error('from the getter');

/** A copy of the object with one property whose getter throws {@link thrown}. */
export function throwing<T extends object>(target: T, name: keyof T): T {
  return Object.defineProperty({ ...target }, name, {
    enumerable: true,
    get: () => {
      throw thrown;
    },
  });
}

/** The value with any static type, as a JavaScript program may pass it in. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the place that takes it says what T is
export function untyped<T>(value: unknown): T {
  return new Array(1).fill(value)[0];
}
