/** Gradients of running sums and products. */
import { along, padded, type Expression, type GradientRules, type Operations } from '../../descriptors/gradient.js';

const opposite = { increasing: 'decreasing', decreasing: 'increasing' } as const;

/** Each element is the one that comes `distance` after it in the direction of the scan; the last ones are 0. */
function following(value: Expression, axis: number, distance: number, isIncreasing: boolean, o: Operations): Expression {
  const size = (value.sizes[axis] ?? 1) - distance;
  if (size <= 0) return o.zeros(value);
  const rest = along(value, axis, isIncreasing ? distance : 0, size, o);
  return isIncreasing ? padded(rest, axis, 0, distance, o) : padded(rest, axis, distance, 0, o);
}

export const gradients: GradientRules<'cumulativeSummation' | 'cumulativeProduct'> = {
  cumulativeSummation: ({ axis, axisDirection, hasExclusiveSum }, g, o) => ({
    inputTensor: () => o.cumulativeSummation(g, { axis, axisDirection: opposite[axisDirection], hasExclusiveSum }),
  }),
  // The product of all before, times the sum over all that follow of their gradients and of the factors between. That sum is
  // sum[i] = rest[i] + factor[i] * sum[i + 1], solved for distances that double. So zeros do no harm.
  cumulativeProduct: ({ inputTensor: x, axis, axisDirection, hasExclusiveProduct }, g, o) => ({
    inputTensor: () => {
      const next = (value: Expression, distance: number) => following(value, axis, distance, axisDirection === 'increasing', o);
      let factor = next(x, 1);
      let sum = hasExclusiveProduct ? next(g, 1) : g;
      for (let distance = 1; distance < (x.sizes[axis] ?? 1); distance *= 2) {
        sum = o.add(sum, o.multiply(factor, next(sum, distance)));
        factor = o.multiply(factor, next(factor, distance));
      }
      return o.multiply(o.cumulativeProduct(x, { axis, axisDirection, hasExclusiveProduct: true }), sum);
    },
  }),
};
