// Writes docs/webnn/limits.md: the result of opSupportLimits as a table.
import { join } from 'node:path';
import { note } from './banner.mjs';
import { loadModules } from './load-module.mjs';

/** @typedef {{ dataTypes: readonly string[], min: number, max: number, like?: string }} OperandLimits */

const floats = ['float32', 'float16'];
const all = [...floats, 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];

/** @returns {Promise<string>} */
export async function webnnLimitsPage(/** @type {string} */ root) {
  const [{ operatorLimits, ports }, { maxByteLength }] = await loadModules(
    join(root, 'lib/webnn/limits.ts'),
    join(root, 'lib/webnn/ml-operand.ts'),
  );
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [name, operands] of Object.entries(operatorLimits)) {
    const rows = rowsOf(operands).join('\n');
    groups.set(rows, [...(groups.get(rows) ?? []), name]);
  }
  const rows = [...groups].map(([own, names]) => own.replaceAll('@', names.sort().join(', ')));
  return `${note}# Limits of WebNN's operators

What \`context.opSupportLimits()\` says, on every adapter and on the reference backend. "All" are the data types ${list(all)}.
Operators with the same limits share rows. A tensor has at most ${maxByteLength.toLocaleString('en-US')} bytes.

| operators | operand | data types | dimensions |
| --- | --- | --- | --- |
| of any graph | inputs, constants, outputs | ${typesOf(ports)} | ${ranksOf(ports)} |
${rows.sort().join('\n')}
`;
}

/** Returns the rows of an operator, with \`@\` in place of its name. Operands with the same limits share a row. */
function rowsOf(/** @type {Record<string, OperandLimits>} */ operands) {
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const [name, limits] of Object.entries(operands)) {
    const types = limits.like === undefined ? typesOf(limits) : `as ${limits.like}`;
    const row = `${types} | ${ranksOf(limits)}`;
    rows.set(row, [...(rows.get(row) ?? []), name]);
  }
  return [...rows].map(([row, names]) => `| @ | ${names.join(', ')} | ${row} |`);
}

function ranksOf(/** @type {OperandLimits} */ { min, max }) {
  return min === max ? `${min}` : `${min} to ${max}`;
}

/** @returns {string} */
function typesOf(/** @type {OperandLimits} */ { dataTypes }) {
  const rest = dataTypes.filter((type) => !all.includes(type));
  const isAll = all.every((type) => dataTypes.includes(type));
  return isAll ? list(['all', ...rest]) : list(dataTypes);
}

function list(/** @type {readonly string[]} */ items) {
  return items.join(', ');
}
