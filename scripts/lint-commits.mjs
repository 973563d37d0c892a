// Checks that the subject of a new commit has at most 72 columns, so that lists of commits show it whole. Passes where git does not
// have the commits.
import { pathToFileURL } from 'node:url';
import { capture, main } from './shared/common.mjs';

/** The last commit before this rule. */
const base = '77db799df94f5efd33f42aa8b9265d204f736862';
const columns = 72;

/** Returns the lines of `git log --format='%h %s'` whose subject is too long. */
export function longSubjects(/** @type {string} */ log) {
  return log.split('\n').filter((line) => [...line.replace(/^\S+ /, '')].length > columns);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { code, output } = await capture('git', ['log', '--no-merges', '--format=%h %s', `${base}..HEAD`]);
    const long = code === 0 ? longSubjects(output) : [];
    for (const line of long) console.log(`${line}: more than ${columns} columns`);
    return long.length === 0 ? 0 : 1;
  });
}
