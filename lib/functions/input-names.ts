/** Errors of a node name the tensors that the program has named, such as the weights of one of many layers. */
import { DirectMLError, shorten } from '../values/errors.js';
import { fromProgram } from '../api/call-site.js';
import { Tensor } from '../api/memory/tensor.js';
import { sourceOf, Value } from '../graph/value.js';
import type { Form } from './form.js';

/** The error with `(bTensor is 'layers.3.weight')` in its message. `given` are the inputs of the form. */
export function namingInputs(error: unknown, { inputs }: Form, given: readonly unknown[]): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const names = inputs.flatMap((field, i) => {
    const name = nameOf(given[i]);
    return name === '' ? [] : [`${field} is '${shorten(name)}'`];
  });
  return names.length === 0 ? error : fromProgram(error, `${error.message} (${names.join(', ')})`);
}

/** The label of a tensor, or the name of an input; `''` without one, and for the result of a node. */
function nameOf(value: unknown): string {
  if (Tensor.is(value)) return value.label;
  if (!Value.is(value) || sourceOf(value).node !== null) return '';
  return /^constant_\d+$/.test(value.name) ? '' : value.name;
}
