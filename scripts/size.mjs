// @ts-check
// `npm run size`: the lines of each room, by hand and generated. `-- --base REF` also shows how they changed since a commit.
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { capture, main } from './shared/common.mjs';

/** Folders whose folders are rooms of their own. */
const houses = ['lib', 'native', 'test', 'checks'];
/** Files that programs write. */
const generated = /(^|\/)(generated|verdicts\/stored)\/|^docs\/operators\/|^docs\/webnn\/limits\.md$|package-lock\.json$/;

/** @typedef {{ hand: number, generated: number }} Lines */

/**
 * The table of sizes, from the output of `git grep -c` for the files now, and for those of a base.
 * @param {string} now
 * @param {string} [base]
 */
export function sizeTable(now, base) {
  const [after, before] = [linesByRoom(now), linesByRoom(base ?? now)];
  const rooms = [...new Set([...after.keys(), ...before.keys()])].filter((room) => room !== 'all').sort();
  const rows = [...rooms, 'all'].map((room) => {
    const [{ hand, generated }, old] = [after.get(room) ?? none, before.get(room) ?? none];
    const name = room.includes('/') ? `  ${room}` : room;
    if (base === undefined) return [name, count(hand), count(generated)];
    return [name, count(hand), change(hand - old.hand), count(generated), change(generated - old.generated)];
  });
  const heads = base === undefined ? ['lines', 'by hand', 'generated'] : ['lines', 'by hand', 'change', 'generated', 'change'];
  return [heads, ...rows]
    .map(([name = '', ...cells]) => name.padEnd(24) + cells.map((cell) => cell.padStart(12)).join(''))
    .join('\n');
}

/** @type {Lines} */
const none = { hand: 0, generated: 0 };

/** A room, the house that contains it, and all count each line. @returns {Map<string, Lines>} */
function linesByRoom(/** @type {string} */ counts) {
  /** @type {Map<string, Lines>} */
  const all = new Map();
  for (const [, path = '', lines] of counts.matchAll(/^(?:[^:\n]*:)?([^:\n]+):(\d+)$/gm)) {
    const [house = '', room, file] = path.split('/');
    const names = [room === undefined ? 'files of the root' : house, 'all'];
    if (houses.includes(house) && file !== undefined) names.push(`${house}/${room}`);
    const kind = generated.test(path) ? 'generated' : 'hand';
    for (const name of names) {
      const old = all.get(name) ?? none;
      all.set(name, { ...old, [kind]: old[kind] + Number(lines) });
    }
  }
  return all;
}

function count(/** @type {number} */ lines) {
  return lines.toLocaleString('en');
}

function change(/** @type {number} */ lines) {
  return lines > 0 ? `+${count(lines)}` : lines < 0 ? `−${count(-lines)}` : '·';
}

/** The lines of each text file in a commit, or in the checkout. */
async function counted(/** @type {string | undefined} */ commit) {
  const { code, output } = await capture('git', [
    'grep',
    '-I',
    '-c',
    ...(commit === undefined ? ['--untracked', ''] : ['', commit, '--']),
  ]);
  if (code !== 0) throw new Error(`git cannot count the lines of ${commit ?? 'the checkout'}: ${output}`);
  return output;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { values } = parseArgs({ options: { base: { type: 'string' } } });
    const base = values.base === undefined ? undefined : await counted(values.base);
    console.log(sizeTable(await counted(undefined), base));
    return 0;
  });
}
