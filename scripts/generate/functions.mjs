// Writes lib/operators/generated/functions.ts: a function for each operator, with its types and doc comments. `call` does the work.
import { join } from 'node:path';
import { checkout } from '../shared/common.mjs';
import { banner } from './banner.mjs';
import { loadModule } from './load-module.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */
/** @typedef {import('../../lib/operators/form.js').Form} Form */

/** @type {typeof import('../../lib/operators/form.js')} */
const { formOf } = loadModule(join(checkout, 'lib/operators/form.ts'));
/** @type {typeof import('../../lib/graph/other-data-types.js')} */
const { firstInputs, otherOutputs } = loadModule(join(checkout, 'lib/graph/other-data-types.ts'));

/** @returns {string} */
export function functionsFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  return `${banner}
import type { Device } from '../../api/device.js';
import type { Graph } from '../../api/graphs/graph.js';
import type { Value } from '../../graph/value.js';
import type { DataType } from '../../schema/generated/enums.js';
import { call } from '../call.js';
import type { GivenOr, Input, InputOrNumber, Options, Output, OutputArray, Outputs, TypeOf, TypeOfEither } from '../types.js';

${operators.map(functionOf).join('\n')}`;
}

function functionOf(/** @type {Operator} */ operator) {
  const { name, fields } = operator;
  const form = formOf(name, fields);
  const others = form.inputs.filter((input) => !form.positions.includes(input));
  const letters = new Map([...form.positions, ...others].map((input, i) => [input, `${String.fromCharCode(65 + i)}`]));
  const typeOf = (/** @type {string} */ input) => (form.broadcast.includes(input) ? 'InputOrNumber' : 'Input');
  const isArray = (/** @type {string} */ input) => fields.some((field) => field.name === input && field.kind === 'tensorArray');
  const given = fields.some(({ name: field }) => ['outputTensor', 'outputIndexTensor', 'outputIndicesTensor'].includes(field));
  const types = [
    ...(form.takesPlace ? ['Place extends Device | Graph'] : []),
    ...form.positions.map((input) => `${letters.get(input)} extends ${typeOf(input)}`),
    ...others.map((input) => `${letters.get(input)} extends ${typeOf(input)} = never`),
    ...(given ? ['Given extends DataType = never'] : []),
  ];
  const rest = fields.filter((field) => !form.positions.includes(field.name));
  const isNeeded = rest.some((field) => !isOptional(field)) || form.positions.length === 0;
  const positions = form.positions.length === 0 ? 'never' : form.positions.map(quote).join(' | ');
  const members = others.map((input) => `${input}: ${letters.get(input)}`).join('; ');
  const inputs = others.length === 0 ? 'unknown' : `{ ${members} }`;
  const options = `Options<'${name}', ${positions}, ${inputs}, ${given ? 'Given' : 'never'}>`;
  const parameters = [
    ...(form.takesPlace ? ['device: Place'] : []),
    ...form.positions.map((input) => `${input}: ${isArray(input) ? `readonly ${letters.get(input)}[]` : letters.get(input)}`),
    `options${isNeeded ? '' : '?'}: ${options}`,
  ];
  const kinds = [...letters].map(([input, letter]) => (isArray(input) ? `Extract<${letter}, Value>` : letter));
  const tuple = form.takesPlace
    ? `[Place extends Graph ? Value : never${kinds.map((kind) => `, ${kind}`).join('')}]`
    : `[${kinds.join(', ')}]`;
  const first = firstTypeOf(form, letters);
  const returned =
    form.output === null
      ? `Outputs<'${name}', ${tuple}, ${first}, ${given ? 'Given' : 'never'}>`
      : `${isArray(form.output) ? 'OutputArray' : 'Output'}<${tuple}, ${outputTypeOf(name, form.output, first)}>`;
  return `${docOf(operator, form)}export function ${name}<${types.join(', ')}>(
${parameters.map((parameter) => `  ${parameter},\n`).join('')}): ${returned};
export function ${name}(...given: readonly unknown[]): unknown {
  return call('${name}', given);
}
`;
}

/** Returns the data type of the only output. `OutputDataType` gives the same, but TypeScript checks it much more slowly. */
function outputTypeOf(/** @type {string} */ name, /** @type {string} */ output, /** @type {string} */ first) {
  /** @type {Readonly<Record<string, Readonly<Record<string, string | null>>>>} */
  const others = otherOutputs;
  const own = others[name]?.[output];
  const type = own === undefined ? first : own === null ? 'DataType' : quote(own);
  return output === 'outputTensor' ? `GivenOr<Given, ${type}>` : type;
}

/** Returns the data type of the input that determines the outputs' type. A number takes the type of the other operand. */
function firstTypeOf(/** @type {Form} */ { broadcast }, /** @type {ReadonlyMap<string, string>} */ letters) {
  const first = firstInputs.find((input) => letters.has(input)) ?? '';
  const letter = letters.get(first);
  if (letter === undefined) return 'never';
  const other = broadcast.find((input) => input !== first && input !== 'conditionTensor');
  return broadcast.includes(first) && other !== undefined
    ? `TypeOfEither<${letter}, ${letters.get(other)}>`
    : `TypeOf<${letter}>`;
}

function isOptional(/** @type {Field} */ field) {
  const isOutput = field.role === 'output' && field.kind === 'tensor';
  return field.optional || field.counts !== undefined || field.default !== undefined || isOutput;
}

function docOf(/** @type {Operator} */ operator, /** @type {Form} */ { takesPlace, positions, broadcast, output }) {
  const { fields, summary, otherNames = {}, url } = operator;
  const fieldOf = (/** @type {string} */ wanted) => fields.find((field) => field.name === wanted);
  const names = [
    otherNames.ONNX === undefined ? '' : `ONNX ${otherNames.ONNX.join(', ')}`,
    otherNames.PyTorch === undefined ? '' : `PyTorch ${otherNames.PyTorch.join(', ')}`,
  ].filter((text) => text !== '');
  const others = fields.filter((field) => !positions.includes(field.name) && field.counts === undefined);
  const optional = others.filter(isOptional).map((field) => field.name);
  const needed = others.filter((field) => !isOptional(field)).map((field) => field.name);
  const list = [needed.join(', '), optional.length === 0 ? '' : `optional ${optional.join(', ')}`].filter((text) => text !== '');
  const outputs = fields.filter(({ role }) => role === 'output');
  const result = output === null ? outputs.map((field) => field.name).join(', ') : fieldOf(output)?.meaning;
  const repeated = broadcast.join(', ').replace(/, (\w+)$/, ' and $1');
  return `/**
 * ${summary}
${names.length === 0 ? '' : ` *\n * In ${names.join('; ')}.\n`}${repeated === '' ? '' : ` *\n * Broadcasts ${repeated} as NumPy does. A number stands for a tensor of it.\n`} *
${takesPlace ? ' * @param device The device, or a graph.\n' : ''}${positions.map((input) => ` * @param ${input} ${fieldOf(input)?.meaning}\n`).join('')} * @param options ${list.join('; ')}.
 * @returns ${result}${output === null ? ', by field name.' : ''}
 * @see ${url}
 */
`;
}

function quote(/** @type {string} */ text) {
  return `'${text}'`;
}
