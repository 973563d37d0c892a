/** Finds the operator that a user names. */
import type { OperatorType } from '../index.js';
import { questionOf } from '../values/near-names.js';
import { operatorTable } from '../descriptors/generated/table.js';
import { isOperatorType } from '../operators/resolve.js';
import { operatorsMeant } from '../descriptors/operator-names.js';
import { UsageError } from './command.js';
import type { Terminal } from './terminal.js';

/** @throws {UsageError} if the name is that of no operator, or may be that of several */
export function operatorNamed(name: string, terminal: Terminal): OperatorType {
  if (isOperatorType(name)) return name;
  const meant = operatorsMeant(name);
  const [only] = meant;
  if (meant.length === 1 && isOperatorType(only)) {
    terminal.error(`'${name}' is ${only} in DirectML.\n`);
    return only;
  }
  const question = questionOf(meant) ?? namesWith(name) ?? 'node-directml operators lists all';
  throw new UsageError(`there is no operator '${name}' (${question})`);
}

/** `there are …` with the names that contain a text. */
function namesWith(text: string): string | undefined {
  const names = Object.keys(operatorTable).filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  return names.length === 0 ? undefined : `there are: ${names.join(', ')}`;
}
