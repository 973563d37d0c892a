// @ts-check
// Replaces what a program imports by modules that a browser finds.
import { parse } from 'es-module-lexer/minimal/js';

/** @typedef {Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>} Library */

/** The address of each entry of the library as a module. */
const addresses = /** @type {Map<string, Promise<string>>} */ (new Map());

/**
 * @param {string} code
 * @param {Library} library
 * @returns {Promise<{ code: string, names: Set<string> }>} the program, and which entries it imports
 */
export async function linked(code, library) {
  const [imports] = parse(code);
  const names = new Set(imports.flatMap(({ n }) => (n === undefined ? [] : [n])));
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const name of names) found.set(name, await addressOf(name, library));
  let text = '';
  let end = 0;
  for (const { n, s, e, d } of imports) {
    const address = n === undefined ? undefined : found.get(n);
    if (address === undefined) continue;
    text += code.slice(end, s) + (d >= 0 ? `'${address}'` : address);
    end = e;
  }
  return { code: text + code.slice(end), names };
}

/** @returns {Promise<string>} */
function addressOf(/** @type {string} */ name, /** @type {Library} */ library) {
  const load = Object.hasOwn(library, name) ? library[name] : undefined;
  if (load === undefined) {
    const entries = Object.keys(library).join(', ');
    throw new Error(`Cannot find package '${name}'. In the browser, a program can import ${entries}.`);
  }
  const address = addresses.get(name) ?? load().then((entry) => moduleOf(name, entry));
  addresses.set(name, address);
  return address;
}

/** A module with the same exports: the code of a page can only import what has an address. */
function moduleOf(/** @type {string} */ name, /** @type {Readonly<Record<string, unknown>>} */ entry) {
  const key = `__module ${name}`;
  nameAgain(entry);
  Object.assign(globalThis, { [key]: entry });
  const names = Object.keys(entry).filter((exported) => exported !== 'default');
  const lines = [
    `const entry = globalThis[${JSON.stringify(key)}];`,
    // Some names, such as `var`, are no names of variables.
    `const { ${names.map((name, i) => `${name}: own${i}`).join(', ')} } = entry;`,
    `export { ${names.map((name, i) => `own${i} as ${name}`).join(', ')} };`,
    'export default entry.default;',
  ];
  return URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/javascript' }));
}

/** Gives classes and functions the names that the site's minifier took: errors and `inspect` show those of classes. */
function nameAgain(/** @type {Readonly<Record<string, unknown>>} */ entry) {
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name, configurable: true });
  }
}
