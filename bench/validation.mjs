// @ts-check
// The rows of `npm run bench -- --validation`: how long it takes to validate a descriptor and to fill in what it leaves out, by
// family of operators. The descriptors are the valid ones of checks/verdicts, on any platform.
import { readFileSync } from 'node:fs';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { readFacts } from '../scripts/generate/facts.mjs';
import { measureValues, selected } from './rounds.mjs';

/** For so long, in milliseconds, each value validates the family's descriptors again and again. */
const valueTime = 20;

/** The stored descriptors that validation accepts. Those with numbers that JSON does not have are left out. */
function descriptorsOf(/** @type {string} */ operator) {
  const text = readFileSync(new URL(`../checks/verdicts/stored/${operator}.jsonl`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('{"verdict":"valid"') && !line.includes('"$'));
  return lines.map((line) => /** @type {unknown} */ (JSON.parse(line).descriptor));
}

/** The time of a validation in microseconds. */
function timeOf(/** @type {readonly unknown[]} */ descriptors) {
  const start = performance.now();
  let count = 0;
  let end = start;
  while (end - start < valueTime) {
    for (const descriptor of descriptors) resolveDescriptor(descriptor, '6.4', 'compile');
    count += descriptors.length;
    end = performance.now();
  }
  return (1000 * (end - start)) / count;
}

/** @returns {Promise<import('./verdict.mjs').Measurement[]>} */
export async function measureValidation(/** @type {import('./rounds.mjs').Effort} */ effort, /** @type {string} */ only) {
  const families = [...readFacts().families].map(([name, operators]) => ({
    name,
    descriptors: operators.flatMap((operator) => descriptorsOf(operator.name)),
  }));
  const measured = [];
  for (const { name, descriptors } of selected(families, only)) {
    timeOf(descriptors);
    const row = /** @type {const} */ ({ ours: 'validation', unit: 'µs', limit: null });
    measured.push({ name, ...(await measureValues(row, effort, () => timeOf(descriptors))) });
  }
  return measured;
}
