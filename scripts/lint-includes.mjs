// Checks that native code includes nothing from a higher folder, so that no two folders include each other. docs/architecture.md
// draws their order; dependency-cruiser.config.mjs has the rules for imports.
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { checkout, cppFiles } from './shared/common.mjs';

/** The folders of native/, the lowest first. */
const order = ['platform', 'describe', 'gpu', 'addon', 'test'];

/** Describes how the line breaks the rule; undefined if it does not. */
function problemOf(/** @type {string} */ line, /** @type {string} */ folder) {
  const included = /^\s*#\s*include\s+"([^"]+)"/.exec(line)?.[1] ?? '';
  const upper = included.split('/').find((part) => order.indexOf(part) > order.indexOf(folder));
  return upper && `includes "${included}", but native/${folder} is below native/${upper}`;
}

let count = 0;
for (const file of cppFiles('native')) {
  const folder = file.split(sep)[1] ?? '';
  for (const [i, line] of readFileSync(join(checkout, file), 'utf8').split('\n').entries()) {
    const problem = problemOf(line, folder);
    if (problem === undefined) continue;
    console.log(`${file}:${i + 1}: ${problem}`);
    count += 1;
  }
}
process.exitCode = count === 0 ? 0 : 1;
