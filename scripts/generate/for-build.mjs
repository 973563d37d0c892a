// @ts-check
// Generates the files that are not in git: the TypeScript and the addon's table that follow from the facts in lib/operators, the
// types and conversions of WebNN, and WebAssembly. Each build, `npm run lint` and the test tools write them. CMake runs this
// program if it is called directly and the table is missing.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout, remove } from '../shared/common.mjs';
import { defaultedFieldsFile } from './defaults.mjs';
import { descriptorsFile } from './descriptors.mjs';
import { enumsFile } from './enums.mjs';
import { readFacts } from './facts.mjs';
import { gradientsFile, kernelsFile, rulesFile } from './family-lists.mjs';
import { functionsFile } from './functions.mjs';
import { minimalDescriptorsFile } from './minimal-descriptors.mjs';
import { nativeTableFile } from './native-table.mjs';
import { otherNamesFile } from './other-names.mjs';
import { tableFile } from './table.mjs';
import { typedCallsFile } from './typed-calls.mjs';
import { wasmFile } from './wasm.mjs';
import { webnnArgumentsFile } from './webnn-arguments.mjs';
import { webnnConversionsFile } from './webnn-conversions.mjs';
import { readIdl } from './webnn-idl.mjs';
import { webnnTypesFile } from './webnn-types.mjs';

/** Returns the texts of the files, by path. */
function filesForBuild() {
  const facts = readFacts();
  const idl = readIdl(checkout);
  const meanings = JSON.parse(readFileSync(join(checkout, 'lib/webnn/meanings.json'), 'utf8'));
  return {
    'lib/tensors/generated/enums.ts': enumsFile(facts),
    'lib/descriptors/generated/descriptors.ts': descriptorsFile(facts),
    'lib/descriptors/generated/other-names.ts': otherNamesFile(facts),
    'lib/descriptors/generated/table.ts': tableFile(facts),
    'lib/compute/generated/simd.ts': wasmFile(checkout, 'lib/compute/simd.wat'),
    'lib/operators/generated/gradients.ts': gradientsFile(),
    'lib/operators/generated/kernels.ts': kernelsFile(),
    'lib/operators/generated/rules.ts': rulesFile(),
    'lib/functions/generated/functions.ts': functionsFile(facts),
    'lib/webnn/generated/types.ts': webnnTypesFile(idl, meanings),
    'lib/webnn/generated/arguments.ts': webnnArgumentsFile(idl),
    'lib/webnn/generated/conversions.ts': webnnConversionsFile(idl),
    'native/describe/generated/operator_table.inc': nativeTableFile(facts),
    'checks/cases/generated/minimal-descriptors.ts': minimalDescriptorsFile(facts),
    'checks/cases/generated/defaulted-fields.ts': defaultedFieldsFile(facts),
    'test/types/generated/typed-calls.ts': typedCallsFile(facts),
  };
}

/**
 * Writes the files that are out of date, and deletes others from their folders. The rest keep their times, so that compilers see no
 * change.
 */
export function generateForBuild() {
  const files = filesForBuild();
  for (const [name, text] of Object.entries(files)) {
    const path = join(checkout, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const folder of new Set(Object.keys(files).map(dirname))) {
    for (const name of readdirSync(join(checkout, folder))) {
      if (!Object.hasOwn(files, `${folder}/${name}`)) remove(join(checkout, folder, name));
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) generateForBuild();
