/** The tables of all operators of DirectML, also of those that `lib/` does not have yet, from the facts file. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OperatorSchema } from '#lib/schema/types.js';
import type { EncodingTables } from '../parity/encode.js';

export interface NamedOperator extends OperatorSchema {
  readonly name: string;
}

interface FactsModule {
  readFacts(
    folder: string,
    all: boolean,
  ): {
    operators: readonly (Omit<NamedOperator, 'fields'> & { fields: readonly FactsField[] })[];
    enums: readonly { name: string; members: readonly { name: string; value: number }[] }[];
  };
}

type FactsField = Omit<OperatorSchema['fields'][number], 'support'> & {
  support?: readonly { since: '1.0'; dataTypes: readonly 'float32'[]; min: number; max: number }[];
};

export interface Facts extends EncodingTables {
  readonly operators: Readonly<Record<string, NamedOperator>>;
}

/** `root` is the checkout, for the caller may be compiled into another folder. */
export async function readAllFacts(root: string): Promise<Facts> {
  const address = pathToFileURL(join(root, 'scripts', 'generate', 'facts.mjs')).href;
  const facts: FactsModule = await import(/* @vite-ignore */ address);
  const { operators, enums } = facts.readFacts(join(root, 'lib', 'schema'), true);
  return {
    operators: Object.fromEntries(
      operators.map((operator) => [
        operator.name,
        { ...operator, fields: operator.fields.map(withDimensionCounts) },
      ]),
    ),
    enums: Object.fromEntries(
      enums.map(({ name, members }) => [
        name,
        { values: Object.fromEntries(members.map((member) => [member.name, member.value])) },
      ]),
    ),
  };
}

function withDimensionCounts({ support, ...field }: FactsField): OperatorSchema['fields'][number] {
  if (support === undefined) return field;
  return {
    ...field,
    support: support.map(({ min, max, ...row }) => ({ ...row, minDimensionCount: min, maxDimensionCount: max })),
  };
}
