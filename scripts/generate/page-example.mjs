// Writes the example of a reference page: a complete program that calls the operator's function, with its output in comments.
import { join } from 'node:path';
import { checkout } from '../shared/common.mjs';
import { literal } from './literal.mjs';
import { loadModules } from './load-module.mjs';

/** @typedef {import('./examples.mjs').Example} Example */
/** @typedef {import('./examples.mjs').Tensor} Tensor */
/** @typedef {import('./facts.mjs').Operator} Operator */

/** @type {[typeof import('../../lib/functions/form.js')]} */
const [{ formOf }] = await loadModules(join(checkout, 'lib/functions/form.ts'));

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

/** @returns {string} `example.descriptor` has only the fields that the program gives. */
export function exampleProgram(/** @type {Operator} */ operator, /** @type {Example} */ example) {
  const { name, fields } = operator;
  const { descriptor, inputs } = example;
  const outputs = { ...example.outputs, ...example.directml };
  const { takesPlace, positions, inputs: allInputs, output } = formOf(name, operator);
  const given = allInputs.filter((field) => inputs[field] !== undefined);
  const made = given.map((field) => tensors(`const ${variableOf(field)} = `, inputs[field] ?? []));
  const options = fields
    .filter((field) => !positions.includes(field.name) && descriptor[field.name] !== undefined)
    .map((field) => `${field.name}: ${given.includes(field.name) ? variableOf(field.name) : valueOf(descriptor[field.name])}`);
  const results = output === null ? `{ ${Object.keys(outputs).join(', ')} }` : variableOf(output);
  const places = [...(takesPlace ? ['device'] : []), ...positions.map(variableOf)];
  const printed = Object.entries(outputs).map(([field, value]) => {
    const isOptional = fields.some((other) => other.name === field && other.optional);
    return Array.isArray(value)
      ? printedArray(field, value)
      : printedTensor(output === null ? field : variableOf(field), value, isOptional);
  });
  return `import { createDevice } from 'node-directml';
import { ${name} } from 'node-directml/operators';

const device = await createDevice();
${made.join('')}${callOf(results, name, places, options)}
${printed.join('')}device.dispose();
`;
}

/** `inputTensor` becomes `input`. */
function variableOf(/** @type {string} */ field) {
  return field.replace('Tensor', '');
}

/** On one line, or with a line for each option, or with the call on a line of its own. */
function callOf(
  /** @type {string} */ results,
  /** @type {string} */ callee,
  /** @type {string[]} */ places,
  /** @type {string[]} */ options,
) {
  const object = options.length === 0 ? [] : [`{ ${options.join(', ')} }`];
  const call = `await ${callee}(${[...places, ...object].join(', ')});`;
  const first = `await ${callee}(${[...places, '{'].join(', ')}`;
  const begin = `const ${results} =`;
  const fits = (/** @type {string} */ line) => line.length <= lineLength;
  const broken = (/** @type {string} */ indent) =>
    `${first}\n${options.map((option) => `${indent}  ${option},\n`).join('')}${indent}});`;
  if (fits(`${begin} ${call}`)) return `${begin} ${call}`;
  if (fits(`${begin} ${first}`)) return `${begin} ${broken('')}`;
  return `${begin}\n  ${fits(`  ${call}`) ? call : broken('  ')}`;
}

/** Writes a long array with a line for each element. */
function valueOf(/** @type {unknown} */ value) {
  const line = literal(value);
  if (line.length <= lineLength - 20 || !Array.isArray(value)) return line;
  return `[\n${value.map((element) => `    ${literal(element)},\n`).join('')}  ]`;
}

function tensors(/** @type {string} */ begin, /** @type {Tensor | Tensor[]} */ value) {
  if (!Array.isArray(value)) return tensor(begin, value, ';', '');
  return `${begin}[\n${value.map((each) => tensor('  ', each, ',', '  ')).join('')}];\n`;
}

function tensor(
  /** @type {string} */ before,
  /** @type {Tensor} */ { dataType, sizes, values },
  /** @type {string} */ after,
  /** @type {string} */ indent,
) {
  const elements = (values ?? []).map(String);
  const begin = `${before}device.createTensor(${literal({ dataType, sizes })}, [`;
  const line = `${begin}${elements.join(', ')}])${after}`;
  if (line.length <= lineLength) return `${line}\n`;
  return `${begin}\n${rowsOf(elements, sizes, `${indent}  `)}${indent}])${after}\n`;
}

function printedArray(/** @type {string} */ field, /** @type {Tensor[]} */ value) {
  const all = variableOf(field);
  const each = all.replace(/s$/, '');
  return `for (const ${each} of ${all}) console.log(await ${each}.read());\n${value.map((one) => `// ${shown(one, '//   ')}\n`).join('')}`;
}

function printedTensor(/** @type {string} */ variable, /** @type {Tensor} */ value, /** @type {boolean} */ isOptional) {
  const statement = `console.log(await ${variable}${isOptional ? '?' : ''}.read());`;
  const comment = `// ${shown(value, '//   ')}`;
  const line = `${statement}   ${comment}`;
  return line.length <= lineLength ? `${line}\n` : `${statement}\n${comment}\n`;
}

/** Writes elements that the operator leaves undefined as question marks. */
function shown(/** @type {Tensor} */ { dataType, sizes, values }, /** @type {string} */ indent) {
  const isBig = dataType.endsWith('int64');
  const elements = (values ?? []).map((value) => (value === null ? '?' : `${value}${isBig ? 'n' : ''}`));
  const line = `${arrays[dataType]} [${elements.join(', ')}]`;
  if (line.length + indent.length <= lineLength) return line;
  return `${arrays[dataType]} [\n${rowsOf(elements, sizes, indent)}// ]`;
}

/** Lines of up to 16 elements, in whole rows of the tensor where they fit. */
function rowsOf(/** @type {string[]} */ elements, /** @type {number[]} */ sizes, /** @type {string} */ indent) {
  const most = 16;
  const row = sizes.at(-1) ?? 1;
  const perLine = row <= most ? most - (most % row) : most;
  const lines = [];
  for (let i = 0; i < elements.length; i += perLine) lines.push(`${indent}${elements.slice(i, i + perLine).join(', ')},\n`);
  return lines.join('');
}
