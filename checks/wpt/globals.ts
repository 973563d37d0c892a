/** The parts of a browser that the tests rely on: its globals, and the JavaScript features that Node.js 20 lacks. */
import 'core-js/actual/array-buffer/index.js';
import 'core-js/actual/promise/with-resolvers.js';
import 'core-js/actual/set/index.js';
import { existsSync, readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import * as webnn from 'node-directml/webnn';
import type { Task } from './run-file.js';
import { pathOf } from './test-files.js';

type Listener = (event: object) => void;

/** Installs the globals. Returns the window's listeners, which the caller has to call. */
export function installGlobals({ root, file, variant, backend }: Task): Record<'error' | 'unhandledrejection', Listener[]> {
  const listeners: ReturnType<typeof installGlobals> = { error: [], unhandledrejection: [] };
  // Validation checks only the length of an array, so a Uint16Array can stand in for a Float16Array.
  const hasFloat16 = 'Float16Array' in globalThis;
  if (!hasFloat16 && file.includes('validation_tests/')) define('Float16Array', class Float16Array extends Uint16Array {});
  const ml = webnn.createML({ backend });
  webnn.install(ml);
  installNavigator(ml);
  const url = new URL(`https://web-platform.test/${file.replace(/\.js$/, '.html')}${variant}`);
  define('self', globalThis);
  define('window', globalThis);
  define('Window', class Window {});
  define('location', url);
  define('origin', url.origin);
  define('isSecureContext', true);
  define('crossOriginIsolated', true);
  define('GLOBAL', { isWindow: () => true, isWorker: () => false, isShadowRealm: () => false });
  define('addEventListener', (type: string, listener: Listener) => {
    if (type === 'error' || type === 'unhandledrejection') listeners[type].push(listener);
  });
  define('removeEventListener', () => undefined);
  define('fetch', async (resource: unknown) => {
    const path = pathOf(root, file, String(resource));
    return existsSync(path) ? new Response(readFileSync(path)) : new Response('not found', { status: 404 });
  });
  define('importScripts', (...scripts: string[]) => {
    for (const script of scripts) runScript(pathOf(root, file, script));
  });
  return listeners;
}

export function runScript(path: string): void {
  runInThisContext(readFileSync(path, 'utf8'), { filename: path });
}

function define(name: string, value: unknown, target: object = globalThis): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Installs a navigator whose `ml` is an attribute of its interface, as idlharness requires. */
function installNavigator(ml: webnn.ML): void {
  class Navigator {
    constructor() {
      throw new TypeError('Illegal constructor');
    }
  }
  const navigator: unknown = Object.create(Navigator.prototype);
  const attribute = {
    get ml() {
      if (![navigator, undefined, null].includes(this)) throw new TypeError('Illegal invocation');
      return ml;
    },
  };
  const descriptor = { ...Object.getOwnPropertyDescriptor(attribute, 'ml'), enumerable: true, configurable: true };
  Object.defineProperty(Navigator.prototype, 'ml', descriptor);
  Object.defineProperty(Navigator.prototype, Symbol.toStringTag, { value: 'Navigator', configurable: true });
  define('Navigator', Navigator);
  define('navigator', navigator);
}
