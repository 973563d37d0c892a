// @ts-check
// What the library needs of Node's other modules, for a browser's worker. The names are those of the modules' exports.

/** node:perf_hooks. A browser does not say how long its event loop has waited. */
export const performance = { now: () => globalThis.performance.now(), nodeTiming: { idleTime: 0 } };

/** node:timers. A message comes sooner than the shortest timer. */
export function setImmediate(/** @type {() => void} */ work) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}

/**
 * node:async_hooks. Browsers do not yet follow a value through `await`: here it stays until the work that got it has ended. That
 * is right for a program that does one thing after the other. While any work runs with null, null is the value.
 */
export class AsyncLocalStorage {
  /** @type {unknown} */
  #store;
  #withNull = 0;

  getStore() {
    return this.#withNull > 0 ? null : this.#store;
  }

  run(/** @type {unknown} */ store, /** @type {() => unknown} */ work) {
    const leave = this.#enter(store);
    try {
      const result = work();
      if (result instanceof Promise) return result.finally(leave);
      leave();
      return result;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Returns the function that ends it. */
  #enter(/** @type {unknown} */ store) {
    if (store === null) {
      this.#withNull += 1;
      return () => {
        this.#withNull -= 1;
      };
    }
    const outer = this.#store;
    this.#store = store;
    return () => {
      this.#store = outer;
    };
  }
}

/** node:buffer: the longest string and array of today's engines. */
export const constants = { MAX_LENGTH: 2 ** 33, MAX_STRING_LENGTH: 2 ** 29 - 24 };

/**
 * node:module. The library asks for node:string_decoder, to write constants of graphs; and for node:crypto, to compare them: here
 * the bytes themselves stand for their hash.
 */
export default {
  createRequire: () => () => ({
    createHash: () => ({ update: (/** @type {Uint8Array} */ bytes) => ({ digest: () => base64(bytes) }) }),
    StringDecoder: class {
      end = base64;
    },
  }),
};

/** node:v8, node:path, node:fs: there are no flags and no files. */
export const setFlagsFromString = () => undefined;
export const existsSync = () => false;
export const isAbsolute = () => false;
export const dirname = (/** @type {string} */ path) => path;
export const join = (/** @type {string[]} */ ...parts) => parts.join('/');
export const sep = '/';

/** The global that the library reads constants of graphs with. */
export const Buffer = {
  from: (/** @type {string} */ text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
};

function base64(/** @type {Uint8Array} */ bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
