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
