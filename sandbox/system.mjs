// @ts-check
// The Linux system of the sandbox: the host itself if it has the packages, else a Debian 13 root.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { logged, outputOf } from './commands.mjs';
import { keyOf, paths } from './paths.mjs';
import { isDone, step } from './steps.mjs';

const suite = 'trixie';
const mirror = process.env['NODE_DIRECTML_DEBIAN_MIRROR'] || 'http://deb.debian.org/debian';
const packages = [
  'wine',
  'wine64',
  'mesa-vulkan-drivers',
  'libvulkan1',
  'xvfb',
  'xauth',
  'libgl1',
  'libgl1-mesa-dri',
  'g++-mingw-w64-x86-64-posix',
  'directx-headers-dev',
  'cmake',
  'ninja-build',
];
const hostNeeds = ['wine', 'wineserver', 'Xvfb', 'x86_64-w64-mingw32-g++-posix', 'cmake', 'ninja'];
/** Minimum major version. Wine 8 starts DirectML, but its results are wrong. */
const minWineVersion = 10;

/** Returns the root folder to run in; "/" is the host. Undefined if there is none yet. */
export function currentRoot() {
  if (isDone(paths.root, systemKey())) return paths.root;
  return hostServes() ? '/' : undefined;
}

/** Makes sure that there is a root, and installs packages if needed. */
export async function ensureSystem() {
  if (currentRoot() !== undefined) return;
  const isRoot = process.getuid?.() === 0;
  const candidate = outputOf('apt-cache', 'policy', 'wine')?.match(/Candidate: (?:\d+:)?(\d+)/)?.[1];
  if (candidate !== undefined && Number(candidate) >= minWineVersion) {
    if (!isRoot) throw new Error(needPackages(`sudo apt-get install --no-install-recommends ${packages.join(' ')}`));
    await step('installing Wine and the cross compiler', paths.host, systemKey(), async () => {
      await apt('update');
      await apt('install', '--yes', '--no-install-recommends', ...packages);
    });
    if (!hostServes()) throw new Error(needPackages('look at what is missing by hand'));
    return;
  }
  if (!isRoot) {
    throw new Error(needPackages('run it as root (sudo -E), which makes a Debian 13 root in the cache folder'));
  }
  if (outputOf('dpkg', '--print-architecture') !== 'amd64') {
    throw new Error(needPackages('on a distribution other than Debian and Ubuntu, install these by hand'));
  }
  await step('installing Debian 13 with Wine and the cross compiler', paths.root, systemKey(), makeRoot);
}

async function makeRoot(/** @type {string} */ root) {
  if (!outputOf('debootstrap', '--version')) {
    await apt('update');
    await apt('install', '--yes', '--no-install-recommends', 'debootstrap');
  }
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  // Ubuntu has debootstrap, but not Debian's keys.
  if (!existsSync(keyring)) await apt('install', '--yes', '--no-install-recommends', 'debian-archive-keyring');
  await logged('debootstrap', ['--variant=minbase', `--keyring=${keyring}`, suite, root, mirror]);
  const script = [
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    // Exit code 101 keeps packages from starting their daemons in the root.
    'printf "#!/bin/sh\\nexit 101\\n" >"$0/usr/sbin/policy-rc.d"',
    'chmod +x "$0/usr/sbin/policy-rc.d"',
    'cp --remove-destination /etc/resolv.conf "$0/etc/resolv.conf"',
    'chroot "$0" apt-get update',
    'chroot "$0" apt-get install --yes --no-install-recommends "$@"',
    'chroot "$0" apt-get clean',
  ].join(' && ');
  await logged('unshare', ['--mount', 'sh', '-c', script, root, ...packages], { env: aptEnvironment() });
}

/** True if the host has all that the sandbox needs. */
function hostServes() {
  if (!hostNeeds.every(isOnPath) || !existsSync('/usr/include/directx/d3d12.h')) return false;
  const version = outputOf('wine', '--version')?.match(/wine-(\d+)/)?.[1];
  return version !== undefined && Number(version) >= minWineVersion;
}

function isOnPath(/** @type {string} */ name) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The key of the system. When it changes, the system is set up again. */
export function systemKey() {
  return keyOf(suite, ...packages);
}

function needPackages(/** @type {string} */ remedy) {
  return `The Windows sandbox needs Wine ${minWineVersion} or newer and: ${packages.join(' ')}.\n` + `What to do: ${remedy}.`;
}

function apt(/** @type {string[]} */ ...args) {
  return logged('apt-get', args, { env: aptEnvironment() });
}

function aptEnvironment() {
  const path = process.env['PATH'] ?? '';
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8', PATH: `${path}:/usr/sbin:/sbin` };
}
