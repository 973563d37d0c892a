// Reads lib/schema/directml.json into the form that all generators use: names in camelCase, field kinds, parsed ranges.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDefaults } from './defaults.mjs';
import { readExplanations } from './explanations.mjs';
import { readMeanings } from './meanings.mjs';
import { readNarrowed } from './narrowed.mjs';
import { readOtherNames } from './other-names.mjs';
import { readSummaries } from './summaries.mjs';

/**
 * @typedef {{ since: string, dataTypes: string[], taken?: string[], min: number, max: number }} Support
 * @typedef {{ name: string, nativeName: string, kind: string, role?: 'input' | 'output', optional: boolean,
 *   optionalSince?: string, countField?: string, counts?: string[], perDimensionOf?: string, fromDimension?: number,
 *   enumName?: string, taken?: string[], support?: Support[], shape?: string, meaning?: string, note?: string, inPlace?: string[],
 *   default?: import('./defaults.mjs').Default }} Field
 * @typedef {{ since: string, into?: string[] }} Fusion
 * @typedef {{ name: string, nativeName: string, value: number, since: string, descName: string, url: string,
 *   family: string, summary: string, explanation?: string[], fields: Field[], fusion?: Fusion }} Operator
 * @typedef {{ name: string, value: number, since: string, otherNames: string[], meaning?: string }} Member
 * @typedef {{ name: string, nativeName: string, members: Member[] }} Enum
 * @typedef {{ operators: Operator[], families: Map<string, Operator[]>, enums: Enum[],
 *   otherNames: import('./other-names.mjs').OtherNames }} Facts
 */

const alwaysNeeded = ['DML_FEATURE_LEVEL', 'DML_TENSOR_DATA_TYPE', 'DML_TENSOR_FLAGS'];
const site = 'https://learn.microsoft.com';
/** The default folder of Microsoft's pages. Operators that are in no Windows SDK are documented elsewhere. */
const pageFolder = 'windows/win32/api/directml';

/** @type {Record<string, string>} */
const scalarKinds = {
  UINT: 'uint',
  INT: 'int',
  FLOAT: 'float',
  float: 'float',
  BOOL: 'bool',
  DML_SIZE_2D: 'size2d',
  DML_SCALAR_UNION: 'scalar',
  'const DML_SCALE_BIAS*': 'scaleBias',
  'const DML_TENSOR_DESC*': 'tensor',
  'const DML_OPERATOR_DESC*': 'operator',
};

/** @type {Record<string, string>} */
const arrayKinds = {
  'const UINT*': 'uintArray',
  'const INT*': 'intArray',
  'const FLOAT*': 'floatArray',
  'const DML_TENSOR_DESC*': 'tensorArray',
  'const DML_OPERATOR_DESC*': 'operatorArray',
};

/** @returns {Facts} */
export function readFacts(/** @type {string} */ folder) {
  const json = JSON.parse(readFileSync(join(folder, 'directml.json'), 'utf8'));
  const otherNames = readOtherNames(folder);
  /** @type {Operator[]} */
  const operators = json.operators.map((/** @type {any} */ raw) => readOperator(raw, json.fusedActivations[raw.type]));
  addInPlace(operators, JSON.parse(readFileSync(join(folder, 'in-place.json'), 'utf8')).pairs);
  addNotes(folder, operators);
  readDefaults(folder, operators);
  readNarrowed(folder, operators);
  const used = new Set(operators.flatMap((operator) => operator.fields.map((field) => field.enumName)));
  const enums = Object.entries(json.enums)
    .map(([nativeName, members]) => readEnum(nativeName, members, otherNames.enums[nativeName.replace('DML_', '')]))
    .filter((e) => alwaysNeeded.includes(e.nativeName) || used.has(e.name));
  readMeanings(
    folder,
    operators,
    enums.filter(({ name }) => name !== 'FeatureLevel'),
  );
  addLevelMeanings(operators, enums);
  readExplanations(folder, operators);
  return { operators, families: readSummaries(folder, operators), enums, otherNames };
}

