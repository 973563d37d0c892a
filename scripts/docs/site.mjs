// @ts-check
// Builds the site into build/docs/site, unless nothing that it is made of has changed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { apiFolder, siteName } from '../../docs/.vitepress/pages.mjs';
import { checkout, remove, stamp } from '../shared/common.mjs';
import { writeApiPages } from './api.mjs';
import { checkLinks } from './check-links.mjs';

export const siteFolder = join(checkout, 'build', 'docs', 'site');
const configured = join(checkout, 'docs');

/** Builds the site and checks its links. */
export async function buildSite() {
  await writeApi();
  const markdown = readdirSync(checkout).filter((name) => name.endsWith('.md'));
  const built = stampOf('site', 'docs', apiFolder, 'scripts/docs', 'package.json', 'package-lock.json', ...markdown);
  if (!built.fresh) {
    remove(siteFolder);
    await build(configured);
    built.done();
  }
  return checkLinks(siteFolder, `/${siteName}/`);
}

/** Writes the pages of the API, which take a while too. */
export async function writeApi() {
  const built = stampOf('api', 'lib', 'scripts/docs', 'tsconfig.json', 'package-lock.json');
  if (built.fresh) return;
  remove(join(checkout, apiFolder));
  await writeApiPages();
  built.done();
}

function stampOf(/** @type {string} */ name, /** @type {string[]} */ ...inputs) {
  return stamp(
    name,
    inputs.map((path) => join(checkout, path)),
  );
}
