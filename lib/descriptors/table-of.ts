/** The operator table. Its rows are parsed when they are first used, because all of them take milliseconds. */
import type { OperatorType } from './generated/descriptors.js';
import type { OperatorSchema } from './types.js';
import { parseWithoutPrototypes } from '../values/without-prototypes.js';

type Table = Readonly<Record<OperatorType, OperatorSchema>>;

interface Row {
  readonly fields: { support?: unknown }[];
}

/** All texts are JSON. The `support` of a row's fields is an index in `supports`. */
export function tableOf(supports: readonly string[], rows: Readonly<Record<OperatorType, string>>): Table {
  const parsed: object[] = [];
  const supportOf = (index: number) => (parsed[index] ??= parseWithoutPrototypes(supports[index] ?? ''));
  const table = Object.create(null) as object;
  for (const [name, json] of Object.entries(rows)) {
    const put = (attributes: PropertyDescriptor) => {
      const property = { __proto__: null, ...attributes, enumerable: true, configurable: true };
      Object.defineProperty(table, name, property);
    };
    const get = () => {
      const row = parseWithoutPrototypes(json) as Row;
      for (const field of row.fields) if (typeof field.support === 'number') field.support = supportOf(field.support);
      put({ value: row });
      return row;
    };
    put({ get });
  }
  return table as Table;
}
