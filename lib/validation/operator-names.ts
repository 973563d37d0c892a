/** Which operator is meant by a name that is none of DirectML's. */
import { nearNames, questionOf, spelledAlike } from '../near-names.js';
import { otherOperatorNames } from '../schema/generated/other-names.js';
import { operatorTable } from '../schema/generated/table.js';

/** `did you mean 'gemm'?` for `'matmul'`, `'Gemm'` and `'DML_OPERATOR_GEMM'`; undefined where none is near. */
export function operatorMeant(given: unknown): string | undefined {
  return questionOf(operatorsMeant(given));
}

/** The names of operators that such a name may stand for, the most likely first. */
export function operatorsMeant(given: unknown): readonly string[] {
  if (typeof given !== 'string') return [];
  const types = Object.keys(operatorTable);
  const otherNames: Readonly<Record<string, readonly string[]>> = otherOperatorNames();
  const near = nearNames(given, types, otherNames);
  if (near.length > 0) return near;
  // Misspelt, and not one of DirectML's.
  const alike = new Set(spelledAlike(given, Object.values(otherNames).flat()));
  return types.filter((type) => otherNames[type]?.some((name) => alike.has(name)));
}
