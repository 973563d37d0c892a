/** The facts in the form that generators and tests use: with DirectML's names, roles and counts, and a meaning everywhere. */
import type { DefaultSchema } from '../descriptors/types.js';
import { enums } from './enums.js';
import type { DefaultFacts, EnumFacts, Family, FieldFacts, OperatorFacts } from '../descriptors/facts.js';
import { families, headings } from './index.js';
import { meanings } from './meanings.js';

export interface Support {
  readonly since: string;
  readonly dataTypes: readonly string[];
  /** Those that the operator's rule does not always refuse. */
  readonly taken: readonly string[];
  readonly min: number;
  readonly max: number;
}

export interface Field extends Omit<FieldFacts, 'kind' | 'optional' | 'support' | 'default'> {
  readonly name: string;
  readonly nativeName: string;
  readonly kind: string;
  readonly role?: 'input' | 'output';
  readonly optional?: boolean;
  /** The arrays whose elements it counts. */
  readonly counts?: readonly string[];
  readonly support?: readonly Support[];
  readonly default?: DefaultSchema;
}

export interface Operator extends Omit<OperatorFacts, 'fields'> {
  readonly name: string;
  readonly nativeName: string;
  readonly descName: string;
  readonly url: string;
  /** The heading in the index. */
  readonly family: string;
  readonly fields: readonly Field[];
}

export interface Member {
  readonly name: string;
  readonly value: number;
  readonly since: string;
  readonly otherNames: readonly string[];
  readonly meaning: string;
}

export interface Enum {
  readonly name: string;
  readonly nativeName: string;
  readonly members: readonly Member[];
}

export interface Facts {
  /** In DirectML's order. */
  readonly operators: readonly Operator[];
  /** By heading of the index. */
  readonly families: ReadonlyMap<string, readonly Operator[]>;
  readonly enums: readonly Enum[];
}

/** What the files of this folder say. */
export const written = { families, headings, meanings, enums };

/** Reads the facts. Throws if one is missing, or if one names what does not exist. */
export function readFacts(from: typeof written = written): Facts {
  const index = readIndex(from);
  const headingOf = new Map(index.flatMap(([heading, names]) => names.map((name) => [name, heading])));
  const unused = new Set(Object.keys(from.meanings));
  const operators = Object.entries(from.families)
    .flatMap(([family, { meanings: ofFamily = {}, operators: members }]) => {
      for (const field of Object.keys(ofFamily)) unused.add(`${family}: ${field}`);
      const meaningOf = (field: string) => {
        unused.delete(ofFamily[field] === undefined ? field : `${family}: ${field}`);
        return ofFamily[field] ?? from.meanings[field];
      };
      return Object.entries(members).map(([name, facts]) => {
        const heading = headingOf.get(name) ?? fail(`${name} is under no heading`);
        return readOperator(name, { ...facts, fields: fieldsOf(facts, members) }, heading, meaningOf);
      });
    })
    .sort((a, b) => a.value - b.value);
  for (const field of unused) throw new Error(`nothing uses the meaning of ${field}`);
  const byName = new Map(operators.map((operator) => [operator.name, operator]));
  const membersOf = (names: readonly string[]) => names.map((name) => byName.get(name) ?? fail(`there is no operator ${name}`));
  return {
    operators,
    families: new Map(index.map(([heading, names]) => [heading, membersOf(names)])),
    enums: Object.entries(from.enums).map(([name, facts]) => readEnum(name, facts, operators)),
  };
}

/** The names of the operators under each heading. Those of a file stay together where others come after the same operator. */
function readIndex({ families, headings }: typeof written): [heading: string, names: readonly string[]][] {
  const next = new Map<string, string[]>();
  for (const { operators } of Object.values(families)) {
    let above = '';
    for (const [name, { listed }] of Object.entries(operators)) {
      const place = listed === undefined ? above : 'under' in listed ? listed.under : listed.after;
      const others = next.get(place) ?? [];
      next.set(place, listed === undefined ? [name, ...others] : [...others, name]);
      above = name;
    }
  }
  const listFrom = (place: string): string[] => (next.get(place) ?? []).flatMap((name) => [name, ...listFrom(name)]);
  return headings.map((heading) => [heading, listFrom(heading)]);
}

