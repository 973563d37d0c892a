#!/usr/bin/env node
// @ts-check
// prebuildify calls this program instead of node-gyp (`rebuild --target=… --arch=…`). It builds with CMake and puts the
// addon where node-gyp would, in build/Release. prebuildify sets PREBUILD_ARCH.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildNative } from './native.mjs';
import { checkout, main, ownArch, remove } from './common.mjs';

await main(async () => {
  const release = join(checkout, 'build', 'Release');
  remove(release);
  const addon = await buildNative({ arch: process.env['PREBUILD_ARCH'] || ownArch });
  mkdirSync(release, { recursive: true });
  copyFileSync(addon, join(release, 'node_directml.node'));
});
