// Writes the example of a reference page: a complete program, with its output in comments.
import { literal } from './literal.mjs';

/** @typedef {import('./examples.mjs').Example} Example */
/** @typedef {import('./examples.mjs').Tensor} Tensor */
/** @typedef {import('./facts.mjs').Operator} Operator */

const lineLength = 110;

/** @type {Record<string, string>} */
const arrays = {
  float32: 'Float32Array',
  float64: 'Float64Array',
  int8: 'Int8Array',
  int16: 'Int16Array',
  int32: 'Int32Array',
  int64: 'BigInt64Array',
  uint8: 'Uint8Array',
  uint16: 'Uint16Array',
  uint32: 'Uint32Array',
  uint64: 'BigUint64Array',
};

/** @returns {string} */
export function exampleProgram(/** @type {Operator} */ { name, fields }, /** @type {Example} */ example) {
  const { descriptor, inputs } = example;
  const outputs = { ...example.outputs, ...example.directml };
  const described = fields
    .filter((field) => descriptor[field.name] !== undefined)
    .map((field) => `  ${field.name}: ${fieldValue(descriptor[field.name])},\n`);
  const made = Object.entries(outputs).map(([field, value]) => `const ${field} = ${emptyTensors(value)};\n`);
  const bound = Object.entries(inputs).map(([field, value]) => `  ${field}: ${filledTensors(value)},\n`);
  return `import { createDevice } from 'node-directml';

const device = await createDevice();
const operator = await device.compile({
  type: '${name}',
${described.join('')}});
${made.join('')}operator.dispatch({
${bound.join('')}${Object.keys(outputs)
    .map((field) => `  ${field},\n`)
    .join('')}});
${Object.entries(outputs)
  .map(([field, value]) => printed(field, value))
  .join('')}device.dispose();
`;
}

/** Writes an array of tensor descriptions with one line each. */
function fieldValue(/** @type {unknown} */ value) {
  const isList = Array.isArray(value) && typeof value[0] === 'object';
  return isList ? `[\n${value.map((item) => `    ${literal(item)},\n`).join('')}  ]` : literal(value);
}

function emptyTensors(/** @type {Tensor | Tensor[]} */ value) {
  if (!Array.isArray(value)) return emptyTensor(value);
  return `[\n${value.map((tensor) => `  ${emptyTensor(tensor)},\n`).join('')}] as const`;
}

function emptyTensor(/** @type {Tensor} */ { dataType, sizes }) {
  return `device.createTensor(${literal({ dataType, sizes })})`;
}

function filledTensors(/** @type {Tensor | Tensor[]} */ value) {
  if (!Array.isArray(value)) return filledTensor(value, '  ');
  return `[\n${value.map((tensor) => `    ${filledTensor(tensor, '    ')},\n`).join('')}  ]`;
}

function filledTensor(/** @type {Tensor} */ { dataType, sizes, values }, /** @type {string} */ indent) {
  const elements = (values ?? []).map(element(dataType));
  const desc = literal({ dataType, sizes });
  const line = `device.createTensor(${desc}, ${arrays[dataType]}.of(${elements.join(', ')}))`;
  if (line.length + 20 <= lineLength) return line;
  const array = `${arrays[dataType]}.of(${wrapped(elements, `${indent}    `)}`;
  return `device.createTensor(\n${indent}  ${desc},\n${indent}  ${array}),\n${indent})`;
}

function printed(/** @type {string} */ field, /** @type {Tensor | Tensor[]} */ value) {
  return Array.isArray(value)
    ? value.map((tensor, i) => printedTensor(`${field}[${i}]`, tensor)).join('')
    : printedTensor(field, value);
}

/** Writes elements that the operator leaves undefined as question marks. */
function printedTensor(/** @type {string} */ expression, /** @type {Tensor} */ { dataType, values }) {
  const statement = `console.log(await ${expression}.read());`;
  const shown = (values ?? []).map((value) => (value === null ? '?' : element(dataType)(value)));
  const comment = `// ${arrays[dataType]} [${wrapped(shown, '//   ')}]`;
  const line = `${statement} ${comment}`;
  return line.length <= lineLength ? `${line}\n` : `${statement}\n${comment}\n`;
}

/** Breaks the elements into lines of 16. */
function wrapped(/** @type {string[]} */ elements, /** @type {string} */ indent) {
  const perLine = 16;
  if (elements.length <= perLine) return elements.join(', ');
  const lines = [];
  for (let i = 0; i < elements.length; i += perLine) lines.push(elements.slice(i, i + perLine).join(', '));
  return `\n${lines.map((line) => `${indent}${line},\n`).join('')}${indent.slice(0, -2)}`;
}

function element(/** @type {string} */ dataType) {
  return (/** @type {number | bigint | null} */ value) => (dataType.endsWith('int64') ? `${value}n` : String(value));
}
