// Writes lib/functions/generated/functions.ts: a function for each operator, with its types and doc comments. `call` does the work.
import { join } from 'node:path';
import { checkout } from '../shared/common.mjs';
import { banner } from './banner.mjs';
import { firstInputOf, ownDataTypeOf } from './facts.mjs';
import { loadModules } from './load-module.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */
/** @typedef {import('../../lib/functions/form.js').Form} Form */

/** @type {[typeof import('../../lib/functions/form.js')]} */
const [{ formOf }] = await loadModules(join(checkout, 'lib/functions/form.ts'));

/** @returns {string} */
export function functionsFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  return `${banner}
import type { Device } from '../../api/device.js';
import type { Graph } from '../../api/graphs/graph.js';
import type { Value } from '../../graph/value.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { call } from '../call.js';
import type {
  GivenOr,
  Input,
  InputOrNumber,
  Options,
  Output,
  OutputArray,
  Outputs,
  Takes,
  TakesAlike,
  TakesBeside,
  TakesOrNumber,
  TakesType,
  TypeOf,
  TypeOfEither,
} from '../types.js';

${operators.map(functionOf).join('\n')}`;
}

/** The output whose data type the options give is the first of these that an operator has. */
const givenFields = ['outputIndexTensor', 'outputIndicesTensor', 'outputTensor'];

function functionOf(/** @type {Operator} */ operator) {
  const { name, fields } = operator;
  const form = formOf(name, operator);
  const inputs = inputsOf(operator, form);
  const positions = inputs.filter((input) => input.isPosition);
  const others = inputs.filter((input) => !input.isPosition);
  const first = firstTypeOf(inputs);
  const given = givenFields.flatMap((field) => fields.filter((each) => each.name === field))[0];
  const types = [
    ...(form.takesPlace ? ['Place extends Device | Graph'] : []),
    ...inputs.map(({ letter, takesNumber, isPosition }) => {
      return `${letter} extends ${takesNumber ? 'InputOrNumber' : 'Input'}${isPosition ? '' : ' = never'}`;
    }),
    ...(given === undefined ? [] : ['Given extends DataType = never']),
  ];
  const rest = fields.filter((field) => !form.positions.includes(field.name));
  const isNeeded = rest.some((field) => !isOptional(field)) || form.positions.length === 0;
  const names = form.positions.length === 0 ? 'never' : form.positions.map(quote).join(' | ');
  const members = others.map((input) => `${input.field.name}: ${parameterOf(input, inputs)}`).join('; ');
  const output = given === undefined ? 'never' : givenTypeOf(given, first);
  const checked = `Options<'${name}', ${names}, ${others.length === 0 ? 'unknown' : `{ ${members} }`}, ${output}>`;
  // The compiler infers one type of a tensor or a value from these, but two from the conditional types of the others.
  const inferred = others
    .filter(({ isArray }) => !isArray)
    .map(({ field, letter }) => `${field.name}?: ${letter} | null | undefined`);
  const options = inferred.length === 0 ? checked : `{ ${inferred.map((each) => `readonly ${each}`).join('; ')} } & ${checked}`;
  const parameters = [
    ...(form.takesPlace ? ['device: Place'] : []),
    ...positions.map((input) => `${input.field.name}: ${parameterOf(input, inputs)}`),
    `options${isNeeded ? '' : '?'}: ${options}`,
  ];
  const kinds = inputs.map(({ letter, isArray }) => (isArray ? `Extract<${letter}, Value>` : letter));
  const tuple = form.takesPlace
    ? `[Place extends Graph ? Value : never${kinds.map((kind) => `, ${kind}`).join('')}]`
    : `[${kinds.join(', ')}]`;
  const only = fields.find((field) => field.name === form.output);
  const returned =
    only === undefined
      ? `Outputs<'${name}', ${tuple}, ${first}, ${given === undefined ? 'never' : 'Given'}>`
      : `${only.kind === 'tensorArray' ? 'OutputArray' : 'Output'}<${tuple}, ${outputTypeOf(only, first)}>`;
  return `${docOf(operator, form)}export function ${name}<${types.join(', ')}>(
${parameters.map((parameter) => `  ${parameter},\n`).join('')}): ${returned};
export function ${name}(...given: readonly unknown[]): unknown {
  return call('${name}', given);
}
`;
}

/**
 * @typedef {object} Input An input of a function.
 * @property {Field} field
 * @property {string} letter The parameter of its type.
 * @property {boolean} isPosition False if it is among the options.
 * @property {boolean} isArray
 * @property {boolean} takesNumber
 * @property {boolean} isFirst True if its data type is that of the outputs.
 * @property {boolean} isLikeFirst True if it always has the data type of the first one.
 */

