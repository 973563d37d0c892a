// @ts-check
// Draws tensors as cells with numbers: the inputs of an operator on the left, its outputs on the right. The colours are those of
// theme/style.css, so that one picture serves light and dark pages.
import { inspect } from 'node:util';

/** @typedef {import('./drawn.mjs').Data} Data */
/** @typedef {Record<string, Data | Data[]>} Tensors */
/** @typedef {{ svg: string, width: number, height: number }} Box */

const cell = { width: 38, height: 28 };
const gap = 14;
const arrowWidth = 56;
/** The widths of a letter of a name, which is bold, and of the sizes below it. */
const letter = { name: 8.4, sizes: 7.4 };

/**
 * Returns a figure in HTML, with its title, and with all numbers for those who cannot see it.
 * @param {{ type: string, text: string, inputs: Tensors, fields: Record<string, unknown>, outputs: Tensors }} drawn
 */
export function draw({ type, text, inputs, fields, outputs }) {
  const [left, right] = [named(inputs), named(outputs)];
  const scaleOf = scales(left, right);
  const from = column(left.map(([name, data]) => tensor(name, data, scaleOf(data))));
  const to = column(right.map(([name, data]) => tensor(name, data, scaleOf(data))));
  const begin = from.width === 0 ? 0 : from.width + arrowWidth;
  const [width, height] = [begin + to.width, Math.max(from.height, to.height)];
  const parts = [
    at(0, (height - from.height) / 2, from.svg),
    from.width === 0 ? '' : at(from.width, height / 2, arrow),
    at(begin, (height - to.height) / 2, to.svg),
  ];
  const id = `tensors-${type}`;
  const spoken = (/** @type {[string, Data][]} */ all) => all.map(([name, data]) => `${name} ${printed(data)}`).join(', ');
  const description = `${spoken(left)}${left.length === 0 ? '' : ' gives '}${spoken(right)}`;
  const call = Object.keys(fields).length === 0 ? '' : ` <code>${escaped(inline(fields))}</code>`;
  return (
    `<figure class="tensors" v-pre><div tabindex="0"><svg role="img" aria-labelledby="${id} ${id}-numbers" width="${width}" ` +
    `height="${height}" viewBox="-1 -1 ${width + 2} ${height + 2}"><title id="${id}">${type}: ${escaped(text)}</title>` +
    `<desc id="${id}-numbers">${escaped(description)}</desc>${parts.join('')}</svg></div>` +
    `<figcaption>${escaped(text)}${call}</figcaption></figure>\n`
  );
}

const arrow = '<path class="arrow" d="M14 0h28m-7-6l7 6-7 6"/>';

/** Gives each tensor of a list a name: `inputTensors[0]`. */
function named(/** @type {Tensors} */ tensors) {
  return Object.entries(tensors).flatMap(([name, data]) =>
    Array.isArray(data)
      ? data.map((each, i) => /** @type {[string, Data]} */ ([`${name}[${i}]`, each]))
      : [/** @type {[string, Data]} */ ([name, data])],
  );
}

/**
 * The number that has the strongest colour. If the operator only moves elements, it is the same for all tensors, so that the
 * eye can follow an element. 0 means no colours: indices are no amounts.
 * @returns {(data: Data) => number}
 */
function scales(/** @type {[string, Data][]} */ left, /** @type {[string, Data][]} */ right) {
  const floats = (/** @type {[string, Data][]} */ tensors) =>
    tensors.flatMap(([, { dataType, values }]) => (dataType === 'float32' ? values : []));
  const given = new Set(floats(left));
  const strongest = (/** @type {number[]} */ values) => Math.max(...values.map(Math.abs));
  const onlyMoves = floats(right).every((value) => value === 0 || given.has(value));
  const all = strongest([...floats(left), ...floats(right), 0]);
  return ({ dataType, values }) => (dataType !== 'float32' ? 0 : onlyMoves ? all : strongest(values));
}

/** Matrices of the last two dimensions, beside each other, below the name and the sizes. */
function tensor(/** @type {string} */ name, /** @type {Data} */ { sizes, values, dataType }, /** @type {number} */ strongest) {
  const columns = sizes.at(-1) ?? 1;
  const rows = sizes.at(-2) ?? 1;
  const each = columns * cell.width + gap / 2;
  const cells = values.map((value, i) => {
    const matrix = Math.floor(i / (rows * columns));
    const x = matrix * each + (i % columns) * cell.width;
    const y = (Math.floor(i / columns) % rows) * cell.height;
    return at(x, y, oneCell(value, strongest));
  });
  const matrices = Math.max(1, values.length / (rows * columns));
  const sizesText = `${dataType === 'float32' ? '' : `${dataType} `}[${sizes.join(', ')}]`;
  const label = `<text class="name" y="12">${name}</text><text class="sizes" y="28">${sizesText}</text>`;
  return {
    svg: `${label}${at(0, 36, cells.join(''))}`,
    width: Math.max(matrices * each - gap / 2, letter.name * name.length, letter.sizes * sizesText.length),
    height: 36 + rows * cell.height,
  };
}

function oneCell(/** @type {number} */ value, /** @type {number} */ strongest) {
  const share = strongest === 0 ? 0 : Math.round((Math.abs(value) / strongest) * 100);
  const { width, height } = cell;
  return (
    `<rect width="${width}" height="${height}" class="${value < 0 ? 'less' : 'more'}" style="--share:${share}"/>` +
    `<text class="number" x="${width / 2}" y="${height / 2}">${short(value)}</text>`
  );
}

/** @returns {Box} */
function column(/** @type {Box[]} */ boxes) {
  let height = 0;
  const placed = boxes.map((box) => {
    const svg = at(0, height, box.svg);
    height += box.height + gap;
    return svg;
  });
  return { svg: placed.join(''), width: Math.max(0, ...boxes.map(({ width }) => width)), height: Math.max(0, height - gap) };
}

function at(/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ svg) {
  return `<g transform="translate(${x} ${y})">${svg}</g>`;
}

/** With two decimals at most. */
function short(/** @type {number} */ value) {
  return String(Number(value.toFixed(2))).replace('-', '−');
}

function printed(/** @type {Data} */ { sizes, values }) {
  const columns = sizes.at(-1) ?? 1;
  const rows = Array.from({ length: values.length / columns }, (_, i) => values.slice(i * columns, (i + 1) * columns));
  return rows.map((row) => `[${row.map((value) => Number(value.toFixed(2))).join(', ')}]`).join(' ');
}

function inline(/** @type {Record<string, unknown>} */ fields) {
  return inspect(fields, { breakLength: Infinity, depth: 9 }).replace(/\[ | \]/g, (bracket) => bracket.trim());
}

function escaped(/** @type {string} */ text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
