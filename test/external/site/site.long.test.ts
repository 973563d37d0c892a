/** The built site in a real browser: what a reader finds, sees and clicks. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ensureBrowser, launchOptions } from '../../../scripts/docs/find-browser.mjs';
import { openSite } from './open-site.js';

let site: Awaited<ReturnType<typeof openSite>>;
let browser: Browser;
let page: Page;
/**
 * Faults in the browser: errors of scripts, errors and warnings of the console, requests to other servers, and failed responses.
 */
let faults: string[];

beforeAll(async () => {
  const executablePath = await ensureBrowser();
  site = await openSite();
  browser = await chromium.launch({ executablePath, ...launchOptions });
  return async () => {
    await browser.close();
    await site.close();
  };
});

beforeEach(async () => {
  faults = [];
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(site.address)) faults.push(`another server is asked: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (!response.ok()) faults.push(`${response.status()} ${response.url()}`);
  });
});

afterEach(async () => {
  await page.close();
  expect(faults).toEqual([]);
});

const open = (path: string) => page.goto(`${site.address}${path}`, { waitUntil: 'networkidle' });

describe('the search', () => {
  const first = {
    'scatter nd update': 'scatterNd',
    'layer norm': 'meanVarianceNormalization1',
    matmul: 'gemm',
    concat: 'join',
    'RMS norm': 'meanVarianceNormalization2',
    SiLU: 'activationSwish',
    createDevice: 'createDevice()',
    Tensor: 'Tensor<T>',
  };

  test.each(Object.entries(first))('%s', async (words, title) => {
    await open('');
    // The key does nothing before the page's scripts have run.
    await vi.waitFor(async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').fill(words, { timeout: 1000 });
    }, 30_000);
    await page
      .locator('.VPLocalSearchBox .result')
      .first()
      .and(page.locator('.result', { hasText: title }))
      .click();
    await page.locator(`.vp-doc h1:has-text("${title}")`).waitFor();
  });
});

describe('pages', () => {
  test('begin with one that says its name once, whom it is for, and three facts beside a program', async () => {
    await open('');
    const face = page.locator('.face');
    expect(await face.locator('h1').textContent()).toContain('node-directml');
    expect(await page.locator('.VPNavBarTitle').getByText('node-directml').isVisible()).toBe(false);
    await face.getByText('It is for ').waitFor();
    expect(await face.locator('.facts strong').allTextContents()).toEqual(['177 of 177', '21,240', expect.stringMatching(/ ×$/)]);
    await face.getByRole('button', { name: 'Run', exact: true }).waitFor();
  });

  test('of arrays have a section for each function', async () => {
    await open('array-functions#mean');
    await page.locator('h3#mean + p', { hasText: 'mean(x, { axis, keepDims }): The mean, as a float.' }).waitFor();
  });

  test('show a graph as a picture with its nodes', async () => {
    await open('graphs');
    const picture = page.locator('.vp-doc .graph svg');
    await picture.scrollIntoViewIfNeeded();
    expect(await picture.locator('text').allTextContents()).toEqual(
      expect.arrayContaining(['image', 'convolution_0', 'float32 [2, 3, 16, 16]', 'probabilities']),
    );
    const box = await picture.boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect(box?.height).toBeGreaterThan(300);
    expect(await page.getByText('flowchart TB').count()).toBe(0);
  });

  test('of an operator show in a picture what it does to small tensors', async () => {
    await open('operators/maxPooling');
    const picture = page.getByRole('img', { name: 'The largest element of each 2 × 2 window' });
    expect((await picture.locator('.number').allTextContents()).slice(-4)).toEqual(['5', '7', '4', '9']);
    await picture.getByText('outputTensor', { exact: true }).waitFor();
  });

  test.each([390, 1280])('show whole lines of code at %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['', 'operators/gemm']) {
      await open(path);
      const widths = "[...document.querySelectorAll('.vp-doc pre')].map((pre) => pre.scrollWidth - pre.clientWidth)";
      expect(new Set(await page.evaluate<number[]>(widths))).toEqual(new Set([0]));
    }
  });

  test('of an operator have its table, its example in colours, and a menu of its family', async () => {
    await open('operators/gemm');
    await page.locator('.vp-doc td:has-text("alpha")').first().waitFor();
    const colors = page.locator('.vp-doc .language-ts code span[style]');
    expect(await colors.count()).toBeGreaterThan(20);
    await page.getByRole('complementary').getByRole('link', { name: 'matrixMultiplyInteger', exact: true }).click();
    await page.waitForURL('**/operators/matrixMultiplyInteger');
    await page.locator('h1:has-text("matrixMultiplyInteger")').waitFor();
  });

  test('link to other pages, and to files on GitHub', async () => {
    await open('graphs');
    const target = (name: string) =>
      page.locator('.vp-doc').getByRole('link', { name, exact: true }).first().getAttribute('href');
    expect(await target('operators')).toBe('/node-directml/indices');
    expect(await target('Differences')).toBe('/node-directml/differences#graphs');
    expect(await target('image-classifier')).toMatch(/^https:\/\/github\.com\/.*\/blob\/main\/examples\/image-classifier\.mjs$/);
  });

  test('of the API have the doc comments, and their descriptors lead to the pages of the operators', async () => {
    await open('api/node-directml/classes/Device');
    await page.getByText('A device of the DirectML backend or of the reference backend.').waitFor();
    await page.locator('#dispose, #idle').first().waitFor();
    await open('api/node-directml/interfaces/OperatorDescriptors');
    await page.getByRole('link', { name: 'ScatterNdDescriptor' }).click();
    await page.locator('h1:has-text("scatterNd")').waitFor();
  });
});

describe('on a phone', () => {
  beforeEach(() => page.setViewportSize({ width: 360, height: 740 }));

  /** How many pixels the page is wider than the screen. */
  const excess = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

  test.each(['', 'graphs', 'operators/', 'operators/gemm', 'differences', 'api/node-directml/classes/Device'])(
    '/%s fits its width',
    async (path) => {
      await open(path);
      expect(await excess()).toBe(0);
      const text = await page.locator('.vp-doc p').first().boundingBox();
      expect(text?.width).toBeGreaterThan(280);
    },
  );

  test('the menu and the search lead to another page', async () => {
    await open('operators/gemm');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.locator('.VPSidebar').getByRole('link', { name: 'gemm', exact: true }).waitFor();
    await page.locator('.VPSidebar').getByRole('link', { name: 'quantizedLinearMatrixMultiply', exact: true }).click();
    await page.locator('h1:has-text("quantizedLinearMatrixMultiply")').waitFor();
    await page.locator('.VPNavBarSearch button').click();
    await page.getByRole('searchbox').fill('scatter nd update');
    await page.locator('.VPLocalSearchBox .result').first().click();
    await page.locator('h1:has-text("scatterNd")').waitFor();
  });
});
