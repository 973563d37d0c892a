// @ts-check
// The Vulkan driver of the sandbox: Mesa's software driver, or with NODE_DIRECTML_VULKAN=host the machine's own.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { outputOf } from './commands.mjs';
import { paths } from './paths.mjs';

const manifestFolders = [
  '/etc/vulkan/icd.d',
  '/usr/share/vulkan/icd.d',
  '/usr/local/share/vulkan/icd.d',
  '/usr/local/nvidia/share/vulkan/icd.d',
];
/** Drivers without a GPU of their own: on the CPU, and of virtual machines. */
const withoutGpu = /^(lvp|virtio|gfxstream|dzn)/;

/**
 * Returns the environment variables that choose the Vulkan driver.
 * @param {string} root the sandbox's root; "/" is the host
 * @returns {Record<string, string>}
 */
export function vulkanEnvironment(root) {
  const choice = process.env['NODE_DIRECTML_VULKAN'] ?? 'software';
  if (choice === 'software') return {};
  if (choice !== 'host') throw new Error(`NODE_DIRECTML_VULKAN is ${choice}: expected software or host`);
  const manifests = manifestFolders
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((path) => path.endsWith('.json') && !withoutGpu.test(basename(path)));
  if (manifests.length === 0) {
    throw new Error(`NODE_DIRECTML_VULKAN=host: this machine has no Vulkan driver of a GPU in ${manifestFolders.join(', ')}`);
  }
  if (root === '/') return { VK_DRIVER_FILES: manifests.join(':') };
  const usable = manifests.flatMap((path) => {
    // Mesa's drivers are in the root, where they fit its libraries. NVIDIA's fits the kernel module, so it is the machine's.
    if (/nvidia/.test(path)) return [copyOfDriver(path)];
    const inRoot = join('/usr/share/vulkan/icd.d', basename(path));
    return existsSync(join(root, inRoot)) ? [inRoot] : [];
  });
  return { VK_DRIVER_FILES: usable.join(':'), LD_LIBRARY_PATH: paths.driver };
}

/** Copies NVIDIA's driver to a folder that the root sees too. Returns the path of the copy's manifest. */
function copyOfDriver(/** @type {string} */ manifest) {
  const content = JSON.parse(readFileSync(manifest, 'utf8'));
  const library = locate(content.ICD.library_path, manifest);
  const folder = dirname(library);
  mkdirSync(paths.driver, { recursive: true });
  for (const name of readdirSync(folder).filter((file) => /nvidia/.test(file) && /\.so(\.|$)/.test(file))) {
    const [source, target] = [join(folder, name), join(paths.driver, name)];
    if (!existsSync(source) || (existsSync(target) && statSync(target).size === statSync(source).size)) continue;
    copyFileSync(source, target);
  }
  const copy = join(paths.driver, 'nvidia_icd.json');
  content.ICD.library_path = join(paths.driver, basename(library));
  writeFileSync(copy, JSON.stringify(content));
  return copy;
}

/** Returns the path of a driver's library: as its manifest says, as the system's loader finds it, or near the manifest. */
function locate(/** @type {string} */ name, /** @type {string} */ manifest) {
  if (isAbsolute(name)) return name;
  const cached = outputOf('ldconfig', '-p')?.match(new RegExp(`${name.replaceAll('.', '\\.')} .*x86-64.* => (.*)`))?.[1];
  const near = ['lib64', 'lib'].map((folder) => join(dirname(manifest), '../../..', folder, name));
  const found = [cached, ...near, join('/usr/lib/x86_64-linux-gnu', name)].find((path) => path && existsSync(path));
  if (found === undefined) throw new Error(`the Vulkan driver ${name} of ${manifest} is not there`);
  return found;
}
