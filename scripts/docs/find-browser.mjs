// @ts-check
// Finds Chromium or Chrome, and installs Chromium if there is none.
import { existsSync } from 'node:fs';
import { installDebianPackage } from '../shared/debian.mjs';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Resolves to the path of the browser. If there is none, installs Debian's Chromium, for root on Debian or Ubuntu only. Rejects
 * with what to do.
 */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found !== undefined) return found;
  const failure = await installDebianPackage('chromium');
  const installed = findBrowser();
  if (installed !== undefined) return installed;
  throw new Error(
    `The site is tested in Chromium or Chrome, and there is none at ${usual.join(', ')}. ${failure}\n` +
      'What to do: install it, or name its program in NODE_DIRECTML_BROWSER.',
  );
}

/** How the site's tests start the browser: without a window, and without what it asks other servers. */
export const launchOptions = {
  args: [
    ...['--no-sandbox', '--disable-gpu', '--no-first-run'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
  ],
};

function findBrowser() {
  const named = process.env['NODE_DIRECTML_BROWSER'];
  if (named === undefined || named === '') return usual.find((path) => existsSync(path));
  if (!existsSync(named)) throw new Error(`NODE_DIRECTML_BROWSER names ${named}, which does not exist`);
  return named;
}
