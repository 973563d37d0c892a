/** The field `axes`: the dimensions that an operator works along, counted from 0. */
import { list } from '../values/errors.js';
import { needSizes, type TensorOrDraft } from './drafted.js';
import { strict } from './strict.js';
import { refuse, type Typed } from './rule.js';

/** Each of the axes is a dimension of the tensor. */
export function axesFit(operator: Typed, axes: readonly number[], tensor: TensorOrDraft, field = 'axes'): void {
  const { length } = needSizes(tensor);
  const i = axes.findIndex((axis) => axis >= length);
  if (i < 0) return;
  throw refuse(operator, 'ERR_OUT_OF_RANGE', `${field}[${i}]`, `0 to ${length - 1}`, `${axes[i]}`);
}

/** Call last: errors that DirectML also reports come before rules of our own. */
export function eachAxisOnce(operator: Typed, axes: readonly number[], field = 'axes'): void {
  const i = axes.findIndex((axis, position) => axes.indexOf(axis) !== position);
  if (i < 0) return;
  throw strict('repeated-axes', refuse(operator, 'ERR_FIELD_COMBINATION', `${field}[${i}]`, 'each axis once', list(axes)));
}
