/**
 * Draws tensors for `node-directml run --draw`: an element is a block, the darker the smaller. The last two dimensions are rows and
 * columns. With colours, a character shows two rows; without them, two characters show an element. Of a matrix that is too large,
 * blocks show the means of several elements.
 */
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { counted } from '../layout.js';
import type { Terminal } from '../terminal.js';
import type { Output } from './execute.js';
import { elementText } from './print-tensor.js';

/** Of the matrices of a tensor, so many are drawn. */
const mostMatrices = 4;
const mostRows = 64;
const shades = [' ', '░', '▒', '▓', '█'];
/** The greys of a terminal's 256 colours. */
const [darkest, brightest] = [232, 255];
/** For means that are not finite. */
const [red, notFinite] = [196, '!'];

/** Rows of numbers. */
type Matrix = readonly (readonly number[])[];

export function drawing(output: Output, { width, hasColors }: Pick<Terminal, 'width' | 'hasColors'>): string {
  const columns = hasColors ? width : Math.floor(width / 2);
  const matrices = matricesOf(output).map((matrix) => reduced(matrix, mostRows, columns));
  const finite = matrices.flat(2).filter(Number.isFinite);
  if (finite.length === 0) return 'no finite element';
  const least = finite.reduce((a, b) => Math.min(a, b));
  const most = finite.reduce((a, b) => Math.max(a, b));
  /** From 0 to 1. */
  const level = (value: number) => (most > least || !Number.isFinite(value) ? (value - least) / (most - least) : 0.5);
  const draw = hasColors ? inColors : inShades;
  const drawn = matrices.map((matrix) => draw(matrix.map((row) => row.map(level))));
  const rest = productOf(output.sizes.slice(0, -2)) - matrices.length;
  const scale = `dark ${elementText(output, least)}, bright ${elementText(output, most)}`;
  return `${drawn.join('\n\n')}\n${scale}${rest > 0 ? `, ${counted(rest, 'further slice')} not drawn` : ''}`;
}

/** The first matrices. A tensor of one dimension is a row. */
function matricesOf({ sizes, strides, elements }: Output): Matrix[] {
  const steps = strides ?? packedStrides(sizes);
  const [rows = 1, columns = 1] = sizes.length === 1 ? [1, ...sizes] : sizes.slice(-2);
  const [rowStep = 0, columnStep = 0] = sizes.length === 1 ? [0, ...steps] : steps.slice(-2);
  const outer = packedStrides(sizes.slice(0, -2));
  const count = Math.min(productOf(sizes.slice(0, -2)), mostMatrices);
  return Array.from({ length: count }, (_, number) => {
    const start = outer.reduce(
      (sum, step, axis) => sum + (Math.floor(number / step) % (sizes[axis] ?? 1)) * (steps[axis] ?? 0),
      0,
    );
    const at = (row: number, column: number) => Number(elements[start + row * rowStep + column * columnStep] ?? NaN);
    return Array.from({ length: rows }, (_row, row) => Array.from({ length: columns }, (_column, column) => at(row, column)));
  });
}

/** At most so many rows and columns, of the means of equal parts. */
function reduced(matrix: Matrix, mostOfRows: number, mostOfColumns: number): Matrix {
  const columns = matrix[0]?.length ?? 0;
  const factor = Math.max(1, Math.ceil(matrix.length / mostOfRows), Math.ceil(columns / mostOfColumns));
  if (factor === 1) return matrix;
  return groups(matrix, factor).map((rows) =>
    Array.from({ length: Math.ceil(columns / factor) }, (_, column) =>
      mean(rows.flatMap((row) => row.slice(column * factor, (column + 1) * factor))),
    ),
  );
}

function groups<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function inShades(levels: Matrix): string {
  const block = (level: number) =>
    Number.isFinite(level) ? (shades[Math.round(level * (shades.length - 1))] ?? ' ') : notFinite;
  return levels.map((row) => row.map((level) => block(level).repeat(2)).join('')).join('\n');
}

/** The upper half of a character has the foreground's colour, the lower half the background's. */
function inColors(levels: Matrix): string {
  const color = (level: number) => (Number.isFinite(level) ? darkest + Math.round(level * (brightest - darkest)) : red);
  return groups(levels, 2)
    .map(([upper = [], lower]) => {
      const blocks = upper.map((level, i) => {
        const below = lower?.[i];
        return `\x1b[38;5;${color(level)}m${below === undefined ? '' : `\x1b[48;5;${color(below)}m`}▀`;
      });
      return `${blocks.join('')}\x1b[0m`;
    })
    .join('\n');
}
