/** How `node-directml run` prints tensors, times, and where it computed. */
import { describe, expect, it } from 'vitest';
import { elementText, outputJson, tensorText } from '#lib/cli/run/print-tensor.js';
import { medianOf, timeText, whereText } from '#lib/cli/run/where.js';
import type { Output } from '#lib/cli/run/execute.js';

const counting = (sizes: number[], strides: number[] | null = null, count = sizes.reduce((a, b) => a * b)): Output => ({
  ...{ name: 'y', dataType: 'float32', sizes, strides },
  elements: Array.from({ length: count }, (_, i) => i),
});
const linesOf = (sizes: number[]) => tensorText(counting(sizes)).split('\n');

describe('tensors', () => {
  it('have a bracket for each dimension, and lines for all but the last', () => {
    expect(tensorText(counting([2, 2, 2]))).toBe('[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]');
    expect(tensorText(counting([1, 2, 1], [9, 4, 1], 5))).toBe('[[[0],\n  [4]]]');
  });

  it('of 200 elements are shown in full, and larger ones in parts', () => {
    expect(tensorText(counting([200]))).toBe(`[${Array.from({ length: 200 }, (_, i) => String(i).padStart(3)).join(', ')}]`);
    expect(tensorText(counting([201]))).toBe('[  0,   1,   2, ..., 198, 199, 200]');
  });

  it('of more elements show dimensions of up to 7 in full', () => {
    expect(linesOf([7, 30])).toHaveLength(7);
    expect(linesOf([7, 30])[6]).toBe(' [180, 181, 182, ..., 207, 208, 209]]');
    expect(linesOf([8, 26])).toHaveLength(7);
    expect(linesOf([8, 26])[3]).toBe(' ...,');
    expect(linesOf([30, 7])[0]).toBe('[[  0,   1,   2,   3,   4,   5,   6],');
    expect(linesOf([26, 8])[0]).toBe('[[  0,   1,   2, ...,   5,   6,   7],');
  });

  it('are as wide as the widest element that is shown', () => {
    const { elements, ...rest } = counting([201]);
    expect(tensorText({ ...rest, elements: elements.map((i) => (i === 100 ? 1e9 : 1)) })).toBe('[1, 1, 1, ..., 1, 1, 1]');
  });

  it('in JSON have strides only if they are not packed', () => {
    expect(outputJson({ ...counting([2]), dataType: 'int64', elements: [1n, 2n] })).toEqual({
      ...{ dataType: 'int64', sizes: [2] },
      data: ['1n', '2n'],
    });
    expect(outputJson(counting([2], [2], 3))).toEqual({ dataType: 'float32', sizes: [2], strides: [2], data: [0, 1, 2] });
  });
});

it.each([
  ['float16', 65504, '65504'],
  ['float16', 0.00012345, '0.0001234'],
  ['float32', 1 / 3, '0.3333333'],
  ['float64', 1 / 3, '0.3333333333333333'],
  ['float32', 123456789, '123456789'],
  ['float32', -Infinity, '-Infinity'],
  ['float16', NaN, 'NaN'],
  ['int64', 9007199254740993n, '9007199254740993'],
] as const)('an element of %s: %s', (dataType, element, text) => expect(elementText({ dataType }, element)).toBe(text));

it.each([
  [0.0123, '0.012 ms'],
  [9.44, '9.4 ms'],
  [9.96, '10 ms'],
  [12.6, '13 ms'],
  [1234.4, '1234 ms'],
])('a time of %d is %s', (time, text) => expect(timeText(time)).toBe(text));

it.each([
  [[10, 9, 200], 10],
  [[4, 1, 2, 3], 3],
  [[5], 5],
  [[], NaN],
])('the median of %j is %d', (times, median) => expect(medianOf(times)).toBe(median));

it.each([
  [{ backend: 'reference', adapter: null, directmlVersion: null }, 'reference backend'],
  [{ backend: 'directml', adapter: 'GPU', directmlVersion: '1.15.4.0' }, 'DirectML 1.15.4.0, GPU'],
  [{ backend: 'directml', adapter: null, directmlVersion: null }, 'DirectML , '],
])('%j is told as %s', (where, text) => expect(whereText(where)).toBe(text));
