// @ts-check
// Packs the package and tries it as a user gets it: `npm run pack:check`. The tarball's list is checked, the
// tarball installed in an empty folder whose path has spaces and letters outside ASCII, and the example computed on
// the real DirectML by each supported Node.js, by a renamed one, by require and import, in workers, and out of an asar.
// A release checks the tarball that it is about to publish, which must hold both architectures:
//   npm run pack:check -- --tarball node-directml-1.0.0.tgz --arch x64 --arch arm64
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildLib } from './build.mjs';
import { checkList, install, pack } from './pack-check/tarball.mjs';
import { tryAsar, tryProgram, tryRedirection, tryTypes } from './pack-check/trials.mjs';
import { prebuild } from './prebuild.mjs';
import { main, ownArch, remove } from './shared/places.mjs';

/** @typedef {import('./pack-check/tarball.mjs').Row} Row */

/**
 * @param {object} [options]
 * @param {string} [options.tarball] to be checked as it is; without it one is made of this checkout
 * @param {readonly string[]} [options.archs] the architectures that the tarball must hold
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function packCheck({ tarball: given, archs = [ownArch] } = {}) {
  if (given === undefined) {
    await buildLib();
    for (const arch of archs) await prebuild(arch);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'node-directml-pack-'));
  try {
    const { tarball, files } = await pack(scratch, given);
    /** @type {Row[]} */
    const rows = [];
    const report = (/** @type {Row} */ row) => {
      console.log(`${row.ok ? 'ok    ' : 'FAILED'} ${row.name}${row.detail ? `: ${row.detail}` : ''}`);
      rows.push(row);
    };
    checkList(files, archs).forEach(report);
    const app = join(scratch, 'Ein Ordner für 日本 & Co');
    await install(tarball, app);
    for await (const row of tryProgram(app, scratch)) report(row);
    report(await tryRedirection(app, scratch));
    report(await tryAsar(app, scratch));
    for await (const row of tryTypes(app)) report(row);
    const passed = rows.filter((row) => row.ok).length;
    return { passed, failed: rows.length - passed, skipped: 0 };
  } finally {
    remove(scratch);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { values } = parseArgs({ options: { tarball: { type: 'string' }, arch: { type: 'string', multiple: true } } });
    const { passed, failed, skipped } = await packCheck({
      ...(values.tarball === undefined ? {} : { tarball: resolve(values.tarball) }),
      ...(values.arch === undefined ? {} : { archs: values.arch }),
    });
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? 0 : 1;
  });
}
