/** The field `axes`: the dimensions that an operator works along. */
import { list } from '../input.js';
import { strict } from '../strict.js';
import { refuse, tensorField, type ResolvedOperator } from './rule.js';

/** The axes, each of which is a dimension of the tensor. */
export function axesOf(operator: ResolvedOperator, name: string, field = 'axes'): readonly number[] {
  const { length } = tensorField(operator, name).sizes;
  const axes = operator.fields['axes'];
  if (!Array.isArray(axes)) throw new TypeError(`${operator.type}.axes is no array`);
  return axes.map((axis: unknown, i) => {
    if (typeof axis === 'number' && axis < length) return axis;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `${field}[${i}]`, `0 to ${length - 1}`, String(axis));
  });
}

/** To be called last, for what DirectML refuses as well is no matter of taste. */
export function eachAxisOnce(operator: ResolvedOperator, axes: readonly number[], field = 'axes'): void {
  const i = axes.findIndex((axis, position) => axes.indexOf(axis) !== position);
  if (i < 0) return;
  throw strict(
    'repeated-axes',
    refuse(operator, 'ERR_FIELD_COMBINATION', `${field}[${i}]`, 'each axis once', list(axes)),
  );
}
