// @ts-check
// `npm run docs` builds the site and checks it: links, the meanings of fields, the examples. `-- --site` leaves out the
// examples. `-- --serve` shows the site at an address of this machine, and each change of a page at once.
import { createServer } from 'vitepress';
import { buildLib } from './build.mjs';
import { runExamples } from './docs/examples.mjs';
import { checkMeanings } from './docs/operator-pages.mjs';
import { buildSite, siteFolder, writeApi } from './docs/site.mjs';
import { main } from './shared/common.mjs';

const options = new Set(process.argv.slice(2));

await main(() => (options.has('--serve') ? serve() : check()));

async function check() {
  const began = Date.now();
  const [{ pages, links, dead }, examples] = await Promise.all([buildSite(), options.has('--site') ? undefined : tryExamples()]);
  const operators = checkMeanings();
  const rows = [
    `${pages} pages in ${siteFolder}`,
    `${links} links within the site, ${dead.length} dead`,
    `${operators.complete} of ${operators.pages} operator pages have a meaning for each field`,
  ];
  if (examples !== undefined) rows.push(`${examples.run} examples run, ${examples.failed.length} failed`);
  const problems = [
    ...dead.map((link) => `dead link: ${link}`),
    ...operators.missing.map((field) => `no meaning: ${field}`),
    ...(examples?.failed.map((name) => `example: ${name}`) ?? []),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`${rows.join('\n')}\nTook ${((Date.now() - began) / 1000).toFixed(0)} s.`);
  return problems.length === 0 ? 0 : 1;
}

async function tryExamples() {
  await buildLib();
  return runExamples();
}

async function serve() {
  await writeApi();
  const server = await createServer('docs');
  await server.listen();
  server.printUrls();
  // Until the user ends it.
  await new Promise(() => {});
}
