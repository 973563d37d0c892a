/** Errors inside a graph name the place in the user's words, and keep what they say otherwise. */
import { expect, test } from 'vitest';
import { fieldError } from '#lib/values/errors.js';
import { within, withinCopy } from '#lib/graph/error-place.js';

const place = { operator: 'compileGraph', field: 'nodes.sum' };

function messageOf(why: string | undefined, run = within, operator = 'gemm', field = 'aTensor'): string {
  try {
    run(place, () => {
      throw fieldError('ERR_SIZES', { operator, field }, 'sizes [2, 3]', '[3, 2]', { why });
    });
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

const copied = 'an output that is an input, a constant or a view is copied by an elementWiseIdentity';

test('the reason stays, to its last letter', () => {
  const start = 'gemm: nodes.sum.aTensor: expected sizes [2, 3], given [3, 2]';
  expect(messageOf(undefined)).toBe(start);
  expect(messageOf('so it is')).toBe(`${start} (so it is)`);
  expect(messageOf("f(x) (did you mean 'g'?)")).toBe(`${start} (f(x) (did you mean 'g'?))`);
});

test('an operator that the user did not add is that of the place, with a reason of its own', () => {
  const start = 'compileGraph: nodes.sum: expected sizes [2, 3], given [3, 2]';
  expect(messageOf(undefined, withinCopy, 'elementWiseIdentity', 'inputTensor')).toBe(`${start} (${copied})`);
  expect(messageOf('so it is', withinCopy, 'elementWiseIdentity', 'inputTensor')).toBe(`${start} (so it is)`);
  expect(messageOf('so it is', within, 'neither', 'name')).toBe(`${start} (so it is)`);
});
