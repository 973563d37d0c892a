/** How matrices lie in the memory of simd.wat: tiles of four rows each, and sums as rows of {@link BLOCK_COLUMNS} elements. */
import { BLOCK_COLUMNS, TILE_ROWS, type Rows, type Target } from './multiply-block.js';

/** In bytes; bounds the memory for tiles. The right matrix is laid out once for as many rows as fit. */
const TILE_MEMORY = 2 ** 22;

/** Columns of a panel: as many as fit in two vectors. */
export function panelColumns(isInFloat32: boolean): number {
  return isInFloat32 ? 8 : 4;
}

/** How many of the rows have their tiles in memory at a time: whole tiles, also if the last one is not full. */
export function rowsAtATime({ count, length }: Rows, bytesPerElement: number): number {
  const tiles = Math.floor(TILE_MEMORY / (TILE_ROWS * length * bytesPerElement));
  return Math.max(1, Math.min(tilesOf(count), tiles)) * TILE_ROWS;
}

/** The rows from `done` on that fit. The last tile starts earlier and repeats finished rows, if fewer than a tile has are left. */
export function rowsFrom(rows: Rows, done: number, most: number): Rows & { readonly first: number } {
  const first = Math.min(done, rows.count - TILE_ROWS);
  return { ...rows, first, start: rows.start + first * rows.length, count: Math.min(most, rows.count - first) };
}

/** Tiles for so many rows. */
export function tilesOf(rows: number): number {
  return Math.ceil(rows / TILE_ROWS);
}

/** Lays out the rows in tiles. If the last tile has too few rows, it begins with rows of the tile before it. */
export function layOutTiles({ values, start, count, length }: Rows, tiles: Float64Array | Float32Array, to: number): void {
  for (let row = 0; row < count; row += TILE_ROWS) {
    const a = start + Math.min(row, count - TILE_ROWS) * length;
    for (let k = a; k < a + length; k++, to += TILE_ROWS) {
      tiles[to] = values[k] ?? 0;
      tiles[to + 1] = values[k + length] ?? 0;
      tiles[to + 2] = values[k + 2 * length] ?? 0;
      tiles[to + 3] = values[k + 3 * length] ?? 0;
    }
  }
}

/** Copies the sums of so many rows and columns, which begin with element `first`. */
export function copySums(
  sums: Float64Array | Float32Array,
  first: number,
  rows: number,
  columns: number,
  { values, start, stride }: Target,
): void {
  const surplus = tilesOf(rows) * TILE_ROWS - rows;
  for (let row = 0; row < rows; row++) {
    // Only the last tile begins with rows of the tile before it.
    const from = first + (row < rows - (rows % TILE_ROWS) ? row : row + surplus) * BLOCK_COLUMNS;
    const to = start + row * stride;
    for (let i = 0; i < columns; i++) values[to + i] = sums[from + i] ?? 0;
  }
}
