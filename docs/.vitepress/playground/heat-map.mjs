// @ts-check
// Draws a grid of numbers: small ones as a table whose cells have the colour of their value, large ones as a picture.
import { h } from 'vue';

/** @typedef {import('./grids.mjs').Grid} Grid */

/** In rows and columns: the cells of larger grids have no room for numbers. */
const mostNumbers = 12;

/** @returns {import('vue').VNode} */
export function heatMap(/** @type {Grid} */ { name, rows }) {
  const values = rows.flat().filter((value) => Number.isFinite(value));
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const share = (/** @type {number} */ value) => (most === least ? 0.5 : (value - least) / (most - least));
  const width = rows[0]?.length ?? 0;
  const isSmall = rows.length <= mostNumbers && width <= mostNumbers;
  const caption = `${name === '' ? '' : `${name} `}${rows.length} × ${width}`;
  return h('figure', { class: 'heat-map' }, [
    isSmall ? table(rows, share) : picture(rows, share, caption),
    h('figcaption', [
      h('span', caption),
      ...(values.length === 0
        ? []
        : [h('span', [shortest(least), h('i', { class: 'scale', 'aria-hidden': 'true' }), shortest(most)])]),
    ]),
  ]);
}

function table(/** @type {number[][]} */ rows, /** @type {(value: number) => number} */ share) {
  const cells = (/** @type {number[]} */ row) =>
    row.map((value) =>
      h('td', { style: Number.isFinite(value) ? styleOf(share(value)) : '', title: String(value) }, shortest(value)),
    );
  return h('table', [
    h(
      'tbody',
      rows.map((row) => h('tr', cells(row))),
    ),
  ]);
}

/** One pixel for each number, enlarged. */
function picture(/** @type {number[][]} */ rows, /** @type {(value: number) => number} */ share, /** @type {string} */ label) {
  const width = rows[0]?.length ?? 0;
  const draw = (/** @type {unknown} */ canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return;
    const context = canvas.getContext('2d');
    if (context === null) return;
    const image = context.createImageData(width, rows.length);
    rows.flat().forEach((value, i) => {
      if (Number.isFinite(value)) image.data.set([...colorOf(share(value)), 255], i * 4);
    });
    context.putImageData(image, 0, 0);
  };
  return h('canvas', {
    width,
    height: rows.length,
    role: 'img',
    'aria-label': `Heat map, ${label}`,
    onVnodeMounted: (/** @type {import('vue').VNode} */ { el }) => draw(el),
  });
}

/** The ends of the scale: a dark blue, then a turquoise, then a light yellow. style.css draws the same scale. */
const stops = [
  [48, 54, 128],
  [36, 140, 142],
  [246, 228, 98],
];

/** @returns {number[]} red, green and blue */
function colorOf(/** @type {number} */ share) {
  const place = share * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  const [from = [], to = []] = stops.slice(i, i + 2);
  return from.map((value, channel) => Math.round(value + ((to[channel] ?? 0) - value) * (place - i)));
}

function styleOf(/** @type {number} */ share) {
  return { background: `rgb(${colorOf(share).join(' ')})`, color: share > 0.6 ? '#1b1b1f' : '#fff' };
}

/** A number as a cell has room for it. */
function shortest(/** @type {number} */ value) {
  return Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : String(Number(value.toPrecision(4)));
}
