// Writes the tables of docs/architecture.md and docs/testing.md: the rooms of lib/ and checks/ and what each imports. A room is a
// folder of lib/, lib/backends or checks/.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const place = /(?<=<!-- rooms: made by npm run generate -->\n)[^]*(?=<!-- end of rooms -->)/;

/**
 * Returns a page with the present table of a house, such as `lib`.
 * @param {string} root
 * @param {string} page
 * @param {string} house
 * @returns {string}
 */
export function pageOfRooms(root, page, house) {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  if (!place.test(text)) throw new Error(`${page} has no place for the table of rooms`);
  return text.replace(place, () => tableOf(importsOf(join(root, house))));
}

function tableOf(/** @type {Map<string, Set<string>>} */ imports) {
  /** @returns {number} */
  const heightOf = (/** @type {string} */ room) =>
    Math.max(0, ...[...(imports.get(room) ?? [])].map((other) => heightOf(other) + 1));
  const rooms = [...imports.keys()].sort().sort((a, b) => heightOf(a) - heightOf(b));
  const rows = rooms.map((room) => `| ${room} | ${rooms.filter((other) => imports.get(room)?.has(other)).join(', ')} |\n`);
  const arrows = [...imports.values()].reduce((sum, others) => sum + others.size, 0);
  return `\n| room | imports |\n| --- | --- |\n${rows.join('')}\n${rooms.length} rooms, ${arrows} arrows.\n\n`;
}

/** Returns the rooms that each room imports. lib/index.ts and index.mts are in none. */
function importsOf(/** @type {string} */ lib) {
  /** @type {Map<string, Set<string>>} */
  const rooms = new Map();
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    const file = name.replaceAll(sep, '/');
    const room = roomOf(file);
    if (!/\.m?ts$/.test(file) || room === null) continue;
    const others = rooms.get(room) ?? new Set();
    rooms.set(room, others);
    for (const [, path = ''] of readFileSync(join(lib, file), 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)) {
      const other = roomOf(normalize(join(dirname(file), path)).replaceAll(sep, '/'));
      if (other !== null && other !== room) others.add(other);
    }
  }
  return rooms;
}

function roomOf(/** @type {string} */ file) {
  const [, room = null] = /^(backends\/[^/.]+|[^/.]+)\//.exec(file) ?? [];
  return room;
}
