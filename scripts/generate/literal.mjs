// Writes a value as the source text of a TypeScript literal, on one line.

/**
 * Accepts strings, numbers, bigints, booleans, null, arrays and plain objects.
 * @returns {string}
 */
export function literal(/** @type {unknown} */ value) {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
