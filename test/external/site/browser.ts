/** Finds Chromium or Chrome, and installs Chromium if there is none. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

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
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser();
  if (found !== undefined) return found;
  const failure = await install();
  const installed = findBrowser();
  if (installed !== undefined) return installed;
  throw new Error(
    `The site is tested in Chromium or Chrome, and there is none at ${usual.join(', ')}. ${failure}\n` +
      'What to do: install it, or name its program in NODE_DIRECTML_BROWSER.',
  );
}

function findBrowser(): string | undefined {
  const named = process.env['NODE_DIRECTML_BROWSER'];
  if (named === undefined || named === '') return usual.find((path) => existsSync(path));
  if (!existsSync(named)) throw new Error(`NODE_DIRECTML_BROWSER names ${named}, which does not exist`);
  return named;
}

/** Resolves to the reason why nothing was installed; '' if Chromium was. */
async function install(): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Only root on Linux can have it installed by this test.';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    promisify(execFile)('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env, maxBuffer: 1 << 26 });
  try {
    await apt('update');
    await apt('install', '--yes', '--no-install-recommends', 'chromium');
    return '';
  } catch (error) {
    return String(error);
  }
}
