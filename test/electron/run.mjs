// Installs the packed package and Electron, packs the application in app/ as an asar, and runs it. For Windows; CI does it:
//   node test/electron/run.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLib } from '../../scripts/build.mjs';
import { copyFolder, pack } from '../../scripts/pack-check/tarball.mjs';
import { prebuild } from '../../scripts/prebuild.mjs';
import { checkout, main, must, npmCommand, remove, run } from '../../scripts/shared/common.mjs';

/** The Electron that is tested, and the program that makes asar files. */
const packages = ['electron@45.5.0', '@electron/asar@4.3.2'];
/** In milliseconds. */
const timeout = 5 * 60_000;

async function install(/** @type {string} */ folder, /** @type {readonly string[]} */ wanted) {
  const { command, args, shell } = npmCommand(['install', '--no-save', '--no-audit', '--no-fund', ...wanted]);
  await must(`npm install ${wanted.join(' ')}`, run(command, args, { cwd: folder, shell }));
}

await main(async () => {
  await buildLib();
  await prebuild();
  const scratch = mkdtempSync(join(tmpdir(), 'node-directml-electron-'));
  try {
    const tools = join(scratch, 'tools');
    const app = join(scratch, 'app');
    copyFolder(join(checkout, 'test', 'electron', 'app'), app);
    copyFolder(app, tools);
    const { tarball } = await pack(scratch, undefined);
    await install(app, [tarball]);
    await install(tools, packages);
    const packed = join(scratch, 'app.asar');
    const asar = join(tools, 'node_modules', '@electron', 'asar', 'bin', 'asar.mjs');
    execFileSync(process.execPath, [asar, 'pack', app, packed, '--unpack-dir', 'node_modules/node-directml/prebuilds']);
    const electron = join(tools, 'node_modules', 'electron', 'cli.js');
    return await run(process.execPath, [electron, packed], { cwd: scratch, timeout });
  } finally {
    remove(scratch);
  }
});
