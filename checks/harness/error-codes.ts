/** Reads the error codes from a file of declarations. These are the contract, so the checks do not repeat them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './children.js';

/** The error codes in a file below the root, such as `binding.d.ts`. */
export function errorCodesIn(file: string): ReadonlySet<unknown> {
  return new Set(readFileSync(join(ROOT, file), 'utf8').match(/\bERR_\w+/g));
}
