/**
 * The part of TypeScript's library `esnext.disposable` that the declarations of this package use, for programs that do not
 * load it. Where it is loaded, or the types of Node.js declare the same, the declarations merge.
 */
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }

  interface Disposable {
    [Symbol.dispose](): void;
  }

  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

export {};
