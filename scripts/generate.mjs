// Generates the pages in docs/ that follow from the code: the reference pages in docs/operators/, from facts in lib/operators/,
// the functions of arrays and layers, the limits of WebNN, and the tables of rooms and of reports. Before that, writes the files
// that are not in git (generate/for-build.mjs).
//
//   node scripts/generate.mjs           writes the pages
//   node scripts/generate.mjs --check   fails if a page would change, or if their folders have other files
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readFacts } from './generate/facts.mjs';
import { generateForBuild } from './generate/for-build.mjs';
import { functionPages } from './generate/function-pages.mjs';
import { pageFiles } from './generate/pages.mjs';
import { pageOfReports } from './generate/reports.mjs';
import { pageOfRooms } from './generate/rooms.mjs';
import { webnnLimitsPage } from './generate/webnn-limits.mjs';
import { checkout, main } from './shared/common.mjs';

const { values: options } = parseArgs({ options: { check: { type: 'boolean' } } });

await main(async () => {
  // First, because the examples on pages leave out what the rules fill in, and rules need the tables.
  generateForBuild();
  const facts = readFacts();
  /** @type {Record<string, string>} */
  const pages = {
    ...(await pageFiles(checkout, facts)),
    ...functionPages(checkout),
    'docs/webnn/limits.md': await webnnLimitsPage(checkout),
    'docs/checked.md': pageOfReports(checkout, 'docs/checked.md'),
    'docs/architecture.md': pageOfRooms(checkout, 'docs/architecture.md', 'lib'),
    'docs/testing.md': pageOfRooms(checkout, 'docs/testing.md', 'checks'),
  };
  const stale = options.check ? [...changed(pages), ...unknown(pages)] : [];
  if (stale.length > 0) {
    console.error(`Out of date (run npm run generate) or of no use (delete): ${stale.join(', ')}`);
    return 1;
  }
  if (!options.check) write(pages);
  console.log(`${facts.operators.length} operators ${options.check ? 'up to date' : 'written'}`);
  return 0;
});

function write(/** @type {Record<string, string>} */ pages) {
  for (const [name, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(checkout, name)), { recursive: true });
    writeFileSync(join(checkout, name), text);
  }
}

/** Returns the names of the pages whose files have another text. */
function changed(/** @type {Record<string, string>} */ pages) {
  const isSame = (/** @type {string} */ path, /** @type {string} */ text) =>
    existsSync(path) && readFileSync(path, 'utf8').replaceAll('\r\n', '\n') === text;
  return Object.entries(pages).flatMap(([name, text]) => (isSame(join(checkout, name), text) ? [] : [name]));
}

/** Returns the names of the other files in the pages' folders. */
function unknown(/** @type {Record<string, string>} */ pages) {
  const folders = [...new Set(Object.keys(pages).map(dirname))].filter((folder) => !['docs', 'docs/guides'].includes(folder));
  const names = folders.flatMap((folder) => readdirSync(join(checkout, folder)).map((name) => `${folder}/${name}`));
  return names.filter((name) => !Object.hasOwn(pages, name));
}
