/** Ranges of buffers as the addon takes them: rows of numbers, which take a tenth of the time that objects take. */
import type { NativeDispatch, NativeOperator, NativeRanges } from '../../../binding.js';
import { isTextureCopy, type BoundRanges, type BufferRange, type TextureCopy } from '../backend.js';
import { nativeOf } from './buffer-handle.js';

/** See {@link NativeRanges}. */
export const COLUMNS = 3;
/** See `copyTexture` in binding.d.ts. */
export const TEXTURE_COPY_ROWS = 3;

/** Arrays of at most so many rows are used again. */
const FEW_ROWS = 64;

/** By number of rows. */
const reused: Float64Array[] = [];

/** The numbers of a dispatch. Valid until the next call. */
export function dispatchOf({ number }: NativeOperator, { inputs, outputs }: BoundRanges): NativeDispatch {
  const count = inputs.length + outputs.length;
  const numbers = reused[count] ?? new Float64Array(1 + COLUMNS * count);
  if (count <= FEW_ROWS) reused[count] = numbers;
  numbers[0] = number;
  write(numbers, write(numbers, 1, inputs), outputs);
  return numbers;
}

/** The rows of commands, one after the other. */
export function rowsOf(commands: readonly (BoundRanges | TextureCopy)[]): NativeRanges {
  const count = commands.reduce((sum, command) => sum + rowCount(command), 0);
  const rows = new Float64Array(COLUMNS * count);
  let at = 0;
  for (const command of commands) {
    at = isTextureCopy(command) ? writeCopy(rows, at, command) : write(rows, write(rows, at, command.inputs), command.outputs);
  }
  return rows;
}

/** Writes the rows of a copy from index `at` on. Returns the index behind them. */
export function writeCopy(rows: NativeRanges, at: number, copy: TextureCopy): number {
  const { buffer, offset, bytesPerRow, rectangle, toBuffer } = copy;
  rows[at] = nativeOf(buffer).number;
  rows[at + 1] = offset;
  rows[at + 2] = bytesPerRow;
  rows[at + 3] = rectangle.x;
  rows[at + 4] = rectangle.y;
  rows[at + 5] = toBuffer ? 1 : 0;
  rows[at + 6] = rectangle.width;
  rows[at + 7] = rectangle.height;
  rows[at + 8] = 0;
  return at + COLUMNS * TEXTURE_COPY_ROWS;
}

function rowCount(command: BoundRanges | TextureCopy): number {
  return isTextureCopy(command) ? TEXTURE_COPY_ROWS : command.inputs.length + command.outputs.length;
}

/** Writes the rows from index `at` on. Returns the index behind them. */
function write(rows: NativeRanges, at: number, ranges: readonly (BufferRange | null)[]): number {
  for (const range of ranges) {
    rows[at] = range === null ? 0 : nativeOf(range.buffer).number;
    rows[at + 1] = range === null ? 0 : range.offset;
    rows[at + 2] = range === null ? 0 : range.sizeInBytes;
    at += COLUMNS;
  }
  return at;
}
