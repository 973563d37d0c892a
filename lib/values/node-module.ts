/** Modules of Node.js that take more than a millisecond to load, and so are loaded when they are needed. */
// Not `{ createRequire }`: webpack warns about each call of it with an unknown argument.
import Module from 'node:module';

/** Loads the module `name`, such as `node:crypto`. */
export function nodeModule(name: string): unknown {
  // Not the `require` of this file, which an ES module lacks and bundlers replace. That of any other file would do.
  return Module.createRequire(process.execPath)(name);
}
