// @ts-check
// Runs a Python program with PyTorch in the sandbox's Linux: `node sandbox/python.mjs program.py arguments…`. Its packages take
// 1 GB, so the first run installs them, not the set-up.
import { installInRoot, runInRoot } from './setup.mjs';

try {
  await installInRoot('usr/lib/python3/dist-packages/torch', ['python3-torch', 'python3-numpy']);
  // By its path: the PATH may name a Python of the host.
  process.exitCode = await runInRoot('/usr/bin/python3', process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
