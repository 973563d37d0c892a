// Generates files from the facts in lib/schema/operators/: lib/schema/generated/*.ts, the reference pages in docs/operators/,
// and the types, conversions and limits of WebNN. Also assembles the WebAssembly of the reference backend, and writes the files
// that are not in git (generate/for-build.mjs).
//
//   node scripts/generate.mjs           writes the files
//   node scripts/generate.mjs --check   fails if a file would change, or if their folders have other files
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { descriptorsFile } from './generate/descriptors.mjs';
import { enumsFile } from './generate/enums.mjs';
import { functionsFile } from './generate/functions.mjs';
import { readFacts } from './generate/facts.mjs';
import { filesForBuild } from './generate/for-build.mjs';
import { pageFiles } from './generate/pages.mjs';
import { otherNamesFile } from './generate/other-names.mjs';
import { tableFile } from './generate/table.mjs';
import { wasmFile } from './generate/wasm.mjs';
import { webnnArgumentsFile } from './generate/webnn-arguments.mjs';
import { webnnConversionsFile } from './generate/webnn-conversions.mjs';
import { readIdl } from './generate/webnn-idl.mjs';
import { webnnLimitsPage } from './generate/webnn-limits.mjs';
import { webnnTypesFile } from './generate/webnn-types.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({ options: { check: { type: 'boolean' } } });

const facts = readFacts();
const idl = readIdl(root);
const files = {
  'lib/tensors/generated/enums.ts': enumsFile(facts),
  'lib/descriptors/generated/descriptors.ts': descriptorsFile(facts),
  'lib/descriptors/generated/other-names.ts': otherNamesFile(facts),
  'lib/descriptors/generated/table.ts': tableFile(facts),
  'lib/functions/generated/functions.ts': functionsFile(facts),
  'lib/compute/generated/simd.ts': wasmFile(root, 'lib/compute/simd.wat'),
  ...filesForBuild(facts),
  'lib/webnn/generated/types.ts': webnnTypesFile(idl, readJson('lib/webnn/meanings.json')),
  'lib/webnn/generated/arguments.ts': webnnArgumentsFile(idl),
  'lib/webnn/generated/conversions.ts': webnnConversionsFile(idl),
  'docs/webnn/limits.md': webnnLimitsPage(root),
};

/** @type {string[]} */
const stale = [];
writeOrCompare(files);
// After the tables: the examples on pages leave out what the rules fill in, and rules need the tables.
const pages = pageFiles(root, facts);
writeOrCompare(pages);

function writeOrCompare(/** @type {Record<string, string>} */ texts) {
  for (const [name, text] of Object.entries(texts)) {
    const path = join(root, name);
    if (options.check) {
      if (!existsSync(path) || readFileSync(path, 'utf8').replaceAll('\r\n', '\n') !== text) stale.push(name);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** @returns {Record<string, string>} */
function readJson(/** @type {string} */ name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

if (options.check) {
  const all = { ...files, ...pages };
  for (const folder of new Set(Object.keys(all).map(dirname))) {
    const names = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    stale.push(...names.filter((name) => !Object.hasOwn(all, name)));
  }
}
if (stale.length > 0) {
  console.error(`Out of date (run npm run generate) or of no use (delete): ${stale.join(', ')}`);
  process.exit(1);
}
console.log(`${facts.operators.length} operators ${options.check ? 'up to date' : 'written'}`);
