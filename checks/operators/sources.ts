/** Where the code of an operator is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperatorType } from 'node-directml';
import { ROOT } from '../harness/children.js';
import { families } from './families.js';

/** The files of the operator's rule and kernel, from the root of the checkout. A large family has kernels in several files. */
export function sourcesOf(operator: OperatorType): { readonly rule: string; readonly kernel: string } {
  const family = Object.entries(families).find(([, { cases }]) => operator in cases)?.[0] ?? '';
  const folder = `lib/operators/${family}`;
  const defines = new RegExp(String.raw`^(export const |export function | +)${operator}\b`, 'm');
  const file = readdirSync(join(ROOT, folder))
    .filter((name) => name.startsWith('kernel'))
    .find((name) => defines.test(readFileSync(join(ROOT, folder, name), 'utf8')));
  return { rule: `${folder}/rule.ts`, kernel: `${folder}/${file ?? 'kernel.ts'}` };
}
