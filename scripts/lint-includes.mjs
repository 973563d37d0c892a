// Checks that native code includes nothing from a higher room, so that no two rooms include each other. docs/architecture.md says
// what each room is for; dependency-cruiser.config.mjs has the rules for imports.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { checkout, cppFiles } from './shared/common.mjs';

/** The rooms of native/, the lowest first. A file lies in the first room whose name begins its path. */
const order = [
  'platform',
  'describe',
  'gpu/memory',
  'gpu/device',
  'gpu/record',
  'gpu/queue',
  'gpu/work',
  'gpu/share',
  'addon/values',
  'addon/environment',
  'addon/host',
  'addon/objects',
  'addon/device',
  'addon',
  'test',
];

const levelOf = (/** @type {string} */ path) => order.findIndex((room) => path.startsWith(`${room}/`));

/** Describes how the line breaks the rule; undefined if it does not. Paths are relative to native/. */
function problemOf(/** @type {string} */ line, /** @type {string} */ path) {
  const name = /^\s*#\s*include\s+"([^"]+)"/.exec(line)?.[1];
  if (name === undefined) return undefined;
  const beside = posix.join(posix.dirname(path), name);
  const included = existsSync(join(checkout, 'native', beside)) ? beside : posix.normalize(name);
  const [level, other] = [levelOf(path), levelOf(included)];
  return other > level ? `includes "${name}", but native/${order[level]} is below native/${order[other]}` : undefined;
}

const problems = cppFiles('native').flatMap((file) => {
  const path = file.split(sep).slice(1).join('/');
  if (levelOf(path) < 0) return [`${file}: lies in no room of scripts/lint-includes.mjs`];
  const lines = readFileSync(join(checkout, file), 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    const problem = problemOf(line, path);
    return problem === undefined ? [] : [`${file}:${i + 1}: ${problem}`];
  });
});
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
