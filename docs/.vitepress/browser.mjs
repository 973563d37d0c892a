// @ts-check
// Runs the programs of the pages in Chromium, as a reader does, and compares what they print with what Node.js prints. Also
// measures what a first run loads, and looks at pages on screens of three widths, in light and in dark.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { failingPrograms } from './failing-programs.mjs';
import { fragmentOf } from './playground/link.mjs';
import { address as pageAddress } from './pages.mjs';
import { checkout, remove } from '../../scripts/shared/common.mjs';
import { ensureBrowser, launchOptions } from '../../scripts/docs/find-browser.mjs';
import { operatorPrograms, outputsInNode, pagePrograms } from '../../scripts/docs/programs-in-node.mjs';
import { serve } from '../../scripts/docs/serve.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../../scripts/docs/programs-in-node.mjs').PageProgram} PageProgram */

/** In kB of 1000 bytes, compressed: the JavaScript that a page, the editor and the first run of a program may load in all. */
const mostLoaded = 400;
/** How long someone who sees the front page for the first time may wait for the computer until an own result is there. */
const mostSeconds = 60;
/** Operator pages where the example is run on the page itself. The examples of all are run in the playground. */
const clicked = ['gemm', 'convolution', 'topK'];
/** What is typed into the search: names, two words, and a mistake. */
const searched = ['fft', 'sum', 'cross entropy', 'masked', 'memory leak', 'ERR_SIZES', 'layer norm', 'gathr'];
const screenshots = join(checkout, 'build', 'docs', 'screenshots');

/** @returns {Promise<{ rows: string[], problems: string[] }>} */
export async function checkInBrowser() {
  const executablePath = await ensureBrowser();
  const examples = operatorPrograms();
  const others = pagePrograms();
  const expected = await outputsInNode([...examples, ...others]);
  const site = await serve();
  const browser = await chromium.launch({ executablePath, ...launchOptions });
  try {
    /** @type {string[]} */
    const problems = [];
    const newPage = async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      return page;
    };
    /** Compares what each block prints. */
    const agrees = async (/** @type {PageProgram} */ program, /** @type {() => Promise<string[]>} */ work) => {
      const name = `${program.page}, program ${program.number}`;
      try {
        const printed = await work();
        const wrong = printed.findIndex((text, i) => text !== expected.get(program)?.[i]);
        if (wrong === -1) return 1;
        const [here, inNode] = [printed[wrong], expected.get(program)?.[wrong]].map((text) => JSON.stringify(text));
        problems.push(`${name}, block ${wrong + 1}: prints ${here}, in Node.js ${inNode}`);
      } catch (error) {
        problems.push(`${name}: ${String(error)}`);
      }
      return 0;
    };

    const page = await newPage();
    await page.goto(`${site.address}playground`);
    await page.locator('.playground .cm-content').waitFor();
    let right = 0;
    let loaded = 0;
    for (const program of examples) {
      right += await agrees(program, async () => [await runInPlayground(page, program.blocks.join(''))]);
      loaded ||= sizeOf(site.sent);
    }
    await page.getByLabel('Example').selectOption('k-means');
    await page.locator('.cm-line', { hasText: "import { createDevice } from 'node-directml'" }).waitFor();
    let told = 0;
    for (const [code, ...said] of failingPrograms) {
      const printed = await runInPlayground(page, code);
      const missing = said.find((part) => !printed.includes(part));
      if (missing === undefined) told += 1;
      else
        problems.push(
          `the playground says of ${JSON.stringify(code)} not ${JSON.stringify(missing)}: ${JSON.stringify(printed)}`,
        );
    }
    let rightOthers = 0;
    for (const program of others) rightOthers += await agrees(program, () => runOnPage(page, site.address, program));
    for (const program of examples.filter(({ name }) => clicked.includes(name))) {
      await agrees(program, () => runOnPage(page, site.address, program));
    }
    const tried = async (/** @type {string} */ name, /** @type {() => Promise<void>} */ work) => {
      try {
        await work();
      } catch (error) {
        problems.push(`${name}: ${String(error)}`);
      }
    };
    await tried('docs/operators/gemm.md, the editor', () => useEditor(page, site.address));
    let visited = NaN;
    await tried('the front page', async () => {
      visited = await secondsToOwnResult(await newPage(), site.address);
    });
    if (visited > mostSeconds) problems.push(`an own result on the front page takes ${visited} s, more than ${mostSeconds}`);
    if (loaded > mostLoaded) problems.push(`the first run loads ${loaded} kB compressed, more than ${mostLoaded}`);
    for (const words of searched) {
      await tried(`the search for ${words}`, () => search(page, site.address, words));
    }
    const pictures = await photograph(page, site.address, problems);
    return {
      rows: [
        `${right} of ${examples.length} operator examples run in Chromium as in Node.js`,
        `${rightOthers} of ${others.length} other programs run in Chromium as in Node.js`,
        `${told} of ${failingPrograms.length} programs that fail say where and why`,
        `first load: ${loaded} kB compressed of ${mostLoaded}`,
        `own result on the front page: after ${visited} s of ${mostSeconds}`,
        `${searched.length} searches whose results show the words that were found`,
        `${pictures} screenshots in ${screenshots}`,
      ],
      problems,
    };
  } finally {
    await browser.close();
    await site.close();
  }
}

/** In kB, the JavaScript among the files as a server sends it. */
function sizeOf(/** @type {Map<string, Buffer>} */ files) {
  let bytes = 0;
  for (const [name, content] of files) if (name.endsWith('.js')) bytes += gzipSync(content).length;
  return Math.ceil(bytes / 1000);
}

