/** `npm pack` refuses a checkout that would make a package that cannot work. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'node-directml-prepack-'));
});

afterEach(() => rmSync(checkout, { recursive: true }));

function make(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    writeFileSync(join(checkout, file), file.endsWith('.dll') ? versionResource : '');
  }
}

function prepack() {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'prepack.mjs'), checkout], { encoding: 'utf8' });
  return {
    status,
    said: stderr
      .trim()
      .split('\n')
      .filter((line) => line !== ''),
  };
}

/** The part of a DLL that has its file version, 1.15.4.0. */
const versionResource = Buffer.from('bd04effe00000100' + '0f000100' + '00000400', 'hex');
const whole = ['node-directml.node', 'DirectML.dll', 'DirectML-NOTICE.txt'];

test('a package without an addon is refused', () => {
  make('dist/index.js', 'prebuilds/README.md');
  expect(prepack()).toEqual({
    status: 1,
    said: ['Not packed: prebuilds has no addon, so the package could not work on Windows: npm run build:prebuilds makes it'],
  });
});

test('a DLL that is missing beside an addon is named, and so is a missing dist', () => {
  make(...whole.map((file) => `prebuilds/win32-x64/${file}`), 'prebuilds/win32-arm64/node-directml.node');
  expect(prepack()).toEqual({
    status: 1,
    said: [
      'Not packed: dist is missing: npm run build -- --lib makes it',
      'Not packed: prebuilds/win32-arm64 has no DirectML.dll: npm run build:prebuilds -- --arch arm64 makes it',
      'Not packed: prebuilds/win32-arm64 has no DirectML-NOTICE.txt: npm run build:prebuilds -- --arch arm64 makes it',
    ],
  });
});

test('a package with an addon for one processor is packed, with a bill of its native files', () => {
  make('dist/index.js', ...whole.map((file) => `prebuilds/win32-x64/${file}`));
  expect(prepack()).toEqual({ status: 0, said: [] });
  const bill: unknown = JSON.parse(readFileSync(join(checkout, 'sbom.cdx.json'), 'utf8'));
  const folder = 'prebuilds/win32-x64';
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { name: 'node-directml' } } });
  expect(Reflect.get(bill as object, 'components')).toMatchObject([
    // The hash of no bytes.
    { name: `${folder}/node-directml.node`, hashes: [{ alg: 'SHA-256', content: expect.stringMatching(/^e3b0c44298fc1c14/) }] },
    { name: 'Microsoft.AI.DirectML', version: '1.15.4', 'bom-ref': `${folder}/DirectML.dll` },
    { name: 'node-addon-api' },
    { name: 'node-api-headers' },
    { name: 'DirectX-Headers', version: '1.614.1' },
  ]);
});

test('npm runs it before it packs', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ scripts: { prepack: 'node scripts/prepack.mjs' } });
});
