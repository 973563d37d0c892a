// Writes test/types/generated/typed-calls.ts, which is compiled and never runs: for each operator the exact types of its
// bindings and outputs, and calls of compile, dispatch, createOutputs and run that must or must not compile. It is generated
// from the facts alone, not from the types that it tests.
import { banner } from './banner.mjs';
import { literal } from './literal.mjs';
import { minimalDescriptor } from './minimal-descriptors.mjs';

/** @typedef {import('./facts.mjs').Enum} Enum */
/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */

/** The expressions for one tensor in a call: names of constants in the generated file. */
const described = 'desc';
const bound = 'tensor';
/** A field that no operator has. */
const another = 'fourthTensor: tensor';

/** @returns {string} */
export function typedCallsFile(/** @type {import('./facts.mjs').Facts} */ { operators, enums }) {
  const inputs = (/** @type {Operator} */ operator) => tensorsOf(operator).filter(({ role }) => role === 'input');
  const outputs = (/** @type {Operator} */ operator) => tensorsOf(operator).filter(({ role }) => role === 'output');
  return `${banner}
import type { Binding, Device, Tensor, TensorDesc } from 'node-directml';

declare const device: Device;
declare const desc: TensorDesc;
declare const tensor: Tensor<'float32'>;
declare const binding: Binding;

/** What \`dispatch\` takes for each operator. */
export interface BindingsByOperator {
${operators.map((operator) => row(operator, tensorsOf(operator), bindingMember)).join('')}}

/** What \`dispatch\` takes for each operator if DirectML owns all its inputs. */
export interface BindingsWithoutInputs {
${operators.map((operator) => row(operator, tensorsOf(operator), ownedMember)).join('')}}

/** The names of the inputs of each operator. */
export interface InputNames {
${operators.map((operator) => `  ${operator.name}: ${namesOf(inputs(operator))};\n`).join('')}}

/** The tensors that \`createOutputs\` and \`run\` give for each operator. */
export interface OutputsByOperator {
${operators.map((operator) => row(operator, outputs(operator), outputMember)).join('')}}

/** What \`run\` takes in the fields of the inputs of each operator. */
export interface InputsByOperator {
${operators.map((operator) => row(operator, inputs(operator), inputMember)).join('')}}

/** Calls that must compile, or must not. */
export const calls = {
${operators.map((operator) => callsOf(operator, enums)).join('')}};
`;
}

function tensorsOf(/** @type {Operator} */ { fields }) {
  return fields.filter(isTensor);
}

function isTensor(/** @type {Field} */ { kind }) {
  return kind === 'tensor' || kind === 'tensorArray';
}

function isArray(/** @type {Field} */ { kind }) {
  return kind === 'tensorArray';
}

function namesOf(/** @type {Field[]} */ fields) {
  return fields.length === 0 ? 'never' : fields.map(({ name }) => `'${name}'`).join(' | ');
}

/** One line of an interface: the operator, and an object type of these members. */
function row(/** @type {Operator} */ { name }, /** @type {Field[]} */ fields, /** @type {(field: Field) => string} */ member) {
  return `  ${name}: {${fields.length === 0 ? '' : ` ${fields.map(member).join('; ')} `}};\n`;
}

function bindingMember(/** @type {Field} */ field) {
  const type = isArray(field) ? 'readonly (Binding | null)[]' : 'Binding';
  return field.optional ? `readonly ${field.name}?: ${type} | null | undefined` : `readonly ${field.name}: ${type}`;
}

function ownedMember(/** @type {Field} */ field) {
  return bindingMember({ ...field, optional: field.optional || field.role === 'input' });
}

function outputMember(/** @type {Field} */ field) {
  const dataTypes = new Set(field.support?.flatMap((row) => row.taken));
  const known = field.defaultDataType ?? (dataTypes.size === 1 ? [...dataTypes][0] : undefined);
  const tensor = known === undefined ? 'Tensor' : `Tensor<'${known}'>`;
  return `readonly ${field.name}${field.optional ? '?' : ''}: ${isArray(field) ? `readonly ${tensor}[]` : tensor}`;
}

function inputMember(/** @type {Field} */ field) {
  const type = isArray(field) ? 'readonly Tensor[]' : 'Tensor';
  return field.optional ? `readonly ${field.name}?: ${type} | null | undefined` : `readonly ${field.name}: ${type}`;
}

function callsOf(/** @type {Operator} */ operator, /** @type {readonly Enum[]} */ enums) {
  const tensors = tensorsOf(operator);
  const required = tensors.filter(({ optional }) => !optional);
  const inputs = required.filter(({ role }) => role === 'input');
  const outputs = required.filter(({ role }) => role === 'output');
  const plain = Object.entries(minimalDescriptor(operator, enums)).filter(([name]) => !tensors.some((t) => t.name === name));
  const fields = literal(Object.fromEntries(plain));
  // An array of outputs has no default, because its length is not known.
  const arrays = required.filter((field) => field.role === 'output' && isArray(field));
  const given = (/** @type {string} */ value) => ['...fields', ...values([...inputs, ...arrays], value)];
  const first = required[0];
  if (first === undefined) throw new Error(`${operator.name}: no tensor that must be bound`);
  const lines = [
    `const fields = ${fields} as const;`,
    `const operator = await device.compile(${object(given(described))});`,
    `operator.dispatch(${object(values(required, 'binding'))});`,
    `operator.dispatch(${object(tensors.map((field) => (field.optional ? `${field.name}: null` : value(field, bound))))});`,
    `operator.dispatch(${object([...values(inputs, bound), '...operator.createOutputs()'])});`,
    '// @ts-expect-error: nothing is bound',
    `operator.dispatch({});`,
    '// @ts-expect-error: misspelt',
    `operator.dispatch(${object([`${first.name}r: ${bound}`, ...values(required.slice(1), bound)])});`,
    '// @ts-expect-error: one too many',
    `operator.dispatch(${object([...values(required, bound), another])});`,
    `const { ${outputs.map(({ name }) => name).join(', ')} } = operator.createOutputs();`,
    ...outputs.map((field) => `void ${isArray(field) ? `${field.name}[0]?` : field.name}.read();`),
    ...outputs.filter((field) => !isArray(field)).map(({ name }) => `device.createTensor(operator.descriptor.${name});`),
    `await device.run(${object(given(bound))});`,
    `await device.compile(${object(given(bound))});`,
    '// @ts-expect-error: no such field',
    `await device.compile(${object([...given(described), another])});`,
    '// @ts-expect-error: no such field',
    `device.resolve(${object([...given(described), another])});`,
    '// @ts-expect-error: no such field',
    `await device.run(${object([...given(bound), another])});`,
  ];
  if (inputs.length > 0) {
    lines.push('// @ts-expect-error: descriptions instead of tensors', `await device.run(${object(given(described))});`);
  }
  return `  async ${operator.name}() {\n${lines.map((line) => `    ${line}\n`).join('')}  },\n`;
}

function object(/** @type {string[]} */ members) {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Members of an object literal: each field with this value, or an array of it. */
function values(/** @type {Field[]} */ fields, /** @type {string} */ of) {
  return fields.map((field) => value(field, of));
}

function value(/** @type {Field} */ field, /** @type {string} */ of) {
  return `${field.name}: ${isArray(field) ? `[${of}]` : of}`;
}
