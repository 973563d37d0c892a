/** The operator table. Its rows are parsed when they are first used, because all of them take a large part of an import. */
import { define } from '../define.js';
import type { OperatorType } from './generated/descriptors.js';
import type { OperatorSchema, TensorSupport } from './types.js';
import { withoutPrototypes } from './without-prototypes.js';

type Table = Readonly<Record<OperatorType, OperatorSchema>>;

interface Row {
  readonly fields: { support?: unknown }[];
}

// A script may replace it.
const parse: (json: string) => unknown = JSON.parse;

/** All texts are JSON. The `support` of a row's fields is an index in `supports`. */
export function tableOf(supports: readonly string[], rows: Readonly<Record<OperatorType, string>>): Table {
  const parsed: unknown[] = [];
  const supportOf = (index: number) => (parsed[index] ??= parse(supports[index] ?? '') as readonly TensorSupport[]);
  const table = Object.create(null) as object;
  for (const [name, json] of Object.entries(rows)) {
    const get = () => {
      const row = parse(json) as Row;
      for (const field of row.fields) if (typeof field.support === 'number') field.support = supportOf(field.support);
      define(table, name, withoutPrototypes(row), 'enumerable');
      return row;
    };
    Object.defineProperty(table, name, { get, enumerable: true, configurable: true });
  }
  return table as Table;
}
