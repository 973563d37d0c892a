/**
 * The declarations of the package compile for users who check those too (no `skipLibCheck`): with TypeScript 5.0 and newer,
 * in every module mode, by `import` and by `require`, with the library es2022, with and without the types of Node.js.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const checkout = join(here, '..', '..');

/** Packages of test/external. The one without a version in its name compiles the project itself, so it is the checkout's. */
const compilers = ['typescript-5.0', 'typescript-5.4', 'typescript', 'typescript-7.0'];

/** As much as compiles everywhere, and what an editor checks for users of JavaScript. */
const javaScript = `
createDevice().then(async (device) => {
  const { outputTensor } = await device.run({ type: 'elementWiseAbs', inputTensor: device.createTensor({ dataType: 'int8', sizes: [1] }) });
  // @ts-expect-error: misspelt
  outputTensor.raed();
});
`;
/** The default export has the names of values and of types. */
const defaultImport = `
import directml, { createDevice } from 'node-directml';
const options: directml.DeviceOptions = { backend: 'reference' };
export const device: Promise<directml.Device> = directml.createDevice(options);
export const create: typeof createDevice = directml.createDevice;
// @ts-expect-error: misspelt
directml.createDevise();
`;
const programs = {
  'import.mts': readFileSync(join(here, 'consumer.ts'), 'utf8'),
  'require.cts': readFileSync(join(here, 'consumer.ts'), 'utf8'),
  'bundled.ts': readFileSync(join(here, 'consumer.ts'), 'utf8'),
  'default.mts': defaultImport,
  'default.cts': defaultImport,
  'default.ts': defaultImport,
  'require-assignment.cts': `import directml = require('node-directml');\nexport const devices: directml.Device[] = [];\n`,
  'import.mjs': `import { createDevice } from 'node-directml';\n${javaScript}`,
  'require.cjs': `const { createDevice } = require('node-directml');\n${javaScript}`,
  'using.mts': `import { createDevice } from 'node-directml';
await using device = await createDevice();
using tensor = device.createTensor({ dataType: 'int8', sizes: [1] });
tensor.write([1]);
`,
};
type Program = keyof typeof programs;
const nodePrograms: readonly Program[] = [
  'import.mts',
  'require.cts',
  'default.mts',
  'default.cts',
  'require-assignment.cts',
  'import.mjs',
];

let app = '';

/** An application in which the package is installed, as far as a compiler sees it. */
beforeAll(() => {
  app = realpathSync(mkdtempSync(join(tmpdir(), 'node-directml-types-')));
  const installed = join(app, 'node_modules', 'node-directml');
  const filter = (path: string) => !/\.m?js(\.map)?$/.test(path);
  cpSync(join(checkout, 'dist'), join(installed, 'dist'), { recursive: true, filter });
  cpSync(join(checkout, 'package.json'), join(installed, 'package.json'));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(app, name), text);
});

afterAll(() => {
  rmSync(app, { recursive: true, force: true });
});

/** What the compiler prints about the programs: nothing, if it finds no error. */
function compile(compiler: string, files: readonly Program[], options: readonly string[]): Promise<string> {
  const packages = compiler === 'typescript' ? checkout : join(checkout, 'test', 'external');
  const tsc = join(packages, 'node_modules', compiler, 'bin', 'tsc');
  const common = ['--noEmit', '--strict', '--target', 'es2022', '--checkJs', '--allowJs'];
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, ...common, ...options, ...files], { cwd: app }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}` || (error?.message ?? ''));
    });
  });
}

/** TypeScript 5.2 introduced it. */
const hasUsing = (compiler: string) => compiler !== 'typescript-5.0';

const node16 = ['--module', 'node16', '--moduleResolution', 'node16'];
const nodenext = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
const es2022 = ['--lib', 'es2022'];
const withNode = ['--typeRoots', join(checkout, 'node_modules', '@types'), '--types', 'node'];
const withoutNode = ['--typeRoots', 'none'];

describe.each(compilers)('%s', (compiler) => {
  test('node16, with the types of Node.js', async () => {
    const files = [...nodePrograms, 'require.cjs'] as const;
    expect(await compile(compiler, files, [...node16, ...es2022, ...withNode, '--exactOptionalPropertyTypes'])).toBe('');
  });

  test('nodenext', async () => {
    const files = hasUsing(compiler) ? ([...nodePrograms, 'using.mts'] as const) : nodePrograms;
    expect(await compile(compiler, files, [...nodenext, ...es2022, ...withoutNode])).toBe('');
  });

  test('bundler', async () => {
    expect(await compile(compiler, ['bundled.ts', 'default.ts'], [...bundler, ...es2022, ...withoutNode])).toBe('');
  });
});

// The package declares some of the library esnext.disposable for programs that do not load it.
test.each(compilers.filter(hasUsing))('%s with the library esnext.disposable', async (compiler) => {
  const library = ['--lib', 'es2022,esnext.disposable'];
  expect(await compile(compiler, ['import.mts', 'using.mts'], [...nodenext, ...library, ...withoutNode])).toBe('');
});

test('an error in a program is found', async () => {
  writeFileSync(join(app, 'using.mts'), `import { createDevise } from 'node-directml';\nvoid createDevise;\n`);
  expect(await compile('typescript', ['using.mts'], [...nodenext, ...es2022, ...withoutNode])).toContain('createDevise');
});
