/** The functions of a module with arguments of any type, for what they refuse. */
export type Loose<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown
    ? (...args: readonly unknown[]) => PromiseLike<unknown>
    : Loose<T[K]>;
};
