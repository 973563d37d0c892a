/** References to values in the descriptor of a graph: a name, or a name and a layout. */
import { at, describe, fieldError, oneOf, type Place } from '../values/errors.js';
import { isArray, readObject } from '../values/input.js';
import { strict, type StrictRule } from '../descriptors/strict.js';
import { within } from './error-place.js';
import type { GraphBuilder } from './graph-builder.js';
import { withoutPrototype } from './read-fields.js';
import type { Value } from './value.js';

const CODE = 'ERR_INVALID_GRAPH';

export interface Reference {
  readonly name: string;
  /** Null if the value is read in its own layout. */
  readonly layout: ReadonlyMap<string, unknown> | null;
  readonly place: Place;
}

const viewFields = ['value', 'sizes', 'strides'];

/** Fields of a tensor that a view does not change, and why. */
const ownFields = new Map<string, readonly [rule: StrictRule, why: string]>([
  ['dataType', ['graph-data-types', 'a node such as cast changes the data type']],
  ['totalTensorSizeInBytes', ['graph-padding', 'a view has the size of its value']],
  ['guaranteedBaseOffsetAlignment', ['graph-alignment', 'a view has the alignment of its value']],
  ['flags', ['graph-owned-inputs', 'constants of the graph are owned by DirectML where it takes them']],
]);

export function readReference(given: unknown, place: Place): Reference {
  if (typeof given === 'string') return { name: given, layout: null, place };
  if (typeof given !== 'object' || given === null || isArray(given, place)) {
    throw fieldError(CODE, place, 'the name of a value, or { value, sizes, strides }', describe(given));
  }
  const read = readObject(given, place, [...viewFields, ...ownFields.keys()]);
  for (const [field, [rule, why]] of ownFields) {
    if (!read.has(field)) continue;
    throw strict(rule, fieldError('ERR_UNKNOWN_FIELD', at(place, field), oneOf(viewFields), `'${field}'`, { why }));
  }
  const name = read.get('value');
  if (typeof name !== 'string') throw fieldError(CODE, at(place, 'value'), 'the name of a value', describe(name));
  const layout = new Map([...read].filter(([field]) => field !== 'value'));
  return { name, layout: layout.size === 0 ? null : layout, place };
}

/** The value, or a view of it. */
export function valueFor(builder: GraphBuilder, { name, layout, place }: Reference): Value {
  const value = builder.valueOf(name);
  if (value === undefined) throw builder.unknownValue(name, place);
  return layout === null ? value : within(place, () => value.view(withoutPrototype(layout)));
}
