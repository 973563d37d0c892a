/** Tensors with large gaps: which elements are read together, and where they lie then. */
import { expect, test } from 'vitest';
import { farRows } from '#lib/api/memory/far-rows.js';

const mebi = 2 ** 20;
/** As many floats as are 1 MiB. */
const far = mebi / 4;
const floats = (sizes: number[], strides: number[] | null) => farRows({ dataType: 'float32', sizes, strides });
const startsOf = (rows: ReturnType<typeof farRows>) => rows?.starts.map(({ from, to }) => [from, to]);

test('rows that lie 1 MiB apart are read one by one', () => {
  const rows = floats([3, 4], [4 + far, 1]);
  expect(rows).toMatchObject({ sizeInBytes: 48, rowInBytes: 16, strides: [4, 1] });
  expect(startsOf(rows)).toEqual([0, 1, 2].map((i) => [i * (16 + mebi), 16 * i]));
});

test.each<[string, number[], number[] | null]>([
  ['is packed', [3, 4], null],
  ['has smaller gaps', [3, 4], [3 + far, 1]],
  ['has one element in the dimension with gaps', [1, 4], [10 * far, 1]],
  ['is one element in all places', [4, 4], [0, 0]],
  ['grows by small gaps to more than 1 MiB', [4, 2, 2], [far, far / 2, far / 4]],
])('a tensor is read as a whole if it %s', (_, sizes, strides) => expect(floats(sizes, strides)).toBeNull());

test('the order of the dimensions makes no difference', () => {
  const rows = floats([4, 3], [1, 2 * far]);
  expect(rows).toMatchObject({ sizeInBytes: 48, rowInBytes: 16, strides: [1, 4] });
  expect(startsOf(rows)).toEqual([0, 1, 2].map((i) => [2 * mebi * i, 16 * i]));
});

test('rows have the small gaps between their elements, also of elements that repeat', () => {
  const rows = farRows({ dataType: 'float16', sizes: [2, 3, 5, 2], strides: [4 * far, 10, 0, 4] });
  expect(rows).toMatchObject({ sizeInBytes: 2 * 2 * 25, rowInBytes: 2 * 25, strides: [25, 10, 0, 4] });
  expect(startsOf(rows)).toEqual([
    [0, 0],
    [2 * mebi, 50],
  ]);
});

test('several dimensions may have large gaps', () => {
  const rows = floats([2, 3, 2], [16 * far, 2 * far, 1]);
  expect(rows).toMatchObject({ sizeInBytes: 48, rowInBytes: 8, strides: [6, 2, 1] });
  expect(startsOf(rows)).toEqual([0, 2, 4, 16, 18, 20].map((start, i) => [start * mebi, 8 * i]));
});

test('elements of half a byte have no address of their own', () => {
  expect(farRows({ dataType: 'uint4', sizes: [2, 2], strides: [16 * mebi, 1] })).toBeNull();
});
