// Loads TypeScript modules, so that generating needs no built library.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const requireOfNode = createRequire(import.meta.url);

/** Returns the exports of a TypeScript module. Also loads its relative imports and Node's modules; others are empty objects. */
export function loadModule(/** @type {string} */ path, /** @type {Map<string, any>} */ modules = new Map()) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const exports = {};
  modules.set(path, exports);
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions });
  const require = (/** @type {string} */ name) => {
    if (name.startsWith('node:')) return requireOfNode(name);
    return name.startsWith('.') ? loadModule(join(dirname(path), name.replace(/\.js$/, '.ts')), modules) : {};
  };
  new Function('exports', 'require', outputText)(exports, require);
  return exports;
}
