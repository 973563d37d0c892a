/** A descriptor with nothing left out, as plain data. */
import type { OperatorType } from '../schema/generated/descriptors.js';
import { isActivation, resolvedFrom, valuesOf, type Resolved, type ResolvedActivation } from '../validation/resolved.js';

/**
 * The descriptor of any operator, or of those that are named, with every field: outputs and counts are filled in, what is
 * optional and was left out is null.
 */
export type ResolvedDescriptor<Type extends OperatorType = OperatorType> = Resolved<Type>;

/** As users get it: its objects are ordinary ones. */
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
