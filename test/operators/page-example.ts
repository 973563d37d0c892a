/** Compares what a page's example prints with the output that the page shows. */

interface Shown {
  /** The typed array's name. */
  readonly array: string;
  /** The elements as the page shows them; `?` stands for any value. */
  readonly elements: readonly string[];
}

/** The outputs that the program shows, in order: the comments after its `console.log` statements, one or more after each. */
export function shownBy(program: string): Shown[] {
  return [...program.matchAll(/^(?:for \(.*\) )?console\.log\(.*?\);((?:\s*\/\/.*)+)/gm)].flatMap(([statement, comment = '']) => {
    const text = comment.replace(/\s*\/\/\s*/g, ' ').trim();
    if (!/^(\w+ \[[^\]]*\] ?)+$/.test(text)) throw new TypeError(`no array is shown: ${statement}`);
    return [...text.matchAll(/(\w+) \[([^\]]*)\]/g)].map(([, array = '', elements = '']) => ({
      array,
      elements: elements
        .split(',')
        .map((element) => element.trim())
        .filter((element) => element !== ''),
    }));
  });
}

/** The differences between the shown and the printed output, as text. */
export function compare(shown: readonly Shown[], printed: readonly unknown[]): string[] {
  if (shown.length !== printed.length) return [`shown ${shown.length} arrays, printed ${printed.length}`];
  return shown.flatMap(({ array, elements }, i) => {
    const given = printed[i];
    if (!ArrayBuffer.isView(given) || given instanceof DataView) return [`${array}: printed ${String(given)}`];
    const values = Object.values(given).map(written);
    const same = given.constructor.name === array && values.length === elements.length;
    if (same && elements.every((element, k) => agrees(element, values[k] ?? ''))) return [];
    return [`shown ${array} [${elements.join(', ')}], printed ${given.constructor.name} [${values.join(', ')}]`];
  });
}

function written(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

/** Fractions are shown with four decimals. */
function agrees(shown: string, printed: string): boolean {
  if (shown === '?' || shown === printed) return true;
  return !Number.isInteger(Number(printed)) && Math.abs(Number(shown) - Number(printed)) <= 1e-4;
}
