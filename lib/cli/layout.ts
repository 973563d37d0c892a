/** Fits text to the width of a terminal: paragraphs and tables. Widths are in characters; styles take none. */

// eslint-disable-next-line no-control-regex -- the escape character begins the sequences of styles
const styleSequence = /\x1b\[\d+m/g;

function widthOf(text: string): number {
  return Array.from(text.replace(styleSequence, '')).length;
}

/** Breaks a text at spaces. A longer word, such as a path, gets a line of its own and is not cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** The text after `head`; its further lines are indented as far as the first one. */
export function hanging(head: string, text: string, width: number): string {
  const indent = ' '.repeat(widthOf(head));
  const [first = '', ...rest] = text.split('\n').flatMap((part) => wrap(part, width - indent.length));
  return [head + first, ...rest.map((line) => indent + line)].join('\n');
}

const gap = '  ';
/** A column with less room than this is unreadable. */
const minColumn = 16;

/**
 * Rows in columns. If they are too wide, the last column is wrapped. If that would become too narrow, the last cell of each row
 * goes on lines of its own, below the other cells.
 */
export function table(rows: readonly (readonly string[])[], width: number): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, size) => sum + size + gap.length, 0);
  const room = width - before;
  if (room < Math.min(minColumn, widths.at(-1) ?? 0)) return rows.map((row) => stacked(row, width)).join('\n');
  return rows
    .map((row) => {
      const cells = row.slice(0, columns - 1).map((cell, i) => pad(cell, widths[i] ?? 0) + gap);
      return hanging(pad(cells.join(''), before), row[columns - 1] ?? '', width).trimEnd();
    })
    .join('\n');
}

function stacked(row: readonly string[], width: number): string {
  const cells = row.slice(0, -1).filter((cell) => cell !== '');
  return [...wrap(cells.join(gap), width), hanging('    ', row.at(-1) ?? '', width)].join('\n');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** `1 case`, `2 cases`, `0 mismatches`, `2 graphs`; the number is as wide as `width`. */
export function counted(count: number, what: string, width = 0): string {
  const ending = count === 1 ? '' : /(?:[cs]h|[sxz])$/.test(what) ? 'es' : 's';
  return `${String(count).padStart(width)} ${what}${ending}`;
}

/** `8.0 GiB` */
export function memoryText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}
