/** The API is the same however the package is loaded. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

test('require and import give the same names and the same classes', async () => {
  const required: unknown = createRequire(import.meta.url)('node-directml');
  const imported: object = await import('node-directml');
  if (typeof required !== 'object' || required === null) throw new TypeError('no exports');
  expect(Object.keys(imported).sort()).toEqual(Object.keys(required).sort());
  for (const name of Object.keys(imported)) expect(Reflect.get(imported, name)).toBe(Reflect.get(required, name));
});

test('the files for bundlers give the same names', async () => {
  const forBundlers = async (name: string): Promise<object> => import(new URL(`../../dist/module/${name}`, import.meta.url).href);
  expect(Object.keys(await forBundlers('index.mjs'))).toEqual(Object.keys(await import('node-directml')));
  expect(Object.keys(await forBundlers('array.mjs'))).toEqual(Object.keys(await import('node-directml/array')));
  expect(Object.keys(await forBundlers('nn.mjs'))).toEqual(Object.keys(await import('node-directml/nn')));
  expect(Object.keys(await forBundlers('operators.mjs'))).toEqual(Object.keys(await import('node-directml/operators')));
  expect(Object.keys(await forBundlers('files.mjs'))).toEqual(Object.keys(await import('node-directml/files')));
  expect(Object.keys(await forBundlers('onnxruntime.mjs'))).toEqual(Object.keys(await import('node-directml/onnxruntime')));
  expect(Object.keys(await forBundlers('webnn.mjs'))).toEqual(Object.keys(await import('node-directml/webnn')));
});

// With a `value` in Object.prototype, Node.js cannot load its streams: the program has them before.
test.each([
  ['first', `Object.prototype.foo = 5; const { createDevice } = require('node-directml');`],
  [
    'later',
    `const { createDevice } = require('node-directml'), { stdout } = process; Object.prototype.foo = Object.prototype.value = 5;`,
  ],
])('a program may add properties to Object.prototype %s', (_, begin) => {
  const program = `${begin}
    createDevice({ backend: 'reference', thread: 'caller' }).then(async (device) => {
      const inputTensor = device.createTensor({ dataType: 'float32', sizes: [2] }, [1, -2]);
      const { outputTensor } = await device.run({ type: 'activationRelu', inputTensor });
      process.stdout.write(String(await outputTensor.read()));
    });`;
  expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toBe('1,0');
});
