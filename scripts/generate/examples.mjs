// Chooses the example of each page: one of our own, or else the first small example of Microsoft's page. The examples are
// TypeScript files in checks/operators, which the tests also run. Only their values are used here.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadModules } from './load-module.mjs';

/**
 * @typedef {{ dataType: string, sizes: number[], values: (number | bigint | null)[] | null, decimals?: number }} Tensor
 * @typedef {Record<string, Tensor | Tensor[]>} Tensors
 * @typedef {{ descriptor: { type: string, [field: string]: unknown }, inputs: Tensors, outputs: Tensors,
 *   directml?: Tensors }} Example
 */

/** Maximum number of elements of an example, so that it can be read at a glance. */
const maxElements = 64;

/**
 * Returns the example of each operator that has one, by the operator's name.
 * @returns {Promise<Map<string, Example>>}
 */
export async function readExamples(/** @type {string} */ folder) {
  const families = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = families.map(({ name }) => name).sort();
  /** @type {object[]} */
  const modules = await loadModules(...names.map((name) => join(folder, name, 'examples.ts')));
  /** @type {Example[]} */
  const examples = modules.flatMap((module) => Object.values(module).flat());
  const ours = examples.filter((example) => !('page' in example));
  const ofPages = examples.filter((example) => 'page' in example);
  /** @type {Map<string, Example>} */
  const chosen = new Map();
  // Take the first example of a page, which is the simplest.
  for (const example of [...ours, ...ofPages.filter(isReadable)]) {
    const { type } = example.descriptor;
    if (!chosen.has(type)) chosen.set(type, example);
  }
  return chosen;
}

/** True if the example is small and all its values are defined. float16 lacks a typed array in some Node.js versions. */
function isReadable(/** @type {Example} */ example) {
  const tensors = Object.values({ ...example.inputs, ...example.outputs, ...example.directml }).flat();
  const isKnown = tensors.every(({ dataType, values }) => dataType !== 'float16' && values !== null && !values.includes(null));
  return isKnown && tensors.reduce((sum, { values }) => sum + (values?.length ?? 0), 0) <= maxElements;
}
