/** Numbers that JSON lacks, as strings. */

const named: Readonly<Record<string, number>> = { Infinity, '-Infinity': -Infinity, NaN, '-0': -0 };

/** A string for a bigint and for a number that JSON lacks. Objects and arrays are converted deeply. */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : `${value}`;
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toJsonValue(field)]));
}

/** The number or bigint for a string that {@link toJsonValue} makes; any other value is returned unchanged. */
export function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (Object.hasOwn(named, value)) return named[value];
  return /^-?\d{1,20}n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
}
