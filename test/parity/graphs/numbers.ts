/** Reads the numbers that JSON lacks, which a graph descriptor has as strings. */

const WORDS: ReadonlyMap<string, number> = new Map([
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['NaN', NaN],
  ['-0', -0],
]);

export function plainNumbers(value: unknown): unknown {
  if (typeof value === 'string') return WORDS.get(value) ?? (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value);
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainNumbers(field)]));
}
