// @ts-check
// Packs the package and tries it as a user would: `npm run pack:check`. It checks the list of files in the tarball, and
// installs the tarball in an empty folder whose path has spaces and non-ASCII letters. Then the example runs on the real
// DirectML: with each supported Node.js, also as a renamed program, by require and import, in workers, and from an asar. pnpm
// and Yarn also install the tarball.
// A release checks the tarball that it will publish, which must have both architectures:
//   npm run pack:check -- --tarball node-directml-1.0.0.tgz --arch x64 --arch arm64
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildLib } from './build.mjs';
import { tryInstallers } from './pack-check/installers.mjs';
import { checkList, install, pack, tryCommands } from './pack-check/tarball.mjs';
import { tryAsar, tryDoctor, tryProgram, tryRedirection, tryTypes } from './pack-check/trials.mjs';
import { prebuild } from './prebuild.mjs';
import { main, ownArch, remove } from './shared/common.mjs';
import { ensurePackages } from './shared/packages.mjs';

/** @typedef {import('./pack-check/tarball.mjs').Row} Row */

/**
 * @param {object} [options]
 * @param {string} [options.tarball] the tarball to check; by default this checkout is packed
 * @param {readonly string[]} [options.archs] the architectures that the tarball must have
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function packCheck({ tarball: given, archs = [ownArch] } = {}) {
  await ensurePackages('test/external');
  if (given === undefined) {
    await buildLib();
    for (const arch of archs) await prebuild(arch);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'node-directml-pack-'));
  try {
    const { tarball, ...packed } = await pack(scratch, given);
    /** @type {Row[]} */
    const rows = [];
    const report = (/** @type {Row} */ row) => {
      console.log(`${row.ok ? 'ok    ' : 'FAILED'} ${row.name}${row.detail ? `: ${row.detail}` : ''}`);
      rows.push(row);
    };
    const app = join(scratch, 'Ein Ordner für 日本 & Co');
    await install(tarball, app);
    for (const row of await checkList(packed, archs, join(app, 'node_modules', 'node-directml'))) report(row);
    for await (const row of tryProgram(app, scratch)) report(row);
    for await (const row of tryCommands(app)) report(row);
    report(await tryDoctor(app, scratch));
    report(await tryRedirection(app, scratch));
    report(await tryAsar(app, scratch));
    for await (const row of tryTypes(app)) report(row);
    for await (const row of tryInstallers(tarball, scratch)) report(row);
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