async function runInPlayground(/** @type {Page} */ page, /** @type {string} */ code) {
  const fragment = await fragmentOf(code);
  await page.evaluate((hash) => void (location.hash = hash), fragment);
  // The page reads its address at once, but not in the same turn.
  const begin = code.split('\n', 1).join('');
  await page.locator('.cm-line', { hasText: code.split('\n').find((line) => line.includes('operators')) ?? begin }).waitFor();
  return runBlock(page.locator('.playground'));
}

/** Runs each block of a program on its own page. */
async function runOnPage(/** @type {Page} */ page, /** @type {string} */ address, /** @type {PageProgram} */ program) {
  const path = pageAddress(program.page).slice(1);
  if (!page.url().startsWith(`${address}${path}#`) && page.url() !== `${address}${path}`) await page.goto(`${address}${path}`);
  const blocks = page.locator(`.runnable[data-program="${program.number - 1}"]`);
  const printed = [];
  for (let i = 0; i < program.blocks.length; i++) printed.push(await runBlock(blocks.nth(i)));
  return printed;
}

/** Presses Run, waits for the end and returns the output. */
async function runBlock(/** @type {import('playwright-core').Locator} */ block) {
  await block.getByRole('button', { name: 'Run', exact: true }).click();
  await block.locator('.output:not([aria-busy="true"])').waitFor();
  return (await block.locator('.output pre:not(.nested)').allTextContents()).join('\n');
}

/** Edits a program with the keyboard, stops it, completes a name and leaves the editor. Each step waits for what a reader sees. */
async function useEditor(/** @type {Page} */ page, /** @type {string} */ address) {
  await page.goto(`${address}operators/gemm`);
  const block = page.locator('.runnable').first();
  await block.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = block.getByRole('textbox', { name: 'Program' });
  await editor.press('Control+End');
  await page.keyboard.type('console.log(1 + 1); while (true);');
  await page.keyboard.press('Control+Enter');
  await block.locator('.output pre', { hasText: /^2$/ }).waitFor();
  await block.getByRole('button', { name: 'Stop', exact: true }).click();
  await block.locator('.output pre', { hasText: 'Stopped.' }).waitFor();
  await block.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await editor.press('Control+a');
  await page.keyboard.type('gemm(a, b, { transA: "tr');
  await block.getByRole('option', { name: 'transpose' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('"}); argma');
  await block.getByRole('option', { name: 'argmax' }).click();
  await block.locator('.cm-line', { hasText: "import { argmax } from 'node-directml/operators';" }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await block.locator('.cm-editor:not(.cm-focused)').waitFor();
}

/** Adds a line to the example of the front page, and runs it. */
async function secondsToOwnResult(/** @type {Page} */ page, /** @type {string} */ address) {
  const began = performance.now();
  await page.goto(address);
  const block = page.locator('.runnable').first();
  await block.getByRole('button', { name: 'Edit', exact: true }).click();
  await block.getByRole('textbox', { name: 'Program' }).press('Control+End');
  await page.keyboard.type('console.log(await (await np.multiply(x, 10)).toArray());');
  await page.keyboard.press('Control+Enter');
  await block.locator('.output pre', { hasText: '[ [ 10, 20, 30 ], [ 40, 50, 60 ] ]' }).waitFor();
  return Math.ceil((performance.now() - began) / 1000);
}

/** Types words into the search, and looks at each result for one that was found. */
async function search(/** @type {Page} */ page, /** @type {string} */ address, /** @type {string} */ words) {
  // The key does nothing before the scripts of the page have run.
  await page.goto(`${address}documentation`, { waitUntil: 'networkidle' });
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill(words);
  const results = page.locator('.VPLocalSearchBox .result');
  await results.first().locator('mark').first().waitFor();
  const silent = await results.filter({ hasNot: page.locator('mark') }).allTextContents();
  if (silent.length > 0) throw new Error(`these results do not say why they are there: ${silent.join(', ')}`);
}

/**
 * Photographs three pages on three screens. Looks for lines of code that are cut, on wide screens for tables that are and for lines
 * that need two, and on small ones for tables that do not show that they scroll.
 */
async function photograph(/** @type {Page} */ page, /** @type {string} */ address, /** @type {string[]} */ problems) {
  remove(screenshots);
  mkdirSync(screenshots, { recursive: true });
  let count = 0;
  for (const [name, path] of [
    ['front', ''],
    ['operator', 'operators/gemm'],
    ['playground', 'playground'],
  ]) {
    await page.goto(`${address}${path}`);
    const block = page.locator('.runnable').first();
    await runBlock(block);
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`) });
        count++;
      }
      for (const part of await cutParts(page)) problems.push(`/${path} at ${width} pixels cuts: ${part}`);
    }
  }
  return count;
}

/** The first line of each block of code, and of each table, that does not fit. */
function cutParts(/** @type {Page} */ page) {
  return page.evaluate(() => {
    const all = (/** @type {string} */ selectors) => [...document.querySelectorAll(selectors)];
    const isWide = innerWidth >= 1280;
    const isCut = (/** @type {Element} */ { scrollWidth, clientWidth }) => scrollWidth > clientWidth;
    const shows = (/** @type {Element} */ table) => getComputedStyle(table).backgroundImage.includes('gradient');
    const cut = [
      ...all('.vp-doc pre, .vp-doc .cm-scroller').filter(isCut),
      ...all('.vp-doc table').filter((table) => isCut(table) && (isWide || !shows(table))),
      ...all('.vp-doc pre .line').filter(
        (line) => innerWidth >= 1920 && line.getClientRects().length > 0 && line.clientHeight > 36,
      ),
    ];
    return cut.map(({ textContent }) => (textContent ?? '').trim().split('\n', 1).join(''));
  });
}
