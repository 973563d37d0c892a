// @ts-check
// Runs one program in a Web Worker, so that the page stays usable and can end it. Each message from the page is a program; each
// message to the page is something that it printed, or its end.
import { format, formatWithOptions, inspect } from 'node-inspect-extracted';
import { library } from './library.mjs';
import { moreMethods } from './console.mjs';
import { Buffer } from './node/builtins.mjs';
import { describeError } from './errors.mjs';
import { grids, nested, rememberSizes } from './grids.mjs';
import { linked } from './imports.mjs';

/** @typedef {import('./protocol.mjs').Program} Program */
/** @typedef {import('./protocol.mjs').Report} Report */

/** The names that the first and the last statement of a program call. */
const began = '__began';
const shown = '__shown';

/** Pages have none unless their server sends special headers. The library looks for it, but needs none in one thread. */
class SharedArrayBuffer {
  #length = 0;

  /** Throws a TypeError for other objects, as the engine's own does. */
  get byteLength() {
    return this.#length;
  }
}
if (!('SharedArrayBuffer' in globalThis)) Object.assign(globalThis, { SharedArrayBuffer });

const emitWarning = (/** @type {string} */ text) => console.warn(text);
// Programs and the library find the globals of Node.js that they need.
Object.assign(globalThis, {
  Buffer,
  process: { platform: 'browser', versions: { node: '22.0.0' }, env: {}, execPath: '', emitWarning },
});

const state = { hasBegun: false, isShown: true };
Object.assign(globalThis, {
  [began]: () => (state.hasBegun = true),
  [shown]: () => (state.isShown = true),
});

const print = (/** @type {unknown[]} */ ...values) => {
  if (!state.isShown) return;
  const arrays = values.map(nested).filter((array) => array !== null);
  const texts = arrays.map((array) => inspect(array, { depth: Infinity, maxArrayLength: Infinity }));
  report({ type: 'print', text: format(...values), nested: texts.join('\n'), grids: values.flatMap(grids) });
};
const warn = (/** @type {unknown[]} */ ...values) => report({ type: 'warn', text: format(...values) });
Object.assign(console, {
  log: print,
  info: print,
  debug: print,
  warn,
  error: warn,
  dir: (/** @type {unknown} */ value, /** @type {object} */ options) =>
    print(formatWithOptions({ ...options }, inspect(value, options))),
  ...moreMethods(print, warn),
});

self.addEventListener('message', async (/** @type {MessageEvent<Program>} */ { data }) => {
  try {
    await run(data);
  } catch (error) {
    report({ type: 'error', text: describeError(error, data) });
  }
  report({ type: 'end' });
});

self.addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  report({ type: 'error', text: describeError(event.reason, { code: '' }) });
});

async function run(/** @type {Program} */ { code, before = '' }) {
  state.isShown = before === '';
  const text = before === '' ? code : `${before.trimEnd()}\n${shown}();\n${code}`;
  try {
    await start(text);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Types are a likely reason.
    const plain = await withoutTypes(text);
    try {
      if (plain === text) throw error;
      await start(plain);
    } catch (again) {
      if (!isRefusal(again)) throw again;
      const { explained } = await import('./syntax.mjs');
      throw await explained(plain, library, again);
    }
  }
}

/** True if the program was read and refused before the first statement. @returns {error is Error} */
function isRefusal(/** @type {unknown} */ error) {
  return error instanceof Error && !state.hasBegun && (error instanceof SyntaxError || 'idx' in error);
}

async function start(/** @type {string} */ text) {
  const { code, names } = await linked(`${began}();${text}`, library);
  if (names.has('node-directml')) rememberSizes((await library['node-directml']?.()) ?? {});
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  await import(/* @vite-ignore */ address);
}

/** The program without its types; as it is if it is no TypeScript either. */
async function withoutTypes(/** @type {string} */ text) {
  const { transform } = await import('sucrase');
  try {
    return transform(text, { transforms: ['typescript'], disableESTransforms: true }).code;
  } catch {
    return text;
  }
}

function report(/** @type {Report} */ message) {
  self.postMessage(message);
}
