// @ts-check
// Shows an error that ends a program as Node.js does: the line, the stack within the program, and the error's properties.
import { inspect } from 'node-inspect-extracted';

/** A line of a stack that is a place in the program: `at name (blob:…:3:7)`, or in other browsers `name@blob:…:3:7`. */
const place = /^\s*(?:at )?(?:async )?(?:(.*?)[ @]*\(?)blob:[^)\s]*?:(\d+):(\d+)\)?$/;

/**
 * @param {unknown} error
 * @param {import('./protocol.mjs').Program} program
 */
export function describeError(error, { code, before = '' }) {
  // What precedes the program has a line of its own that calls the page.
  const offset = before === '' ? 0 : before.trimEnd().split('\n').length + 1;
  if (!(error instanceof Error)) return `Uncaught:\n${inspect(error)}`;
  const stack = error.stack ?? '';
  const places = stack.split('\n').flatMap((line) => {
    const [found, name = '', row = '', column = ''] = place.exec(line) ?? [];
    return found === undefined ? [] : [placeOf(name.trim(), Number(row) - offset, column)];
  });
  const [, row = ''] = /program\.mjs:(\d+):/.exec(places[0] ?? '') ?? [];
  const source = code.split('\n')[Number(row) - 1];
  const where = row === '' || source === undefined ? '' : `program.mjs:${row}\n${source}\n\n`;
  return where + inspectWith(error, places);
}

function placeOf(/** @type {string} */ name, /** @type {number} */ row, /** @type {string} */ column) {
  const file = row > 0 ? `program.mjs:${row}:${column}` : 'the code above';
  return name === '' ? `    at ${file}` : `    at ${name} (${file})`;
}

/** `inspect` prints the stack as it is, and the properties after it. */
function inspectWith(/** @type {Error} */ error, /** @type {string[]} */ places) {
  const { name, message } = error;
  const first = message === '' ? name : `${name}: ${message}`;
  Object.defineProperty(error, 'stack', { value: [first, ...places].join('\n'), configurable: true, writable: true });
  return inspect(error);
}
