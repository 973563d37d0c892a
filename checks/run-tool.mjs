/**
 * Builds what a test tool needs and runs it: `node checks/run-tool.mjs [--host | --portable] <tool> [arguments…]`. By default a
 * tool runs on Windows' node.exe, on Linux in the sandbox. With `--host` it runs in this Node.js and enters the sandbox
 * itself. With `--portable` it runs in this Node.js and needs neither Windows nor the addon.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildLib, buildTools } from '../scripts/build.mjs';
import { checkout, main, nativeBuildFolder, ownArch, timeLimit } from '../scripts/shared/common.mjs';
import { addonName, buildNative } from '../scripts/shared/native.mjs';
import { ensurePackages } from '../scripts/shared/packages.mjs';

const args = process.argv.slice(2);
const place = args[0]?.startsWith('--') ? args.shift() : undefined;
const [tool = '', ...rest] = args;

const isPortable =
  place === '--portable' ||
  (rest.includes('--files') && !rest.some((argument) => argument.startsWith('--node'))) ||
  rest.some((argument) => ['--examples', '--pytorch', '--tolerances', '--write', '--help', '-h'].includes(argument)) ||
  / --backend[ =]reference( |$)/.test(` ${rest.join(' ')}`);

/** What a tool needs of native code: files by their CMake targets. */
const native = {
  node_directml: addonName,
  ...(tool === 'fuzz' && { node_directml_interop: 'interop.node' }),
};

async function build() {
  const isThere = (/** @type {string} */ name) => existsSync(join(nativeBuildFolder(ownArch), name));
  const lacksAddon = !isPortable && !Object.values(native).every(isThere);
  const missing = [
    ...(existsSync(join(checkout, 'dist', 'index.js')) ? [] : ['the package']),
    ...(existsSync(join(checkout, 'build', 'tools')) ? [] : ['the test tools']),
    ...(lacksAddon ? ['the addon'] : []),
  ];
  if (missing.length > 0) console.error(`First builds what is missing: ${missing.join(', ')}. This takes minutes, once.`);
  await buildLib();
  await buildTools();
  if (!isPortable || tool === 'mutants' || rest.includes('--onnxruntime')) await ensurePackages('native');
  if (lacksAddon) await buildNative({ targets: Object.keys(native), output: 'stderr' });
}

await main(async () => {
  await build();
  const isHere = process.platform === 'win32' || place !== undefined || isPortable;
  const sandbox = isHere ? [] : [join('sandbox', 'run.mjs'), 'node'];
  const command = [...sandbox, join('build', 'tools', tool), ...rest];
  const { status, error } = spawnSync(process.execPath, command, { cwd: checkout, stdio: 'inherit', timeout: timeLimit });
  if (error) throw error;
  return status ?? 1;
});
