/** Complete descriptors as plain data. */
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { isActivation, resolvedFrom, valuesOf, type Resolved, type ResolvedActivation } from '../../descriptors/resolved.js';

/**
 * A complete descriptor of an operator of these types. Outputs, counts and default values are filled in. An optional field
 * that was left out is null.
 */
export type ResolvedDescriptor<Type extends OperatorType = OperatorType> = Resolved<Type>;

/** Returns the descriptor for users: its objects have the ordinary prototype, and are frozen. */
export function descriptorOf(operator: Resolved): ResolvedDescriptor {
  return resolvedFrom(plain(operator));
}

function plain(operator: Resolved | ResolvedActivation): Readonly<Record<string, unknown>> {
  const entries = Object.entries(valuesOf(operator)).map(([name, value]): [string, unknown] => [name, plainValue(value)]);
  return Object.freeze(Object.fromEntries<unknown>(entries));
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value))
    return Object.freeze(value.map((element: unknown) => (isActivation(element) ? plain(element) : element)));
  return isActivation(value) ? plain(value) : value;
}