/** @returns {readonly Input[]} */
function inputsOf(/** @type {Operator} */ { fields }, /** @type {Form} */ { inputs, positions, broadcast }) {
  const all = fields.filter((field) => inputs.includes(field.name));
  const first = firstInputOf({ fields: all });
  const ordered = [...inputs].sort((a, b) => Number(positions.includes(b)) - Number(positions.includes(a)));
  return ordered.flatMap((input, i) => {
    const field = all.find((each) => each.name === input);
    if (field === undefined) return [];
    return {
      field,
      letter: String.fromCharCode(65 + i),
      isPosition: positions.includes(input),
      isArray: field.kind === 'tensorArray',
      takesNumber: broadcast.includes(input) && knowsTypeOfNumber(field, all),
      isFirst: field === first,
      isLikeFirst: first !== undefined && unionOf(field) === unionOf(first) && field.ownDataType === undefined,
    };
  });
}

/** The type of a parameter, which refuses data types that the operator never takes. */
function parameterOf(/** @type {Input} */ input, /** @type {readonly Input[]} */ inputs) {
  const { letter, field, isPosition, isArray, isFirst, isLikeFirst, takesNumber } = input;
  const first = inputs.find((other) => other.isFirst);
  const like = isLikeFirst && first !== undefined && !isFirst ? `TypeOf<${first.letter}>` : 'never';
  const rest = isPosition ? (like === 'never' ? [] : [like]) : [like, 'null | undefined'];
  const taken = [unionOf(field), ...rest].join(', ');
  if (isArray) return `readonly ${isFirst ? 'TakesAlike' : 'Takes'}<${letter}, ${taken}>[]`;
  if (!takesNumber) return `Takes<${letter}, ${taken}>`;
  const others = inputs.filter((other) => other !== input && hasSameSupport(other.field, field));
  const isLast = others.every((other) => other.takesNumber && other.isPosition && inputs.indexOf(other) < inputs.indexOf(input));
  return isLast && others.length > 0
    ? `TakesBeside<${letter}, ${others.map((other) => other.letter).join(' | ')}, ${taken}>`
    : `TakesOrNumber<${letter}, ${taken}>`;
}

/** False if nothing says which data type the number has. Compare with dataTypeFor in lib/functions/broadcast.ts. */
function knowsTypeOfNumber(/** @type {Field} */ field, /** @type {readonly Field[]} */ inputs) {
  const types = new Set(field.support?.flatMap(({ dataTypes }) => dataTypes));
  const hasOther = inputs.some((other) => other !== field && hasSameSupport(other, field));
  return hasOther || types.size === 1 || field.name === 'scaleTensor';
}

function hasSameSupport(/** @type {Field} */ a, /** @type {Field} */ b) {
  return JSON.stringify(a.support) === JSON.stringify(b.support);
}

/** The data types that an operator takes, or gives, at the highest feature level, which has those of all others. */
function unionOf(/** @type {Field} */ { name, support }) {
  const [highest] = support ?? [];
  if (highest === undefined) throw new Error(`${name}: a tensor without data types`);
  return highest.taken.map(quote).join(' | ');
}

/** Returns the data type of the only output. `OutputDataType` gives the same, but TypeScript checks it much more slowly. */
function outputTypeOf(/** @type {Field} */ output, /** @type {string} */ first) {
  const own = ownDataTypeOf(output);
  const type = own === undefined ? first : own === null ? 'DataType' : quote(own);
  return output.name === 'outputTensor' ? `GivenOr<Given, ${type}>` : type;
}

/** Returns the data type of the input that determines the outputs' type. A number takes the type of the other operand. */
function firstTypeOf(/** @type {readonly Input[]} */ inputs) {
  const first = inputs.find((input) => input.isFirst);
  if (first === undefined) return 'never';
  const other = inputs.find((input) => input !== first && hasSameSupport(input.field, first.field) && input.isPosition);
  return first.takesNumber && other?.takesNumber ? `TypeOfEither<${first.letter}, ${other.letter}>` : `TypeOf<${first.letter}>`;
}

/** The type of the data type that the options give for the output. */
function givenTypeOf(/** @type {Field} */ output, /** @type {string} */ first) {
  const follows = first !== 'never' && output.ownDataType === undefined;
  return `TakesType<Given, ${follows ? first : unionOf(output)}>`;
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
