#!/usr/bin/env node
// @ts-check
// What prebuildify calls in place of node-gyp (`rebuild --target=… --arch=…`): builds with CMake and leaves the
// addon where node-gyp would, in build/Release. PREBUILD_ARCH is set by prebuildify.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildNative } from './native.mjs';
import { checkout, main, ownArch, remove } from './places.mjs';

await main(async () => {
  const release = join(checkout, 'build', 'Release');
  remove(release);
  const addon = await buildNative({ arch: process.env['PREBUILD_ARCH'] || ownArch });
  mkdirSync(release, { recursive: true });
  copyFileSync(addon, join(release, 'node_directml.node'));
});
