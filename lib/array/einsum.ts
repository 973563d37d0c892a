/** `einsum`: sums of products of arrays, whose dimensions are letters. */
import { elementWiseIdentity as identity } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { argumentError } from '../values/arguments.js';
import { fieldError, list, type DirectMLError } from '../values/errors.js';
import { contracted, ordered, summed, type Labelled } from './contraction.js';
import { define, several } from './define.js';
import { alike } from './operands.js';
import { packed } from './values.js';
import type { Input, Output, TypeOf } from './types.js';

/**
 * Einstein's summation, as in NumPy: `einsum('ij,jk->ik', a, b)` multiplies matrices. Each letter is a dimension; one that is not
 * behind the arrow is summed over; one that is there twice in a part takes the diagonal. `...` stands for other dimensions. Without
 * an arrow, the letters that are there once are kept, in the order of the alphabet. Arrays are multiplied from left to right.
 */
export const einsum = define(
  'einsum',
  (subscripts: unknown, ...arrays: readonly unknown[]) => {
    const values = alike('einsum', arrays);
    const { inputs, output } = parsed(subscripts, values);
    requireEqual(inputs, values);
    const [first, ...others] = values.map((value, i) => withoutRepeats(value, inputs[i] ?? []));
    if (first === undefined) throw argumentError('einsum', 'arrays', 'tensors', arrays);
    const result = others.reduce((product, next, i) => {
      const later = others.slice(i + 1).flatMap(({ labels }) => labels);
      return contracted(product, next, [...output, ...later]);
    }, first);
    const { value, labels } = summed(result, output);
    const made = output.length === 0 ? value : ordered({ value, labels }, output);
    return made === values[0] || made.strides !== null ? identity(made as Value<'float32'>) : made;
  },
  several,
) as <A extends readonly Input[]>(subscripts: string, ...arrays: A) => Output<A, TypeOf<A[number]>>;

function parsed(subscripts: unknown, values: readonly Value[]) {
  const wrong = (expected: string) => argumentError('einsum', 'subscripts', expected, subscripts);
  if (typeof subscripts !== 'string') throw wrong("a text such as 'ij,jk->ik'");
  const [left = '', right, ...more] = subscripts.replaceAll(' ', '').split('->');
  const terms = left.split(',');
  const isTerm = (term: string) => /^[A-Za-z]*(\.\.\.)?[A-Za-z]*$/.test(term);
  if (more.length > 0 || ![...terms, right ?? ''].every(isTerm)) throw wrong("letters, '...', commas, and one arrow");
  if (terms.length !== values.length) throw wrong(`${values.length} parts, as many as arrays`);
  const inputs = terms.map((term, i) => labelsOf(term, values[i]?.sizes ?? [], i));
  const all = inputs.flat();
  const dots = [...new Set(all.filter((label) => label.length > 1))].sort((a, b) => Number(b.slice(3)) - Number(a.slice(3)));
  if (right === undefined) {
    const once = [...new Set(all)].filter((label) => label.length === 1 && all.indexOf(label) === all.lastIndexOf(label));
    return { inputs, output: [...dots, ...once.sort()] };
  }
  const at = right.indexOf('...');
  const letters = lettersOf(right);
  if (new Set(letters).size !== letters.length || !letters.every((letter) => all.includes(letter))) {
    throw wrong('letters of the arrays behind the arrow, each once');
  }
  if (at < 0 && dots.length > 0) throw wrong("'...' behind the arrow, too");
  return { inputs, output: at < 0 ? letters : [...letters.slice(0, at), ...dots, ...letters.slice(at)] };
}

const lettersOf = (term: string): readonly string[] => term.match(/[A-Za-z]/g) ?? [];

/** A label for each dimension. Those of `...` are counted from the last one on. */
function labelsOf(term: string, sizes: readonly number[], i: number): readonly string[] {
  const at = term.indexOf('...');
  const letters = lettersOf(term);
  const others = sizes.length - letters.length;
  if (others < 0 || (at < 0 && others > 0)) {
    const expected = `${at < 0 ? '' : 'at least '}${letters.length} dimensions, as '${term}' has`;
    throw fieldError('ERR_DIMENSION_COUNT', { operator: 'einsum', field: `arrays[${i}]` }, expected, `${sizes.length}`);
  }
  const dots = Array.from({ length: others }, (_, axis) => `...${others - 1 - axis}`);
  return at < 0 ? letters : [...letters.slice(0, at), ...dots, ...letters.slice(at)];
}

/** A letter has the same size in all arrays, unless one of them has 1. */
function requireEqual(inputs: readonly (readonly string[])[], values: readonly Value[]): void {
  for (const label of new Set(inputs.flat())) {
    const sizes = inputs.flatMap((labels, i) => values[i]?.sizes.filter((_, axis) => labels[axis] === label) ?? []);
    if (new Set(sizes.filter((size) => size !== 1)).size > 1) throw unequal(label, sizes);
  }
}

function unequal(label: string, sizes: readonly number[]): DirectMLError {
  const expected = `equal sizes for each '${label.length > 1 ? '...' : label}'`;
  return fieldError('ERR_SIZES', { operator: 'einsum', field: 'subscripts' }, expected, list(sizes));
}

/** Dimensions with the same letter become one, the diagonal: its stride is the sum of theirs. */
function withoutRepeats(value: Value, labels: readonly string[]): Labelled {
  const different = [...new Set(labels)];
  if (different.length === labels.length) return { value, labels };
  const whole = packed(value);
  const steps = whole.sizes.map((_, axis) => whole.sizes.slice(axis + 1).reduce((product, size) => product * size, 1));
  const axesOf = (label: string) => [...labels.keys()].filter((axis) => labels[axis] === label);
  const sizes = different.map((label) => {
    const own = axesOf(label).map((axis) => whole.sizes[axis] ?? 1);
    if (new Set(own).size === 1) return own[0] ?? 1;
    throw unequal(label, own);
  });
  const strides = different.map((label) => axesOf(label).reduce((sum, axis) => sum + (steps[axis] ?? 0), 0));
  return { value: whole.view({ sizes, strides }), labels: different };
}
