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
    writeFileSync(join(checkout, file), '');
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

test('a package with an addon for one processor is packed', () => {
  make('dist/index.js', ...whole.map((file) => `prebuilds/win32-x64/${file}`));
  expect(prepack()).toEqual({ status: 0, said: [] });
});

test('npm runs it before it packs', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ scripts: { prepack: 'node scripts/prepack.mjs' } });
});
