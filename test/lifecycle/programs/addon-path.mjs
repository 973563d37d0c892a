/**
 * `node addon-path.mjs ELSEWHERE BROKEN OWN`: names an addon that does not load, then one in another folder, then that of the
 * checkout. Writes one line of JSON. It needs its own process, because a loaded addon stays loaded.
 */
import { createDevice, listAdapters } from 'node-directml';

const [, , elsewhere = '', broken = '', own = ''] = process.argv;
const codeOf = (/** @type {unknown} */ error) => (error instanceof Error && 'code' in error ? error.code : String(error));
const refused = (/** @type {string} */ addonPath) => createDevice({ addonPath }).then(() => 'a device', codeOf);

const before = await refused(broken);
const adapters = (await listAdapters({ addonPath: elsewhere.replaceAll('\\', '/') })).length;
const loaded = await createDevice({ addonPath: elsewhere.toUpperCase().replace('.NODE', '.node') });
const unnamed = await createDevice();
const paths = [loaded.info.directmlPath, unnamed.info.directmlPath];
console.log(JSON.stringify({ before, adapters, paths, after: await refused(own) }));
