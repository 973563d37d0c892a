// @ts-check
// `npm run docs` builds the site and checks it: links, the meanings of fields, the examples. `-- --site` leaves out the
// examples, and the browser that runs them. `-- --serve` serves the site on this machine, and shows changes of pages at once.
import { buildLib } from './build.mjs';
import { runExamples } from './docs/examples.mjs';
import { checkMeanings } from './docs/operator-pages.mjs';
import { main } from './shared/common.mjs';
import { ensurePackages } from './shared/packages.mjs';

const options = new Set(process.argv.slice(2));

await main(async () => {
  await ensurePackages('docs');
  await buildLib();
  const site = await import('../docs/.vitepress/site.mjs');
  if (!options.has('--serve')) return check(site);
  await site.serveSite();
  // The server runs until the user ends it.
  return new Promise(() => {});
});

async function check(/** @type {typeof import('../docs/.vitepress/site.mjs')} */ { buildSite, siteFolder }) {
  const began = Date.now();
  const [{ pages, links, dead }, examples] = await Promise.all([buildSite(), options.has('--site') ? undefined : runExamples()]);
  const operators = checkMeanings();
  const inBrowser = options.has('--site') ? undefined : await tryBrowser();
  const rows = [
    `${pages} pages in ${siteFolder}`,
    `${links} links within the site, ${dead.length} dead`,
    `${operators.complete} of ${operators.pages} operator pages have a meaning for each field`,
  ];
  if (examples !== undefined) rows.push(`${examples.run} examples run, ${examples.failed.length} failed`);
  rows.push(...(inBrowser?.rows ?? []));
  const problems = [
    ...dead.map((link) => `dead link: ${link}`),
    ...operators.missing.map((field) => `no meaning: ${field}`),
    ...(examples?.failed.map((name) => `example: ${name}`) ?? []),
    ...(inBrowser?.problems ?? []),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`${rows.join('\n')}\nTook ${((Date.now() - began) / 1000).toFixed(0)} s.`);
  return problems.length === 0 ? 0 : 1;
}

/** Needs the packages of the site, which are installed now. */
async function tryBrowser() {
  const { checkInBrowser } = await import('../docs/.vitepress/browser.mjs');
  return checkInBrowser();
}
