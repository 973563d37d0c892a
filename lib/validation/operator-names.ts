/** Which operator is meant by a name that is none of DirectML's. */
import { describe, fieldError, type DirectMLError, type Place } from '../errors.js';
import { nearNames, questionOf, spelledAlike } from '../near-names.js';
import { otherOperatorNames } from '../schema/generated/other-names.js';
import { operatorTable } from '../schema/generated/table.js';

/** A longer name is none of these. */
const maxNameLength = 80;

/** Methods of tensors and values, by the names that operators have elsewhere which DirectML needs no operator for. */
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

/** The operators that a name may stand for, such as `'matmul'` or `'DML_OPERATOR_GEMM'` for gemm; the most likely first. */
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
