/** Checks that related arrays, such as strides, dilations and paddings, have the same length. */
import { fieldError, type Place } from '../values/errors.js';
import type { FieldSchema } from './types.js';
import { readUint } from '../values/input.js';
import { isTensorOrDraft, knownDimensionCount, type DraftedValues } from './drafted.js';

interface Length {
  readonly count: number;
  /** Where the length comes from, such as `as dimensionCount says`. */
  readonly why: string;
}

interface CountedArray {
  readonly name: string;
  readonly length: number;
}

/**
 * The value of a count field: the length of the arrays that it counts. The arrays, and the count if it is given, must agree.
 *
 * @param values The operator's fields; all except counts are resolved.
 * @throws {DirectMLError} ERR_FIELD_COMBINATION that names the first array of another length than expected, or else the count.
 * The expected length is that of the tensor's dimensions if it is known, else the given count, else that of most arrays.
 */
export function resolveCount(schema: FieldSchema, given: unknown, place: Place, values: DraftedValues): number {
  const arrays = (schema.counts ?? []).flatMap((name): CountedArray[] => {
    const value = values[name];
    return Array.isArray(value) ? [{ name, length: value.length }] : [];
  });
  const count = given === undefined ? undefined : readUint(given, place);
  const agreed = count ?? arrays[0]?.length ?? 0;
  if (arrays.every(({ length }) => length === agreed)) return agreed;

  const said = count === undefined ? undefined : { count, why: `as ${schema.name} says` };
  const expected = neededBy(schema, values) ?? said ?? mostCommon(arrays);
  const wrong = arrays.find(({ length }) => length !== expected.count);
  if (wrong === undefined) throw fieldError('ERR_FIELD_COMBINATION', place, `${expected.count}, ${expected.why}`, `${agreed}`);
  const path = place.field.slice(0, place.field.length - schema.name.length) + wrong.name;
  const array = { operator: place.operator, field: path };
  throw fieldError('ERR_FIELD_COMBINATION', array, elements(expected), `${wrong.length}`);
}

/** The expected length in an error about windows over `tensor` [batch, channels, …spatial dimensions]. */
export function onePerSpace(tensor: string, count: number): string {
  return elements({ count, why: whyPerDimension(tensor, true) });
}

function elements({ count, why }: Length): string {
  return `${count} ${count === 1 ? 'element' : 'elements'}, ${why}`;
}

function whyPerDimension(tensor: string, isSpace: boolean): string {
  return `one per dimension of ${tensor}${isSpace ? ' after batch and channels' : ''}`;
}

/** The length inferred from a tensor's dimension count; undefined if there is no tensor, or its sizes are left out. */
function neededBy(schema: FieldSchema, values: DraftedValues): Length | undefined {
  const { perDimensionOf: name, fromDimension = 0 } = schema;
  const tensor = name === undefined ? undefined : values[name];
  if (name === undefined || !isTensorOrDraft(tensor)) return undefined;
  const count = (knownDimensionCount(tensor) ?? 0) - fromDimension;
  return count > 0 ? { count, why: whyPerDimension(name, fromDimension > 0) } : undefined;
}

/** The length that most arrays have; the first one if several are equally common. */
function mostCommon(arrays: readonly CountedArray[]): Length {
  const having = (length: number) => arrays.filter((array) => array.length === length);
  const lengths = arrays.map(({ length }) => length).sort((a, b) => having(b).length - having(a).length);
  const count = lengths[0] ?? 0;
  return {
    count,
    why: `as many as ${having(count)
      .map(({ name }) => name)
      .join(', ')}`,
  };
}
