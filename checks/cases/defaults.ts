/** Removes fields that have a default from descriptors. */
import type { OperatorDescriptor } from 'node-directml';
import { DirectMLError } from '#lib/values/errors.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { OperatorType } from '#lib/descriptors/generated/descriptors.js';
import { isOperatorType, resolveByTable } from '#lib/operators/resolve.js';
import { valuesOf } from '#lib/descriptors/resolved.js';
import { writeJson } from './case.js';

type Typed = Readonly<Record<string, unknown>> & { readonly type: OperatorType };

/** The names of the fields of an operator that have a default. */
export function defaultedFields(type: OperatorType): readonly string[] {
  return operatorTable[type].fields.filter((field) => field.default !== undefined).map(({ name }) => name);
}

/** The descriptor without the named fields and without counts, which follow from arrays. */
export function without(descriptor: Typed, names: ReadonlySet<string>): Typed {
  const counts = operatorTable[descriptor.type].fields.filter((field) => field.counts !== undefined).map(({ name }) => name);
  const kept = Object.entries(descriptor).filter(([name]) => !names.has(name) && !counts.includes(name));
  return { ...Object.fromEntries(kept), type: descriptor.type };
}

/** The descriptor without the fields whose value is their default. */
export function withoutEqualDefaults(given: OperatorDescriptor): OperatorDescriptor {
  const descriptor: Typed = { ...given };
  const whole = valuesOf(resolveByTable(descriptor, '6.4'));
  const names = new Set(defaultedFields(descriptor.type));
  for (;;) {
    const short = without(descriptor, names);
    try {
      const filled = valuesOf(resolveByTable(short, '6.4'));
      const differing = [...names].filter((name) => writeJson(filled[name]) !== writeJson(whole[name]));
      if (differing.length === 0) {
        if (isDescriptor(short)) return short;
        throw new TypeError('not a descriptor');
      }
      for (const name of differing) names.delete(name);
    } catch (error) {
      // The other fields do not determine this default, so the field has to stay.
      const field = error instanceof DirectMLError ? error.field : undefined;
      if (field === undefined || !names.delete(field)) throw error;
    }
  }
}

/** Checks only the type: apart from fields with a default, `value` has the fields of a valid descriptor. */
function isDescriptor(value: object): value is OperatorDescriptor {
  return 'type' in value && isOperatorType(value.type);
}
