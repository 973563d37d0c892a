// @ts-check
// Refuses to pack a package that would not work on Windows, or at all; else writes its bill of materials. npm, pnpm and Yarn run it
// before they pack or publish.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout } from './shared/common.mjs';
import { writeSbom } from './shared/sbom.mjs';

const ofArch = ['node-directml.node', 'DirectML.dll', 'DirectML-NOTICE.txt'];

/**
 * Returns what is missing in a checkout, and how to make it; empty if the package can be packed.
 * @returns {string[]}
 */
function refusals(folder = checkout) {
  const lacks = (/** @type {string[]} */ ...path) => !existsSync(join(folder, ...path));
  const folders = ['win32-x64', 'win32-arm64'].filter((name) => !lacks('prebuilds', name));
  return [
    ...(lacks('dist', 'index.js') ? ['dist is missing: npm run build -- --lib makes it'] : []),
    ...(folders.length === 0
      ? ['prebuilds has no addon, so the package could not work on Windows: npm run build:prebuilds makes it']
      : []),
    ...folders.flatMap((name) => {
      const missing = ofArch.filter((file) => lacks('prebuilds', name, file));
      const again = `npm run build:prebuilds -- --arch ${name.replace('win32-', '')} makes it`;
      return missing.map((file) => `prebuilds/${name} has no ${file}: ${again}`);
    }),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = refusals(process.argv[2]);
  for (const line of lines) console.error(`Not packed: ${line}`);
  if (lines.length > 0) process.exitCode = 1;
  else writeSbom(process.argv[2]);
}
