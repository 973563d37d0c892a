/** What the package knows about operators: the table that drives it, and the pages in docs/operators. */
import { enums } from '../tensors/generated/enums.js';
import { otherOperatorNames } from '../descriptors/generated/other-names.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { FieldSchema } from '../descriptors/types.js';
import type { OperatorType } from '../index.js';
import { plainText, readMarkdown, type Block } from './markdown.js';
import { operatorPage } from './package-files.js';

interface ListedOperator {
  readonly name: string;
  readonly family: string;
  readonly since: string;
  readonly summary: string;
}

/** All operators, by families: the tables of the index have a row for each, with its name, feature level and summary. */
export function listOperators(): ListedOperator[] {
  let family = '';
  const listed: ListedOperator[] = [];
  for (const block of readMarkdown(operatorPage('README'))) {
    if (block.kind === 'heading') family = block.text;
    if (block.kind !== 'table') continue;
    for (const [first = '', since = '', summary = ''] of block.rows) {
      const name = plainText(first);
      if (!Object.hasOwn(operatorTable, name) || listed.some((other) => other.name === name)) continue;
      listed.push({ name, family, since, summary: plainText(summary) });
    }
  }
  return listed;
}

/** An operator as `--json` prints it. */
export function operatorFacts(name: OperatorType, page: readonly Block[]): object {
  const { value, since, fusion, fields } = operatorTable[name];
  const rows = tableUnder(page, 'Fields');
  return {
    name,
    value,
    since,
    otherNames: otherOperatorNames()[name] ?? [],
    ...(fusion === undefined ? {} : { fusion }),
    ...textsOf(page),
    fields: fields.map((field) => ({ ...field, ...valuesOf(field), ...fieldTexts(rows, field.name) })),
  };
}

function textsOf(page: readonly Block[]): object {
  const summary = page.find(({ kind }) => kind === 'paragraph');
  const rules = under(page, 'Rules').find(({ kind }) => kind === 'list');
  const example = under(page, 'Example').find(({ kind }) => kind === 'program');
  return {
    ...(summary?.kind === 'paragraph' ? { summary: plainText(summary.text) } : {}),
    ...(rules?.kind === 'list' ? { rules: rules.items.map(plainText) } : {}),
    ...(example?.kind === 'program' ? { example: example.text } : {}),
  };
}

function valuesOf({ enumName }: FieldSchema): object {
  return enumName === undefined ? {} : { values: Object.keys(enums[enumName].values) };
}

/** The other columns of the field's row, by their titles: `type`, `needed`, `meaning`. */
function fieldTexts([titles = [], ...rows]: readonly (readonly string[])[], name: string): object {
  const row = rows.find(([first]) => first === `\`${name}\``) ?? [];
  return Object.fromEntries(titles.slice(1).flatMap((title, i) => (row[i + 1] ? [[title, plainText(row[i + 1] ?? '')]] : [])));
}

function tableUnder(page: readonly Block[], title: string): readonly (readonly string[])[] {
  const found = under(page, title).find(({ kind }) => kind === 'table');
  return found?.kind === 'table' ? found.rows : [];
}

/** The blocks between this heading and the next. */
function under(page: readonly Block[], title: string): readonly Block[] {
  const start = page.findIndex((block) => block.kind === 'heading' && block.text === title);
  if (start < 0) return [];
  const end = page.findIndex((block, i) => i > start && block.kind === 'heading');
  return page.slice(start + 1, end < 0 ? undefined : end);
}
