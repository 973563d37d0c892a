/** Which operator is meant by a name that is none of DirectML's. */
import { nearNames, questionOf, spelledAlike } from '../near-names.js';
import { otherOperatorNames } from '../schema/generated/other-names.js';
import { operatorTable } from '../schema/generated/table.js';

/** `did you mean 'gemm'?` for `'matmul'`, `'Gemm'` and `'DML_OPERATOR_GEMM'`; undefined where none is near. */
export function operatorMeant(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const types = Object.keys(operatorTable);
  const otherNames: Readonly<Record<string, readonly string[]>> = otherOperatorNames();
  const near = nearNames(given, types, otherNames);
  if (near.length > 0) return questionOf(near);
  // Misspelt, and not one of DirectML's.
  const alike = new Set(spelledAlike(given, Object.values(otherNames).flat()));
  return questionOf(types.filter((type) => otherNames[type]?.some((name) => alike.has(name))));
}