/** @returns {Operator} */
function readOperator(/** @type {any} */ raw, /** @type {any} */ fusion) {
  const nativeName = raw.type.replace('DML_OPERATOR_', '');
  /** @type {Field[]} */
  const fields = raw.fields.map((/** @type {any} */ field) => readField(raw, field));
  for (const field of fields) {
    const counts = fields.filter((other) => other.countField === field.name).map((other) => other.name);
    if (counts.length > 0) field.counts = counts;
  }
  /** @type {Operator} */
  const operator = {
    name: camelCase(nativeName),
    nativeName,
    value: raw.value,
    since: raw.since,
    descName: raw.desc,
    url: `${site}/${raw.pageFolder ?? pageFolder}/${raw.page.replace(/\.md$/, '')}`,
    family: '',
    summary: '',
    fields,
  };
  if (fusion !== undefined) operator.fusion = readFusion(fusion);
  return operator;
}

/** @returns {Fusion} */
function readFusion(/** @type {any} */ { since, into }) {
  if (into === undefined) return { since };
  return { since, into: into.map((/** @type {string} */ name) => camelCase(name.replace('DML_OPERATOR_', ''))) };
}

/** @returns {Field} */
function readField(/** @type {any} */ operator, /** @type {any} */ raw) {
  const kind = raw.countField === undefined ? scalarKinds[raw.type] : arrayKinds[raw.type];
  const isEnum = kind === undefined && raw.type.startsWith('DML_') && raw.countField === undefined;
  if (kind === undefined && !isEnum) throw new Error(`${operator.type}.${raw.name}: no kind for ${raw.type}`);
  /** @type {Field} */
  const field = {
    name: fieldName(raw.name),
    nativeName: raw.name,
    kind: kind ?? 'enum',
    optional: raw.optional === true,
  };
  if (raw.optionalSince !== undefined) field.optionalSince = raw.optionalSince;
  if (isEnum) field.enumName = enumName(raw.type);
  if (raw.countField !== undefined) field.countField = fieldName(raw.countField);
  if (raw.perDimensionOf !== undefined) field.perDimensionOf = fieldName(raw.perDimensionOf);
  if (raw.fromDimension !== undefined) field.fromDimension = raw.fromDimension;
  if (kind === 'tensor' || kind === 'tensorArray') addSupport(operator, field);
  return field;
}

/** What a feature level means follows from the operators that it adds. */
function addLevelMeanings(/** @type {Operator[]} */ operators, /** @type {Enum[]} */ enums) {
  for (const member of enums.find(({ name }) => name === 'FeatureLevel')?.members ?? []) {
    const count = operators.filter(({ since }) => since === member.name).length;
    if (member.name === '1.0') member.meaning = `The first ${count} operators.`;
    else if (count > 0) member.meaning = `${count} more ${count === 1 ? 'operator' : 'operators'}.`;
    else member.meaning = 'No operators; others take more data types, dimension counts or values.';
  }
}

/** What is legal and nearly always a mistake, to be said where the field is described. */
function addNotes(/** @type {string} */ folder, /** @type {Operator[]} */ operators) {
  const { notes } = JSON.parse(readFileSync(join(folder, 'notes.json'), 'utf8'));
  for (const [type, fields] of Object.entries(notes)) {
    for (const [name, note] of Object.entries(fields)) {
      const field = operators.find(({ nativeName }) => nativeName === type)?.fields.find((other) => other.nativeName === name);
      if (field === undefined) throw new Error(`notes.json: no field ${type}.${name}`);
      field.note = note;
    }
  }
}

