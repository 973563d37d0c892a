// @ts-check
// Builds the site into build/docs/site, unless nothing that it is made of has changed, or shows it while it is written.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, createServer } from 'vitepress';
import { checkLinks } from '../../scripts/docs/check-links.mjs';
import { checkout, remove, stamp } from '../../scripts/shared/common.mjs';
import { writeApiPages } from './api.mjs';
import { apiFolder, siteName, tensorFolder } from './pages.mjs';

export const siteFolder = join(checkout, 'build', 'docs', 'site');
const configured = join(checkout, 'docs');

/** Builds the site and checks its links. Needs the built library. */
export async function buildSite() {
  await writeApi();
  await writePictures();
  const markdown = readdirSync(checkout).filter((name) => name.endsWith('.md'));
  const built = stampOf('site', 'docs', 'lib', apiFolder, tensorFolder, 'package.json', ...markdown);
  if (!built.fresh) {
    remove(siteFolder);
    await build(configured);
    built.done();
  }
  return checkLinks(siteFolder, `/${siteName}/`);
}

/** Shows the site at an address of this machine, and each change of a page at once. */
export async function serveSite() {
  await writeApi();
  await writePictures();
  const server = await createServer(configured);
  await server.listen();
  server.printUrls();
}

/** Writes the pages of the API, unless they are up to date. */
export async function writeApi() {
  const built = stampOf('api', 'lib', 'docs/.vitepress/api.mjs', 'docs/package-lock.json', 'tsconfig.json');
  if (built.fresh) return;
  remove(join(checkout, apiFolder));
  await writeApiPages();
  built.done();
}

/** Draws what operators do. */
async function writePictures() {
  const built = stampOf('tensor-pictures', 'dist', 'docs/.vitepress/tensors');
  if (built.fresh) return;
  const folder = join(checkout, tensorFolder);
  remove(folder);
  mkdirSync(folder, { recursive: true });
  // Loads the built library, which may not exist before.
  const { drawOperators } = await import('./tensors/compute.mjs');
  for (const [name, picture] of await drawOperators()) writeFileSync(join(folder, `${name}.html`), picture);
  built.done();
}

function stampOf(/** @type {string} */ name, /** @type {string[]} */ ...inputs) {
  return stamp(
    name,
    inputs.map((path) => join(checkout, path)),
  );
}
