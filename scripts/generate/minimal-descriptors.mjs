// Writes checks/cases/generated/minimal-descriptors.ts: a minimal valid descriptor of each operator, as a literal that the
// compiler checks. Most follow from the facts alone: packed float32 tensors of one small shape, no optional fields, the
// first member of each enum. minimal-overrides.mjs has the fields for which an operator needs another value.
import { banner } from './banner.mjs';
import { literal } from './literal.mjs';
import { overrides } from './minimal-overrides.mjs';

/** @typedef {import('./facts.mjs').Enum} Enum */
/** @typedef {import('./facts.mjs').Field} Field */

/** Six elements. For a multiple of four, DirectML uses another shader, which the sandbox must replace. */
const shape = [1, 1, 2, 3];
const preferred = ['float32', 'uint8', 'int32', 'uint32'];

/** @returns {string} */
export function minimalDescriptorsFile(/** @type {import('./facts.mjs').Facts} */ { operators, enums }) {
  const rows = operators.map((operator) => {
    const fields = Object.entries(minimalDescriptor(operator, enums)).map(([name, value]) => `    ${name}: ${literal(value)},\n`);
    return `  ${operator.name}: {\n${fields.join('')}  },\n`;
  });
  return `${banner}
import type { OperatorDescriptors } from 'node-directml';

/** Descriptors that DirectML compiles, without any field that can be left out. */
export const minimalDescriptors: OperatorDescriptors = {
${rows.join('')}};
`;
}

/**
 * Returns a minimal valid descriptor without count fields and optional fields.
 * @returns {Record<string, unknown>}
 */
export function minimalDescriptor(
  /** @type {import('./facts.mjs').Operator} */ { name, fields },
  /** @type {readonly Enum[]} */ enums,
) {
  const isWindowed = fields.some((field) => /^windowSize|^dilations$/.test(field.name));
  const own = overrides[name] ?? {};
  // Count fields are left out, because they follow from their arrays.
  const needed = fields.filter((field) => field.name in own || !(field.optional || field.counts !== undefined));
  const values = needed.map((field) => [field.name, own[field.name] ?? minimalValue(field, isWindowed, enums)]);
  return { type: name, ...Object.fromEntries(values) };
}

function minimalValue(/** @type {Field} */ field, /** @type {boolean} */ isWindowed, /** @type {readonly Enum[]} */ enums) {
  switch (field.kind) {
    case 'tensor':
      return minimalTensor(field);
    case 'tensorArray':
      return [minimalTensor(field)];
    case 'uint':
      return field.name === 'axis' ? shape.length - 1 : 1;
    case 'float':
      return 1;
    case 'int':
    case 'scalar':
      return 0;
    case 'bool':
      return false;
    case 'enum':
      return enums.find(({ name }) => name === field.enumName)?.members[0]?.name;
    case 'uintArray':
    case 'intArray':
    case 'floatArray':
      return minimalArray(field, isWindowed);
    case 'size2d':
      return { width: 1, height: 1 };
    case 'operatorArray':
      return [];
    default:
      throw new Error(`${field.name}: no minimal ${field.kind}`);
  }
}

function minimalTensor(/** @type {Field} */ { name, support }) {
  // The highest feature level supports everything that the lower ones do.
  const row = support?.[0];
  if (row === undefined) throw new Error(`${name}: a tensor without data types`);
  const dataType = preferred.find((type) => row.dataTypes.includes(type)) ?? row.dataTypes[0];
  const count = Math.min(Math.max(shape.length, row.min), row.max);
  return { dataType, sizes: [...new Array(Math.max(0, count - shape.length)).fill(1), ...shape].slice(-count) };
}

function minimalArray(/** @type {Field} */ { name, countField }, /** @type {boolean} */ isWindowed) {
  if (countField === 'axisCount') return [shape.length - 1];
  if (countField === 'channelCount') return [0];
  if (/^(sizes|inputWindowSizes)$/.test(name)) return shape;
  return new Array(isWindowed ? 2 : shape.length).fill(/padding|offsets/i.test(name) ? 0 : 1);
}
