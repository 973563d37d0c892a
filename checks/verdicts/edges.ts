/**
 * The edges of a valid descriptor: for each number, the largest and the smallest valid value with all other inputs unchanged,
 * and the next invalid one. Outputs are inferred again if possible.
 */
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { isTensor as isResolved, valuesOf } from '#lib/descriptors/resolved.js';
import { fieldsOf, isTensor, repack, type LooseDescriptor } from '../descriptors/candidate.js';
import type { Change } from './changes.js';
import { withOutputs } from './verdict.js';

interface Place {
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  with(value: number): LooseDescriptor;
}

export function edgesOf(descriptor: LooseDescriptor): Change[] {
  return placesOf(descriptor).flatMap((place) => [
    ...edgeOf(place, place.least).map((edge) => ({ what: `least ${place.name}`, descriptor: edge })),
    ...edgeOf(place, place.most).map((edge) => ({ what: `most ${place.name}`, descriptor: edge })),
  ]);
}

/** The descriptor with its outputs inferred again, if possible; null if it is invalid. */
export function withFollowingOutputs(descriptor: LooseDescriptor): LooseDescriptor | null {
  const isValid = (candidate: LooseDescriptor) => resolved(candidate) !== null;
  const whole = resolved(withOutputs(descriptor, ({ dataType }) => ({ dataType })));
  if (whole === null) return isValid(descriptor) ? descriptor : null;
  const following = { ...descriptor };
  for (const { name, role } of fieldsOf(descriptor)) {
    if (role !== 'output') continue;
    const value = valuesOf(whole.descriptor)[name] ?? null;
    if (Array.isArray(value)) following[name] = value.filter(isResolved).map(({ dataType, sizes }) => ({ dataType, sizes }));
    else if (isResolved(value)) following[name] = { dataType: value.dataType, sizes: [...value.sizes] };
  }
  return isValid(following) ? following : null;
}

/** The last valid number towards `limit` and the first invalid one; empty if all are valid. */
function edgeOf({ value, with: withValue }: Place, limit: number): LooseDescriptor[] {
  const validAt = (number: number) => withFollowingOutputs(withValue(number));
  const direction = Math.sign(limit - value);
  let good = value;
  let bad: number | null = null;
  for (let step = 1; bad === null && good !== limit; step *= 2) {
    const next = direction > 0 ? Math.min(limit, value + step) : Math.max(limit, value - step);
    if (validAt(next) === null) bad = next;
    else good = next;
  }
  if (bad === null) return [];
  while (Math.abs(bad - good) > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (validAt(middle) === null) bad = middle;
    else good = middle;
  }
  return [validAt(good), withValue(bad)].filter((edge) => edge !== null);
}

function placesOf(descriptor: LooseDescriptor): Place[] {
  const changed = (change: (copy: LooseDescriptor) => void) => {
    const copy = structuredClone(descriptor);
    change(copy);
    return copy;
  };
  return fieldsOf(descriptor).flatMap(({ name, kind, role, counts }): Place[] => {
    const value = descriptor[name];
    const range = kind.startsWith('int') ? { least: -(2 ** 31), most: 2 ** 31 - 1 } : { least: 0, most: 2 ** 32 - 1 };
    if (typeof value === 'number' && (kind === 'uint' || kind === 'int') && counts === undefined) {
      return [{ name, value, ...range, with: (number) => changed((copy) => (copy[name] = number)) }];
    }
    if (Array.isArray(value) && (kind === 'uintArray' || kind === 'intArray')) {
      const numbers: readonly number[] = value;
      return numbers.map((number, i) => ({
        name,
        value: number,
        ...range,
        with: (other) => changed((copy) => (copy[name] = numbers.with(i, other))),
      }));
    }
    if (!isTensor(value) || role !== 'input') return [];
    return value.sizes.map((size, axis) => ({
      name: `${name}.sizes`,
      value: size,
      least: 1,
      most: 2 ** 16,
      with: (other) =>
        changed((copy) => {
          const tensor = copy[name];
          if (isTensor(tensor)) repack(tensor, tensor.sizes.with(axis, other));
        }),
    }));
  });
}

function resolved(descriptor: object) {
  try {
    return resolveDescriptor(descriptor, '6.4');
  } catch {
    return null;
  }
}
