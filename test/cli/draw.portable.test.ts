/** `run --draw`: tensors as blocks. */
import { describe, expect, it } from 'vitest';
import { drawing } from '#lib/cli/run/draw.js';
import type { Output } from '#lib/cli/run/execute.js';

const output = (sizes: number[], elements: number[], strides: number[] | null = null): Output => ({
  name: 'outputTensor',
  dataType: 'float32',
  sizes,
  strides,
  elements,
});
const plain = { width: 20, hasColors: false };

describe('without colours', () => {
  it('draws an element as two characters, and says what they mean', () => {
    expect(drawing(output([2, 3], [0, 1, 2, 3, 4, 2]), plain)).toBe('  ░░▒▒\n▓▓██▒▒\ndark 0, bright 4');
  });

  it('follows strides, and marks elements that are not finite', () => {
    expect(drawing(output([2, 2], [0, NaN, 9, 9, 4, 2], [1, 4]), plain)).toBe('  ██\n!!▒▒\ndark 0, bright 4');
  });

  it('draws a row, one number, and nothing that is finite', () => {
    expect(drawing(output([3], [0, 2, 4]), plain)).toBe('  ▒▒██\ndark 0, bright 4');
    expect(drawing(output([1, 1], [7]), plain)).toBe('▒▒\ndark 7, bright 7');
    expect(drawing(output([1], [Infinity]), plain)).toBe('no finite element');
  });

  it('draws the first slices of a tensor, and means of what is too wide', () => {
    const slices = drawing(output([2, 3, 1, 1], [0, 1, 2, 3, 4, 5]), plain);
    expect(slices).toBe('  \n\n▒▒\n\n▓▓\n\n██\ndark 0, bright 3, 2 further slices not drawn'.replace('▒▒', '░░'));
    const wide = drawing(
      output(
        [1, 20],
        Array.from({ length: 20 }, (_, i) => i),
      ),
      plain,
    );
    expect(wide).toMatch(/^.{20}\ndark 0\.5, bright 18\.5$/);
  });
});

it('draws two rows in a line with colours', () => {
  const text = drawing(output([3, 1], [0, 1, NaN]), { width: 80, hasColors: true });
  expect(text).toBe('\x1b[38;5;232m\x1b[48;5;255m▀\x1b[0m\n\x1b[38;5;196m▀\x1b[0m\ndark 0, bright 1');
});

const counting = (count: number) => Array.from({ length: count }, (_, i) => i);
const linesOf = (sizes: number[], width = 20) =>
  drawing(output(sizes, counting(sizes.reduce((a, b) => a * b))), { width, hasColors: false }).split('\n');

describe('what is too large', () => {
  it('is drawn in full up to 64 rows', () => {
    expect(linesOf([64, 1])).toHaveLength(65);
    expect(linesOf([64, 1]).at(-1)).toBe('dark 0, bright 63');
  });

  it('is drawn as means of squares, which are smaller at the ends', () => {
    // 33 rows of 2 columns. The last row has one row, and the last column one column.
    const lines = linesOf([65, 3]);
    expect(lines).toHaveLength(34);
    for (const line of lines.slice(0, -1)) expect(line).toHaveLength(4);
    // (0 + 1 + 3 + 4) / 4, and the last element.
    expect(lines.at(-1)).toBe('dark 2, bright 194');
  });

  it('has as many columns as the terminal, or half as many without colours', () => {
    expect(linesOf([1, 10], 21)[0]).toHaveLength(20);
    expect(linesOf([1, 11], 21)[0]).toHaveLength(12);
    const colored = drawing(output([1, 20], counting(20)), { width: 20, hasColors: true });
    expect(colored.split('▀')).toHaveLength(21);
    expect(drawing(output([1, 21], counting(21)), { width: 20, hasColors: true }).split('▀')).toHaveLength(12);
  });

  it('is drawn in 4 slices', () => {
    const scaleOf = (slices: number) => linesOf([slices, 1, 1]).slice(1).at(-1);
    expect(scaleOf(4)).toBe('dark 0, bright 3');
    expect(scaleOf(5)).toBe('dark 0, bright 3, 1 further slice not drawn');
  });
});

it('draws the slices of several dimensions in their order, by their strides', () => {
  // The slices begin at elements 0, 1, 4 and 5, and their columns are 2 apart.
  const { elements, ...rest } = output([2, 2, 1, 2], [0, 1, 2, 3, 4, 5, 6, 8], [4, 1, 0, 2]);
  expect(drawing({ ...rest, elements }, plain)).toBe('  ▒▒\n\n░░▒▒\n\n▒▒▓▓\n\n▓▓██\ndark 0, bright 8'.replace('▒▒', '░░'));
});

it('draws a row by its strides, and 64-bit integers', () => {
  expect(drawing(output([3], [0, 9, 1, 9, 2], [2]), plain)).toBe('  ▒▒██\ndark 0, bright 2');
  expect(drawing({ ...output([2], []), dataType: 'int64', elements: [0n, 5n] }, plain)).toBe('  ██\ndark 0, bright 5');
});

it('has 24 greys with colours', () => {
  const text = drawing(output([1, 3], [0, 1, 2]), { width: 80, hasColors: true });
  expect(text).toBe('\x1b[38;5;232m▀\x1b[38;5;244m▀\x1b[38;5;255m▀\x1b[0m\ndark 0, bright 2');
});

it('shows the ends of the scale in the digits of the data type', () => {
  const third = output([2], [1 / 3, Infinity]);
  expect(drawing(third, plain)).toBe('▒▒!!\ndark 0.3333333, bright 0.3333333');
});
