// @ts-check
// Generates the files that are not in git, because nobody reads them: the addon's table, and files that only tests compile. Each
// build, `npm run lint` and the test tools write them. CMake runs this program if it is called directly and the table is missing.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout } from '../shared/common.mjs';
import { defaultedFieldsFile } from './defaults.mjs';
import { readFacts } from './facts.mjs';
import { minimalDescriptorsFile } from './minimal-descriptors.mjs';
import { nativeTableFile } from './native-table.mjs';
import { typedCallsFile } from './typed-calls.mjs';

/** Returns the texts of the files, by path. */
export function filesForBuild(/** @type {import('./facts.mjs').Facts} */ facts) {
  return {
    'native/describe/generated/operator_table.inc': nativeTableFile(facts),
    'test/coverage/generated/minimal-descriptors.ts': minimalDescriptorsFile(facts),
    'test/coverage/generated/defaulted-fields.ts': defaultedFieldsFile(facts),
    'test/types/generated/typed-calls.ts': typedCallsFile(facts),
  };
}

/** Writes the files that are out of date. The others keep their times, so that compilers see no change. */
export function generateForBuild() {
  for (const [name, text] of Object.entries(filesForBuild(readFacts()))) {
    const path = join(checkout, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) generateForBuild();
