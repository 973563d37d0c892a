/** `run --compare`: how the outputs of two backends are compared. */
import { describe, expect, it } from 'vitest';
import { readArguments } from '#lib/cli/command.js';
import { run } from '#lib/cli/commands/run.js';
import { compareOutputs, toleranceOf } from '#lib/cli/run/compare.js';
import type { Output } from '#lib/cli/run/execute.js';

const output = (dataType: Output['dataType'], elements: Output['elements'], more: Partial<Output> = {}): Output => ({
  ...{ name: 'y', dataType, sizes: [elements.length], strides: null },
  elements,
  ...more,
});

const compare = (dataType: Output['dataType'], expected: Output['elements'], given: Output['elements'], tolerance?: number) =>
  compareOutputs([output(dataType, expected)], [output(dataType, given)], tolerance)[0];

const same = { name: 'y', worst: null, largest: 0, isNear: true };

describe('equal outputs', () => {
  it.each<[Output['dataType'], Output['elements'], number]>([
    ['float64', [1, -Infinity, NaN, 0], 1e-4],
    ['float32', [Infinity], 1e-4],
    ['float16', [NaN, NaN], 1e-2],
    ['int32', [1, 2], 0],
    ['uint64', [1n, 2n, 0n], 0],
  ])('of %s', (dataType, elements, tolerance) => {
    const { length } = elements;
    expect(compare(dataType, elements, elements)).toEqual({ ...same, count: length, equal: length, tolerance });
  });
});

describe('the largest difference', () => {
  it.each<[string, Output['elements'], Output['elements'], object]>([
    ['is relative to the largest magnitude', [1, -4, 2], [1, -4, 3], { equal: 2, largest: 0.25, element: 2 }],
    ['may be the first of several', [2, 2, 2], [3, 1, 2], { equal: 1, largest: 0.5, element: 0 }],
    ['may be a later one', [2, 2, 2], [3, 4, 2], { equal: 1, largest: 1, element: 1 }],
    ['leaves infinite magnitudes out', [Infinity, 2], [Infinity, 3], { equal: 1, largest: 0.5, element: 1 }],
    ['is absolute where all are zero', [0, 0], [0, 0.5], { equal: 1, largest: 0.5, element: 1 }],
    ['is infinite from a number to NaN', [NaN, 1], [2, 1], { equal: 1, largest: Infinity, element: 0 }],
    ['is infinite from NaN to a number', [3, 1], [NaN, NaN], { equal: 0, largest: Infinity, element: 0 }],
    ['is infinite between infinities', [-Infinity, 5], [Infinity, 5], { equal: 1, largest: Infinity, element: 0 }],
  ])('%s', (_, expected, given, found) => {
    const { element, ...more } = { element: 0, ...found };
    expect(compare('float32', expected, given)).toEqual({
      ...{ name: 'y', count: expected.length, tolerance: 1e-4, isNear: false },
      ...more,
      worst: { element, expected: expected[element], given: given[element] },
    });
  });

  it('of 64-bit integers is infinite, however small it is', () => {
    const worst = { element: 1, expected: 6n, given: 7n };
    const found = { count: 2, equal: 1, largest: Infinity, tolerance: 0, worst, isNear: false };
    expect(compare('int64', [5n, 6n], [5n, 7n], 1)).toEqual({ name: 'y', ...found });
  });

  it('of other integers may be nothing, whatever tolerance is given', () => {
    expect(compare('uint8', [4, 2], [4, 3], 1)).toMatchObject({ largest: 0.25, tolerance: 0, isNear: false });
  });

  it('may be as large as the tolerance', () => {
    expect(compare('float32', [4], [5], 0.25)).toMatchObject({ equal: 0, tolerance: 0.25, isNear: true });
    expect(compare('float32', [4], [5], 0.24)).toMatchObject({ tolerance: 0.24, isNear: false });
  });
});

describe('outputs', () => {
  it('are compared by their names', () => {
    const [y, z] = [output('float32', [1]), output('float32', [2], { name: 'z' })];
    expect(compareOutputs([y, z], [z, y])).toEqual([
      { ...same, count: 1, equal: 1, tolerance: 1e-4 },
      { ...same, name: 'z', count: 1, equal: 1, tolerance: 1e-4 },
    ]);
  });

  it.each<[string, Output, Output[]]>([
    ['that are missing', output('float32', [1, 2]), []],
    ['of other sizes', output('float32', [1, 2]), [output('float32', [1, 2], { sizes: [2, 1] })]],
    ['of 64-bit integers and other sizes', output('int64', [1n, 2n]), [output('int64', [1n])]],
  ])('%s are not near, and have no worst element', (_, expected, given) => {
    const [found] = compareOutputs([expected], given, 1e9);
    expect(found).toMatchObject({ count: 2, equal: 0, largest: Infinity, worst: null, isNear: false });
  });
});

describe('--tolerance', () => {
  const read = (...args: string[]) => toleranceOf(readArguments(run, args));

  it.each([
    ['0', 0],
    ['1e-3', 1e-3],
    ['Infinity', Infinity],
  ])('%s', (text, tolerance) => expect(read('--compare', '--tolerance', text)).toBe(tolerance));

  it('has no default of its own', () => expect(read('--compare')).toBeUndefined());

  it.each([
    [['--tolerance', '1'], '--tolerance needs --compare'],
    [['--compare', '--tolerance', '-1'], "--tolerance is a number of at least 0, not '-1'"],
    [['--compare', '--tolerance', 'NaN'], "--tolerance is a number of at least 0, not 'NaN'"],
  ])('%j is wrong', (args, message) => expect(() => read(...args)).toThrow(new Error(message)));
});
