// @ts-check
// Runs a Python program in the sandbox's Linux: `node sandbox/python.mjs numpy,torch program.py arguments…`. Its packages, which
// the first argument names, take up to 1 GB, so the first run installs them, not the set-up.
import { installInRoot, runInRoot } from './setup.mjs';

try {
  const [packages = '', ...args] = process.argv.slice(2);
  for (const name of packages.split(',')) await installInRoot(`usr/lib/python3/dist-packages/${name}`, [`python3-${name}`]);
  // By its path: the PATH may name a Python of the host.
  process.exitCode = await runInRoot('/usr/bin/python3', args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
