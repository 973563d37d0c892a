// generated/table.ts: the operator table that validation, marshalling and tests walk.
import { banner } from './facts.mjs';

/** @typedef {import('./facts.mjs').Field} Field */

/** @returns {string} */
export function tableFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const lists = new Map();
  const rows = operators.map(
    (operator) => `  ${operator.name}: {
    value: ${operator.value},
    descName: '${operator.descName}',
    since: '${operator.since}',
    url: '${operator.url}',
    fields: [
${operator.fields.map((field) => fieldRow(field, lists)).join('')}    ],
  },
`,
  );
  const constants = [...lists].map(([text, name]) => {
    const members = text === '' ? '' : `\n  ${text.replaceAll(', ', ',\n  ')},\n`;
    return `const ${name}: readonly DataType[] = [${members}];\n`;
  });
  return `${banner}
import type { OperatorSchema } from '../types.js';
import type { OperatorType } from './descriptors.js';
import type { DataType } from './enums.js';

${constants.join('')}
export const operatorTable: Readonly<Record<OperatorType, OperatorSchema>> = {
${rows.join('')}};
`;
}

function fieldRow(/** @type {Field} */ field, /** @type {Map<string, string>} */ lists) {
  const parts = [`name: '${field.name}'`, `kind: '${field.kind}'`];
  if (field.role !== undefined) parts.push(`role: '${field.role}'`);
  if (field.optional) parts.push('optional: true');
  if (field.countField !== undefined) parts.push(`countField: '${field.countField}'`);
  if (field.counts !== undefined) parts.push(`counts: [${field.counts.map(quote).join(', ')}]`);
  if (field.enumName !== undefined) parts.push(`enumName: '${field.enumName}'`);
  const head = parts.join(', ');
  if (field.support === undefined) return `      { ${head} },\n`;
  const support = field.support.map((row) => {
    const text = row.dataTypes.map(quote).join(', ');
    const list = lists.get(text) ?? `types${lists.size}`;
    lists.set(text, list);
    const range = `minDimensionCount: ${row.min}, maxDimensionCount: ${row.max}`;
    return `          { since: '${row.since}', dataTypes: ${list}, ${range} },\n`;
  });
  return `      {\n        ${parts.join(',\n        ')},\n        support: [\n${support.join('')}        ],\n      },\n`;
}

function quote(/** @type {string} */ text) {
  return `'${text}'`;
}
