// Writes generated/table.ts: the operator table that validation, marshalling and tests use. Its rows are JSON, which is parsed when
// an operator is first used. Many fields share the same support, so that is in a list of its own.
// The texts are templates, because the bundler would escape all quotes in other strings.
import { banner } from './banner.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */

/** @returns {string} */
export function tableFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  /** @type {Map<string, number>} */
  const supports = new Map();
  const rows = operators.map((operator) => `  ${operator.name}: \`${JSON.stringify(operatorRow(operator, supports))}\`,\n`);
  const listed = [...supports.keys()].map((support) => `  \`${support}\`,\n`);
  return `${banner}
import { tableOf } from '../table-of.js';
import type { OperatorSchema } from '../types.js';
import type { OperatorType } from './descriptors.js';

const supports = [
${listed.join('')}];

export const operatorTable: Readonly<Record<OperatorType, OperatorSchema>> = tableOf(supports, {
${rows.join('')}});
`;
}

function operatorRow(
  /** @type {Operator} */ { value, since, fusion, call, inGraphs, fields },
  /** @type {Map<string, number>} */ supports,
) {
  return { value, since, ...(fusion && { fusion }), call, inGraphs, fields: fields.map((field) => fieldRow(field, supports)) };
}

function fieldRow(/** @type {Field} */ field, /** @type {Map<string, number>} */ supports) {
  const { name, kind, role, optional, optionalSince, countField, counts, perDimensionOf, fromDimension } = field;
  const { enumName, inPlace, defaultDataType, perChannel, skipsOnes, indexes, support } = field;
  const own = {
    name,
    kind,
    role,
    ...(optional && { optional }),
    optionalSince,
    countField,
    counts,
    perDimensionOf,
    fromDimension,
  };
  const rest = { enumName, inPlace, defaultDataType, perChannel, skipsOnes, indexes, default: field.default };
  if (support === undefined) return { ...own, ...rest };
  const text = JSON.stringify(
    support.map(({ since, dataTypes, min, max }) => ({ since, dataTypes, minDimensionCount: min, maxDimensionCount: max })),
  );
  const index = supports.get(text) ?? supports.size;
  supports.set(text, index);
  return { ...own, ...rest, support: index };
}
