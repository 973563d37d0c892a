// @ts-check
// Installs packages of Debian and Ubuntu that checks need, such as a browser.
import { capture } from './common.mjs';

/** Resolves to the reason why nothing was installed; '' if the package was. Only root can have it installed. */
export async function installDebianPackage(/** @type {string} */ name) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Only root on Linux can have it installed by this test.';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-o', 'DPkg::Lock::Timeout=300'];
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', name]]) {
    const { code, output } = await capture('apt-get', [...options, ...args], { env });
    if (code !== 0) return output;
  }
  return '';
}
