/** Reads the outputs of a descriptor before the operator's rule, and completes those that were drafts after it. */
import type { Place } from '../values/errors.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import type { FieldSchema } from './types.js';
import { OutputDraft, type Drafted, type TensorOrDraft } from './drafted.js';
import type { Fields, ObjectWords } from '../values/input.js';
import { resolvedFrom, valuesOf, type Resolved } from './resolved.js';
import { checkSupport } from './support.js';
import { readTensorFields, resolveTensorFields } from './tensor.js';

/** Reads an output tensor: a draft if a part is missing. `value` is undefined if the descriptor leaves it out. */
export function readOutput(
  value: unknown,
  place: Place,
  schema: FieldSchema,
  featureLevel: FeatureLevel,
  words?: ObjectWords,
): TensorOrDraft {
  const given: Fields = value === undefined ? new Map() : readTensorFields(value, place, undefined, words);
  if (!given.has('dataType') || !given.has('sizes')) return new OutputDraft(given, place, schema, featureLevel);
  const tensor = resolveTensorFields(given, place, 'output', featureLevel);
  checkSupport(tensor, place, schema, featureLevel);
  return tensor;
}

/** The operator with all outputs complete. Call it after the operator's rule. */
export function completeOutputs(operator: Drafted): Resolved {
  const whole: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of Object.entries(valuesOf(operator))) {
    whole[name] = Array.isArray(value) ? Object.freeze(value.map(completed)) : completed(value);
  }
  return resolvedFrom(Object.freeze(whole));
}

function completed(value: unknown): unknown {
  return value instanceof OutputDraft ? value.completed() : value;
}
