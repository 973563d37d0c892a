/**
 * The declarations of the package compile even for users who check them (no `skipLibCheck`): with TypeScript 5.0 and newer,
 * in every module mode, by `import` and by `require`, with the library es2022, with and without the types of Node.js. All of these
 * compilers refuse the same wrong programs.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const checkout = join(here, '..', '..');

/** Packages of test/external, except `typescript`: that is the checkout's own compiler. */
const compilers = ['typescript-5.0', 'typescript-5.4', 'typescript', 'typescript-7.0'];

/** JavaScript that compiles in every module mode. An editor checks it in the same way for users of JavaScript. */
const javaScript = `
createDevice().then(async (device) => {
  const { outputTensor } = await device.run({ type: 'elementWiseAbs', inputTensor: device.createTensor({ dataType: 'int8', sizes: [1] }) });
  // @ts-expect-error: misspelt
  outputTensor.raed();
});
`;
/** The default export contains the package's values and its types. */
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
  'accepted.mts': readFileSync(join(here, 'accepted.ts'), 'utf8'),
  'refused.mts': readFileSync(join(here, 'refused.ts'), 'utf8'),
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

/** Installs the files of the package that a compiler reads into an application. */
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

/** Compiles the programs. Returns the compiler's output, which is empty if there is no error. */
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

/** True if the compiler has `using`, which TypeScript 5.2 introduced. */
const hasUsing = (compiler: string) => compiler !== 'typescript-5.0';

const node16 = ['--module', 'node16', '--moduleResolution', 'node16'];
const nodenext = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
const es2022 = ['--lib', 'es2022'];
const withNode = ['--typeRoots', join(checkout, 'node_modules', '@types'), '--types', 'node'];
const withoutNode = ['--typeRoots', 'none'];

describe.each(compilers)('%s', (compiler) => {
  test('compiles with node16 and the types of Node.js', async () => {
    const files = [...nodePrograms, 'require.cjs'] as const;
    expect(await compile(compiler, files, [...node16, ...es2022, ...withNode, '--exactOptionalPropertyTypes'])).toBe('');
  });

  test('compiles with nodenext', async () => {
    const files = hasUsing(compiler) ? ([...nodePrograms, 'using.mts'] as const) : nodePrograms;
    expect(await compile(compiler, files, [...nodenext, ...es2022, ...withoutNode])).toBe('');
  });

  test('refuses wrong programs, and takes right ones', async () => {
    const strict = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    expect(await compile(compiler, ['accepted.mts', 'refused.mts'], [...nodenext, ...es2022, ...withoutNode, ...strict])).toBe(
      '',
    );
    expect(await compile(compiler, ['accepted.mts'], [...nodenext, ...es2022, ...withoutNode])).toBe('');
  });

  test('compiles with bundler resolution', async () => {
    expect(await compile(compiler, ['bundled.ts', 'default.ts'], [...bundler, ...es2022, ...withoutNode])).toBe('');
  });
});

// The package itself declares a part of the library esnext.disposable, for programs that do not load the library.
test.each(compilers.filter(hasUsing))('%s compiles with the library esnext.disposable', async (compiler) => {
  const library = ['--lib', 'es2022,esnext.disposable'];
  expect(await compile(compiler, ['import.mts', 'using.mts'], [...nodenext, ...library, ...withoutNode])).toBe('');
});

test('an error in a program is found', async () => {
  writeFileSync(join(app, 'using.mts'), `import { createDevise } from 'node-directml';\nvoid createDevise;\n`);
  expect(await compile('typescript', ['using.mts'], [...nodenext, ...es2022, ...withoutNode])).toContain('createDevise');
});
