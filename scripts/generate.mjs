// Writes lib/schema/generated/*.ts, native/generated/operator_table.inc and docs/operators/*.md from the facts in
// lib/schema/directml.json.
//
//   node scripts/generate.mjs                      in place: for native/ every operator DirectML has, for lib/ those
//                                                  of lib/schema/finished.json
//   node scripts/generate.mjs --check              fails if that would change a file
//   node scripts/generate.mjs --all --out <folder> every operator for both, into another folder
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { descriptorsFile } from './generate/descriptors.mjs';
import { enumsFile } from './generate/enums.mjs';
import { readFacts } from './generate/facts.mjs';
import { nativeTableFile } from './generate/native-table.mjs';
import { pageFiles } from './generate/pages.mjs';
import { tableFile } from './generate/table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({
  options: { all: { type: 'boolean' }, check: { type: 'boolean' }, out: { type: 'string', default: root } },
});

const facts = readFacts(join(root, 'lib/schema'), options.all === true);
const everything = readFacts(join(root, 'lib/schema'), true);
const files = {
  'lib/schema/generated/enums.ts': enumsFile(facts),
  'lib/schema/generated/descriptors.ts': descriptorsFile(facts),
  'lib/schema/generated/table.ts': tableFile(facts),
  // The addon knows them all: an operator that is being finished needs no other build of it.
  'native/generated/operator_table.inc': nativeTableFile(everything),
  ...pageFiles(root, everything, new Set(facts.operators.map(({ name }) => name))),
};

const stale = [];
for (const [name, text] of Object.entries(files)) {
  const path = join(options.out, name);
  if (options.check) {
    if (!existsSync(path) || readFileSync(path, 'utf8').replaceAll('\r\n', '\n') !== text) stale.push(name);
    continue;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
if (stale.length > 0) {
  console.error(`Out of date, run npm run generate: ${stale.join(', ')}`);
  process.exit(1);
}
console.log(`${facts.operators.length} operators ${options.check ? 'up to date' : `written to ${options.out}`}`);