/** Adds the tensor support by feature level, highest first. A "(single)" table starts with the operator's own level. */
function addSupport(/** @type {any} */ operator, /** @type {Field} */ field) {
  const rows = Object.entries(operator.tensorSupport)
    .filter(([, tensors]) => field.nativeName in tensors)
    .map(([level, tensors]) => ({ since: level === '(single)' ? operator.since : level, row: tensors[field.nativeName] }))
    .sort((a, b) => Number(b.since) - Number(a.since));
  const first = rows[0];
  const lowest = rows[rows.length - 1];
  if (first === undefined || Number(lowest?.since) > Number(operator.since)) {
    throw new Error(`${operator.type}.${field.nativeName}: no tensor support at feature level ${operator.since}`);
  }
  field.role = /output/i.test(first.row.kind) ? 'output' : 'input';
  if (first.row.shape !== undefined) field.shape = first.row.shape;
  field.support = rows.map(({ since, row }) => ({ since, ...parseRange(row.dims), dataTypes: row.types.map(dataTypeName) }));
}

/** The inputs whose bytes an output may take. A name that is not in the table is a mistake in the facts. */
function addInPlace(/** @type {Operator[]} */ operators, /** @type {Record<string, Record<string, string[]>>} */ pairs) {
  for (const [operatorName, outputs] of Object.entries(pairs)) {
    const fields = operators.find(({ nativeName }) => nativeName === operatorName)?.fields ?? [];
    const fieldOf = (/** @type {string} */ name, /** @type {string} */ role) => {
      const field = fields.find((other) => other.nativeName === name && other.role === role && other.kind === 'tensor');
      if (field === undefined) throw new Error(`in-place.json: ${operatorName} has no ${role} ${name}`);
      return field;
    };
    for (const [output, inputs] of Object.entries(outputs)) {
      fieldOf(output, 'output').inPlace = inputs.map((input) => fieldOf(input, 'input').name);
    }
  }
}

/** Parses `"4"` or `"1 to 8"`. */
function parseRange(/** @type {string} */ text) {
  const match = /^(\d+)(?: to (\d+))?$/.exec(text);
  if (match === null) throw new Error(`not a range of dimension counts: ${text}`);
  return { min: Number(match[1]), max: Number(match[2] ?? match[1]) };
}

/** @returns {Enum} */
function readEnum(
  /** @type {string} */ nativeName,
  /** @type {any} */ members,
  /** @type {Record<string, string[]>} */ otherNames = {},
) {
  const prefix = new RegExp(`^${nativeName.replace(/S$/, '')}S?_`);
  return {
    name: enumName(nativeName),
    nativeName,
    members: Object.entries(members)
      .map(([name, { value, since }]) => ({ short: name.replace(prefix, ''), value, since }))
      .map(({ short, ...rest }) => ({ name: memberName(nativeName, short), otherNames: otherNames[short] ?? [], ...rest }))
      .filter(({ name }) => name !== 'unknown'),
  };
}

function memberName(/** @type {string} */ enumName, /** @type {string} */ name) {
  return enumName === 'DML_FEATURE_LEVEL' ? name.replace('_', '.') : camelCase(name);
}

/** Converts `DML_TENSOR_DATA_TYPE` to `DataType`, `DML_AXIS_DIRECTION` to `AxisDirection`. */
function enumName(/** @type {string} */ nativeName) {
  const name = camelCase(nativeName === 'DML_TENSOR_DATA_TYPE' ? 'DATA_TYPE' : nativeName.replace('DML_', ''));
  return pascalCase(name);
}

function dataTypeName(/** @type {string} */ name) {
  return name.toLowerCase();
}

/** Converts `SCATTER_ND` to `scatterNd`. Keeps an underscore between digits: `PHILOX_4X32_10` is `philox4x32_10`. */
export function camelCase(/** @type {string} */ name) {
  return name
    .toLowerCase()
    .replace(/(\d)_(?=\d)/g, '$1\0')
    .replace(/_(.)/g, (_, letter) => letter.toUpperCase())
    .replaceAll('\0', '_');
}

export function pascalCase(/** @type {string} */ name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Converts `ROITensor` to `roiTensor`. The field `Type` becomes `generatorType`: `type` is the operator's own. */
function fieldName(/** @type {string} */ name) {
  if (name === 'Type') return 'generatorType';
  const words = name.replace(/[A-Z]{2,}(?=[A-Z][a-z])/g, (acronym) => pascalCase(acronym.toLowerCase()));
  return words.charAt(0).toLowerCase() + words.slice(1);
}
