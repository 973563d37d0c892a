/** Finds the operator that a name from another library means. */
import { describe, fieldError, type DirectMLError, type Place } from '../values/errors.js';
import { nearNames, questionOf, spelledAlike } from '../values/near-names.js';
import { otherOperatorNames } from './generated/other-names.js';
import { operatorTable } from './generated/table.js';

/** Longer names are not looked up. */
const maxNameLength = 80;

/** Methods of tensors and values that replace operators of other libraries, by the names of those operators. */
const views: ReadonlyMap<string, string> = new Map([
  ...['reshape', 'view', 'flatten', 'squeeze', 'unsqueeze', 'expanddims'].map((name) => [name, 'reshape(sizes)'] as const),
  ...['transpose', 'permute', 'swapaxes'].map((name) => [name, 'transpose(axes)'] as const),
  ...['expand', 'broadcast', 'broadcastto'].map((name) => [name, 'broadcastTo(sizes)'] as const),
]);

/** The error for a `type` that is no operator's. Its operator is the method that was called. */
export function unknownOperator(given: unknown, place: Place): DirectMLError {
  const why = viewMeant(given, place.operator) ?? questionOf(operatorsMeant(given));
  return fieldError('ERR_UNKNOWN_OPERATOR', place, `an operator's type, such as 'scatterNd'`, describe(given), { why });
}

/** `tensor.reshape(sizes) does it without an operator` for `'flatten'`; undefined for other names. */
function viewMeant(given: unknown, method: string): string | undefined {
  if (typeof given !== 'string' || given.length > maxNameLength) return undefined;
  const name = given
    .slice(given.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll('_', '');
  const call = views.get(name);
  if (call === undefined) return undefined;
  const written = method === 'compileGraph' ? 'a reference { value, sizes, strides }' : null;
  return `${written ?? `${method.startsWith('graph.') ? 'value' : 'tensor'}.${call}`} does it without an operator`;
}

/** The operators that a name may mean, such as `'matmul'` or `'DML_OPERATOR_GEMM'` for gemm; the most likely first. */
export function operatorsMeant(given: unknown): readonly string[] {
  if (typeof given !== 'string') return [];
  const types = Object.keys(operatorTable);
  const otherNames: Readonly<Record<string, readonly string[]>> = otherOperatorNames();
  const near = nearNames(given, types, otherNames);
  if (near.length > 0) return near;
  // A misspelt name from another library.
  const alike = new Set(spelledAlike(given, Object.values(otherNames).flat()));
  return types.filter((type) => otherNames[type]?.some((name) => alike.has(name)));
}
