// @ts-check
// The text of `console.table`.

const index = '(index)';
const values = 'Values';

/**
 * Rows of the data in a frame, as Node.js prints them; null for what has no rows.
 * @param {unknown} data
 * @param {(value: unknown, options: { depth: number }) => string} inspect
 */
export function tableOf(data, inspect) {
  if (typeof data !== 'object' || data === null) return null;
  /** @type {Map<string, string>[]} */
  const rows = Object.entries(data).map(([key, row]) => {
    const cells = typeof row === 'object' && row !== null ? Object.entries(row) : [[values, row]];
    return new Map([[index, key], ...cells.map(([name, cell]) => /** @type {const} */ ([name, inspect(cell, { depth: 0 })]))]);
  });
  const names = [...new Set([index, ...rows.flatMap((row) => [...row.keys()])])];
  const columns = [...names.filter((name) => name !== values), ...names.filter((name) => name === values)];
  const lines = [columns, ...rows.map((row) => columns.map((name) => row.get(name) ?? ''))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const framed = (/** @type {string} */ ends, /** @type {string} */ fill, /** @type {readonly string[]} */ cells) => {
    const padded = widths.map((width, i) => `${fill}${(cells[i] ?? '').padEnd(width, fill)}${fill}`);
    return `${ends[0]}${padded.join(ends[1])}${ends[2]}`;
  };
  const [head = [], ...body] = lines;
  return [
    framed('┌┬┐', '─', []),
    framed('│││', ' ', head),
    framed('├┼┤', '─', []),
    ...body.map((line) => framed('│││', ' ', line)),
    framed('└┴┘', '─', []),
  ].join('\n');
}