type Fields = Readonly<Record<string, FieldFacts>>;
type WholeFacts = OperatorFacts & { readonly fields: Fields };

/** Adds the fields of the operator that it is like. */
function fieldsOf({ like, fields = {} }: OperatorFacts, family: Family['operators']): Fields {
  if (like === undefined) return fields;
  const all = Object.entries(fieldsOf(family[like] ?? fail(`there is no operator ${like}`), family));
  for (const [name, { after, ...own }] of Object.entries(fields)) {
    const indexOf = (wanted: string) => all.findIndex(([other]) => other === wanted);
    const known = all[indexOf(name)];
    if (known !== undefined) known[1] = own.kind === undefined ? { ...known[1], ...own } : own;
    else all.splice(after === undefined ? all.length : indexOf(after) + 1, 0, [name, own]);
  }
  return Object.fromEntries(all);
}

/** Operators from this feature level on are in no Windows SDK: their pages are elsewhere. */
const FIRST_WITHOUT_SDK = 5.1;

function readOperator(
  name: string,
  facts: WholeFacts,
  family: string,
  meaningOf: (field: string) => string | undefined,
): Operator {
  const nativeName = facts.native ?? snakeCase(name);
  for (const field of facts.call?.broadcast ?? []) if (!(field in facts.fields)) fail(`${name}: there is no ${field}`);
  const page = facts.page ?? `ns-directml-dml_${nativeName.toLowerCase()}_operator_desc`;
  const folder = Number(facts.since) < FIRST_WITHOUT_SDK ? 'windows/win32/api/directml' : 'windows/ai/directml/api';
  return {
    ...facts,
    name,
    nativeName,
    descName: facts.struct ?? `DML_${nativeName}_OPERATOR_DESC`,
    url: `https://learn.microsoft.com/${folder}/${page}`,
    family,
    fields: Object.keys(facts.fields).map((field) => readField(field, name, facts, meaningOf)),
  };
}

function readField(name: string, operator: string, facts: WholeFacts, meaningOf: (field: string) => string | undefined): Field {
  const { fields } = facts;
  const where = `${operator}.${name}`;
  const { kind = fail(`${where} has no kind`), support, default: given, ...rest } = fields[name] ?? fail(`there is no ${where}`);
  for (const other of referencesIn(rest, given)) if (!(other in fields)) fail(`${where}: there is no ${other}`);
  const [, role, isList] = /^(input|output)(s?)$/.exec(kind) ?? [];
  const counts = Object.keys(fields).filter((array) => fields[array]?.countField === name);
  if (counts.length > 0 && rest.meaning !== undefined) fail(`${where} counts, so its meaning is generated`);
  const pairs = rest.inPlace ?? [];
  if (pairs.length > 0 && kind !== 'output') fail(`${where} is no output`);
  for (const input of pairs) if (fields[input]?.kind !== 'input') fail(`${where}: ${input} is no input`);
  const meaning = counts.length > 0 ? undefined : (rest.meaning ?? meaningOf(name) ?? fail(`${where} has no meaning`));
  if (meaning !== undefined && !/^\S.*\.$/.test(meaning)) fail(`the meaning of ${where} is no sentence: ${meaning}`);
  return {
    ...rest,
    name,
    nativeName: rest.native ?? pascalCase(name),
    kind: role === undefined ? kind : isList === '' ? 'tensor' : 'tensorArray',
    ...(role === 'input' || role === 'output' ? { role, support: readSupport(where, support, facts) } : {}),
    ...(counts.length > 0 ? { counts } : {}),
    ...(meaning === undefined ? {} : { meaning }),
    ...(given === undefined ? {} : { default: withoutSource(given) }),
  };
}

