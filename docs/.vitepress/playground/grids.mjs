// @ts-check
// Finds what can be drawn in the values that a program prints: numbers in rows and columns.

/**
 * @typedef {object} Grid
 * @property {string} name its place in the tensor: `[0, 1]`; '' if there is only one
 * @property {number[][]} rows
 */

/** With more pictures, a page would be mostly pictures. */
const mostGrids = 16;
/** In elements: a picture shows no more. */
const mostElements = 2 ** 20;

/** The sizes of tensors, by what reading them gave. */
const sizesOf = /** @type {WeakMap<object, readonly number[]>} */ (new WeakMap());

/** From now on, knows the sizes of what `tensor.read` returns if that has the elements in row-major order, and nothing else. */
export function rememberSizes(/** @type {Readonly<Record<string, unknown>>} */ { Tensor }) {
  if (typeof Tensor !== 'function' || Object.hasOwn(Tensor.prototype, remembers)) return;
  const { read } = Tensor.prototype;
  Object.defineProperties(Tensor.prototype, {
    [remembers]: { value: true },
    read: {
      /** @this {{ sizes: readonly number[], strides: readonly number[] | null }} */
      async value(/** @type {unknown} */ part) {
        const data = await Reflect.apply(read, this, part === undefined ? [] : [part]);
        if (part === undefined && this.strides === null && data.length === countOf(this.sizes)) sizesOf.set(data, this.sizes);
        return data;
      },
      configurable: true,
      writable: true,
    },
  });
}

const remembers = Symbol('remembers sizes');

/** The grids of a value: nested arrays, or what a tensor was read into. None if it has fewer than two dimensions. */
export function grids(/** @type {unknown} */ value) {
  const found = numbersIn(value);
  if (found === null || found.sizes.length < 2 || found.numbers.length > mostElements) return [];
  const [height = 0, width = 0] = found.sizes.slice(-2);
  const leading = found.sizes.slice(0, -2);
  const count = countOf(leading);
  if (height * width < 2 || count > mostGrids) return [];
  return Array.from({ length: count }, (_, i) => ({
    name: count === 1 ? '' : `[${placeOf(i, leading).join(', ')}]`,
    rows: Array.from({ length: height }, (__, y) => {
      const start = (i * height + y) * width;
      return found.numbers.slice(start, start + width);
    }),
  }));
}

/** In elements: nested arrays of more are no longer read. */
const mostNested = 1000;

/** What a tensor was read into, as nested arrays; null for other values, which are printed with their dimensions. */
export function nested(/** @type {unknown} */ value) {
  const sizes = typeof value === 'object' && value !== null ? sizesOf.get(value) : undefined;
  if (sizes === undefined || sizes.length < 2) return null;
  /** @type {unknown[]} */
  let level = Array.from(/** @type {ArrayLike<unknown>} */ (value));
  if (level.length > mostNested) return null;
  for (const size of sizes.slice(1).toReversed()) {
    const inner = level;
    level = Array.from({ length: inner.length / size }, (_, i) => inner.slice(i * size, (i + 1) * size));
  }
  return level;
}

/** @returns {{ sizes: readonly number[], numbers: number[] } | null} */
function numbersIn(/** @type {unknown} */ value) {
  if (typeof value !== 'object' || value === null) return null;
  const known = sizesOf.get(value);
  if (known !== undefined) return { sizes: known, numbers: Array.from(/** @type {ArrayLike<number>} */ (value), Number) };
  const sizes = sizesOfNested(value);
  const numbers = sizes === null ? [] : /** @type {unknown[]} */ (value).flat(Infinity);
  if (sizes === null || !numbers.every(isNumber)) return null;
  return numbers.length === countOf(sizes) ? { sizes, numbers: numbers.map(Number) } : null;
}

/** The sizes of nested arrays, by their first elements; null if it is no array. */
function sizesOfNested(/** @type {unknown} */ value) {
  const sizes = [];
  for (let inner = value; Array.isArray(inner); inner = inner[0]) sizes.push(inner.length);
  return sizes.length === 0 ? null : sizes;
}

/** How many elements a tensor with these sizes has. */
function countOf(/** @type {readonly number[]} */ sizes) {
  return sizes.reduce((product, size) => product * size, 1);
}

const isNumber = (/** @type {unknown} */ value) => typeof value === 'number' || typeof value === 'bigint';

/** The indices of the i-th element in row-major order. */
function placeOf(/** @type {number} */ i, /** @type {readonly number[]} */ sizes) {
  const place = [];
  let rest = i;
  for (const size of sizes.toReversed()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return place;
}
