/** The sentences of lib/schema/meanings.json. */
import { enums } from '#lib/schema/generated/enums.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import type { FieldSchema } from '#lib/schema/types.js';
import meanings from '../../lib/schema/meanings.json';
import narrowed from '../../lib/schema/narrowed.json';

export interface Meanings {
  readonly fields: Readonly<Record<string, FieldMeaning>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The sentence for all operators with the field, and sentences for some, whose names `, ` separates. */
interface FieldMeaning {
  readonly meaning?: string;
  readonly in?: Readonly<Record<string, string>>;
}

export const written: Meanings = meanings;

/** What has a sentence: `'gemm.alpha'`, `'PaddingMode.wrap'`; and what ought to have one but has none, or has one in vain. */
export function sentencesOf({ fields, enums: members }: Meanings): { sentences: Map<string, string>; wrong: string[] } {
  const given = new Map<string, string>();
  for (const [name, { meaning, in: byOperators = {} }] of Object.entries(fields)) {
    if (meaning !== undefined) given.set(`*.${name}`, meaning);
    for (const [operators, text] of Object.entries(byOperators)) {
      for (const operator of operators.split(', ')) given.set(`${operator}.${name}`, text);
    }
  }
  for (const [name, texts] of Object.entries(members)) {
    for (const [member, text] of Object.entries(texts)) given.set(`${name}.${member}`, text);
  }
  const used = new Set<string>();
  const sentences = new Map<string, string>();
  const wrong: string[] = [];
  for (const [key, ...others] of needed()) {
    const source = [key, ...others].find((candidate) => given.has(candidate));
    const text = source === undefined ? undefined : given.get(source);
    if (source === undefined || text === undefined) wrong.push(`${key} has no meaning`);
    else {
      used.add(source);
      sentences.set(key, text);
    }
  }
  wrong.push(...[...given.keys()].filter((key) => !used.has(key)).map((key) => `nothing uses the meaning of ${key}`));
  return { sentences, wrong };
}

/** The members that an enum field of an operator takes: all, unless its rule refuses some. None for data types. */
export function membersOf(type: string, { name, enumName }: FieldSchema): string[] {
  if (enumName === undefined || enumName === 'DataType') return [];
  const entries: [string, Readonly<Record<string, readonly string[]>>][] = Object.entries(narrowed.members);
  const [, taken] = entries.find(([types, fields]) => types.split(', ').includes(type) && name in fields) ?? [];
  return [...(taken?.[name] ?? Object.keys(enums[enumName].values))];
}

/** What needs a sentence, each with the keys under which it may have one. */
function needed(): [key: string, ...others: string[]][] {
  const fields = Object.entries(operatorTable).flatMap(([type, operator]) =>
    // The sentence of a count follows from what it counts.
    operator.fields
      .filter(({ counts }) => counts === undefined)
      .map(({ name }): [string, string] => [`${type}.${name}`, `*.${name}`]),
  );
  const members = Object.entries(enums)
    // What a feature level means follows from the operators that it adds.
    .filter(([name]) => name !== 'FeatureLevel')
    .flatMap(([name, { values }]) => Object.keys(values).map((member): [string] => [`${name}.${member}`]));
  return [...fields, ...members];
}