/** The names of other fields in the facts about a field. */
function referencesIn({ countField, perDimensionOf, inPlace = [], indexes }: Partial<FieldFacts>, given: object = {}): string[] {
  const ofDefault = Object.entries(given).flatMap(([key, name]) => (/^(of|to|per\w+Of)$/.test(key) ? [String(name)] : []));
  return [countField ?? [], perDimensionOf ?? [], inPlace, Object.values(indexes ?? {}), ofDefault].flat();
}

/** Sources and notes are for readers of the files. */
function withoutSource({ source: _source, note: _note, ...value }: DefaultFacts): DefaultSchema {
  return value;
}

function readSupport(
  where: string,
  support: FieldFacts['support'],
  { since: introduced, fields, refusedDataTypes = [] }: WholeFacts,
): Support[] {
  const rows = typeof support === 'string' ? fields[support]?.support : support;
  if (rows === undefined || typeof rows === 'string') return fail(`${where} has no support`);
  const refused: readonly string[] = refusedDataTypes;
  const levels = Object.keys(rows).map(Number);
  if (levels.some((level, i) => level >= (levels[i - 1] ?? Infinity))) fail(`${where}: the highest level comes first`);
  if (Number(levels.at(-1)) > Number(introduced)) fail(`${where} has no support at feature level ${introduced}`);
  return Object.entries(rows).map(([since, [range, dataTypes]]) => {
    const [, min, max = min] = /^(\d)(?: to (\d))?$/.exec(range) ?? fail(`${where}: no range of dimension counts: ${range}`);
    const taken = dataTypes.filter((type) => !refused.includes(type));
    return { since, min: Number(min), max: Number(max), dataTypes, taken };
  });
}

function readEnum(name: string, { native, members }: EnumFacts, operators: readonly Operator[]): Enum {
  return {
    name,
    nativeName: native ?? `DML${snakeCase(name)}`,
    members: Object.entries(members).map(([member, { value, since = '1.0', otherNames = [], meaning }]) => {
      const said = name === 'FeatureLevel' ? meaningOfLevel(member, operators) : meaning;
      return { name: member, value, since, otherNames, meaning: said ?? fail(`${name}.${member} has no meaning`) };
    }),
  };
}

/** What a feature level means follows from the operators that it adds. */
function meaningOfLevel(level: string, operators: readonly Operator[]): string {
  const count = operators.filter(({ since }) => since === level).length;
  if (level === '1.0') return `The first ${count} operators.`;
  if (count > 0) return `${count} more ${count === 1 ? 'operator' : 'operators'}.`;
  return 'No operators; others take more data types, dimension counts or values.';
}

/** An operator's first input is the first of these fields that it has. */
const firstInputs: readonly string[] = [
  'aTensor',
  'inputTensor',
  'inputTensors',
  'inputGradientTensor',
  'valuesTensor',
  'inputParametersTensor',
];

/** The input whose data type the others and the outputs have, but for those with a data type of their own. */
export function firstInputOf({ fields }: Pick<Operator, 'fields'>): Field | undefined {
  return firstInputs.flatMap((name) => fields.find((field) => field.name === name) ?? [])[0];
}

/**
 * The data type of an output with one of its own, if the descriptor gives none; null if that does not follow from the operator
 * alone. Undefined for other outputs.
 */
export function ownDataTypeOf({ ownDataType, defaultDataType, support = [] }: Field): string | null | undefined {
  const [only = null, ...more] = new Set(support.flatMap(({ dataTypes }) => dataTypes));
  return ownDataType === undefined ? undefined : (defaultDataType ?? (more.length === 0 ? only : null));
}

/** Converts `scatterNd` to `SCATTER_ND`, and `DataType` to `_DATA_TYPE`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Converts `scatterNd` to `ScatterNd`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function fail(message: string): never {
  throw new Error(message);
}
