/**
 * Matrix products by WebAssembly SIMD: the same sums as those of multiply-block.ts, bit by bit, five times as fast. The module
 * is matrix-tiles.wat. It multiplies four rows by two vectors of columns at a time, so its memory has
 * - a block of the right matrix: rows of {@link BLOCK_COLUMNS} float64, one for each term of the sums,
 * - panels: the same elements, but as many columns as fit in two vectors at a time, and rounded for sums in float32,
 * - tiles: four rows of the left matrix at a time, term by term,
 * - sums: rows of {@link BLOCK_COLUMNS} elements.
 */
import { moduleInBase64 } from '../generated/matrix-tiles.js';
import { BLOCK_COLUMNS, TILE_ROWS, type LayOutColumns, type Rows, type Target } from './multiply-block.js';

/** In bytes; bounds the memory for tiles. The right matrix is laid out once for as many rows as fit. */
const TILE_MEMORY = 2 ** 22;

/** In bytes. Beyond it, memory is given back after use. */
const KEPT_MEMORY = 2 ** 23;

/** In bytes. Longer rows are left to TypeScript. */
const LARGEST_MEMORY = 2 ** 30;

const PAGE = 2 ** 16;

/** Products of fewer multiplications are faster in TypeScript. */
const FEW_MULTIPLICATIONS = 256;

/** What the module exports. Places in its memory are in bytes. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly packFloat64: Pack;
  readonly packFloat32: Pack;
  readonly multiply: (
    tiles: number,
    tileCount: number,
    panels: number,
    panelCount: number,
    length: number,
    sums: number,
    isInFloat32: boolean,
  ) => void;
}

type Pack = (block: number, length: number, panelCount: number, panels: number) => void;

/** The part of the global object that is used here. TypeScript declares it only together with browsers' objects. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Undefined before the first use; null if the engine cannot or may not run the module. */
let compiled: object | null | undefined;
let kept: Instance | null = null;

/** An instance, and its whole memory as numbers. */
interface Instance {
  readonly exports: Exports;
  readonly float64: Float64Array;
  readonly float32: Float32Array;
}

/**
 * Computes the product of the rows with `columns` columns, which `layOut` provides. Returns false, and has done nothing, if the
 * engine has no SIMD, or if the product is too small or too large for it.
 */
export function multiplyInTiles(
  rows: Rows,
  columns: number,
  layOut: LayOutColumns,
  target: Target,
  isInFloat32: boolean,
): boolean {
  const { count, length } = rows;
  if (count < TILE_ROWS || count * length * columns < FEW_MULTIPLICATIONS) return false;
  const places = placesFor(length, count, isInFloat32);
  const instance = instanceWith(places.end);
  if (instance === null) return false;
  const { float64, float32, exports } = instance;
  const elements = isInFloat32 ? float32 : float64;
  const pack = isInFloat32 ? exports.packFloat32 : exports.packFloat64;
  const panelColumns = isInFloat32 ? 8 : 4;
  for (let done = 0; done < count; done += places.rows) {
    // If fewer rows than a tile has are left, it begins with rows that are done.
    const first = Math.min(done, count - TILE_ROWS);
    const some = { ...rows, start: rows.start + first * length, count: Math.min(places.rows, count - first) };
    layOutTiles(some, elements, places.tiles / elements.BYTES_PER_ELEMENT);
    for (let column = 0; column < columns; column += BLOCK_COLUMNS) {
      const width = Math.min(BLOCK_COLUMNS, columns - column);
      const panelCount = Math.ceil(width / panelColumns);
      layOut(column, width, float64);
      pack(0, length, panelCount, places.panels);
      exports.multiply(places.tiles, tilesOf(some.count), places.panels, panelCount, length, places.sums, isInFloat32);
      const sums = places.sums / elements.BYTES_PER_ELEMENT;
      copySums(elements, sums, some.count, width, { ...target, start: target.start + first * target.stride + column });
    }
  }
  if (float64.byteLength > KEPT_MEMORY) kept = null;
  return true;
}

/** Places in the memory, in bytes, and how many rows it has room for. */
interface Places {
  readonly panels: number;
  readonly tiles: number;
  readonly sums: number;
  readonly end: number;
  readonly rows: number;
}

/** The block comes first. Each part is a multiple of 16 bytes long. */
function placesFor(length: number, count: number, isInFloat32: boolean): Places {
  const bytes = isInFloat32 ? 4 : 8;
  const rows = Math.max(1, Math.min(tilesOf(count), Math.floor(TILE_MEMORY / (TILE_ROWS * length * bytes)))) * TILE_ROWS;
  const panels = BLOCK_COLUMNS * length * 8;
  const tiles = panels + BLOCK_COLUMNS * length * bytes;
  const sums = tiles + rows * length * bytes;
  return { panels, tiles, sums, end: sums + rows * BLOCK_COLUMNS * bytes, rows };
}

function tilesOf(rows: number): number {
  return Math.ceil(rows / TILE_ROWS);
}

/** Returns an instance with at least so much memory, or null if there is none. */
function instanceWith(sizeInBytes: number): Instance | null {
  if (kept !== null && kept.float64.byteLength >= sizeInBytes) return kept;
  if (compiled === undefined) compiled = compile();
  if (compiled === null || sizeInBytes > LARGEST_MEMORY) return null;
  try {
    const exports = kept?.exports ?? newInstance(compiled);
    const { memory } = exports;
    memory.grow(Math.max(0, Math.ceil((sizeInBytes - memory.buffer.byteLength) / PAGE)));
    kept = { exports, float64: new Float64Array(memory.buffer), float32: new Float32Array(memory.buffer) };
    return kept;
  } catch {
    // There is not enough memory.
    kept = null;
    return null;
  }
}

function newInstance(module: object): Exports {
  // What the module exports is known from its text only.
  return new WebAssembly.Instance(module).exports as Exports;
}

/** Returns null if the engine has no WebAssembly or no SIMD, or if a content security policy forbids it. */
function compile(): object | null {
  try {
    return new WebAssembly.Module(Buffer.from(moduleInBase64, 'base64'));
  } catch {
    return null;
  }
}

/** Lays out the rows in tiles. If the last tile has too few rows, it begins with rows of the tile before it. */
function layOutTiles({ values, start, count, length }: Rows, tiles: Float64Array | Float32Array, to: number): void {
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
function copySums(
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
