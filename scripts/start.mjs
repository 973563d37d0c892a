// @ts-check
// `npm start`: the ScatterND example on what this machine has. `npm start -- --windows`: on the real DirectML, which
// on Linux means in the sandbox.
import { join } from 'node:path';
import { buildLib } from './build.mjs';
import { buildNative } from './shared/native.mjs';
import { checkout, main, run } from './shared/places.mjs';

const example = join(checkout, 'examples', 'scatter-nd.mjs');

await main(async () => {
  const onWindows = process.platform === 'win32';
  await buildLib();
  if (!process.argv.includes('--windows') && !onWindows) return run(process.execPath, [example]);
  await buildNative();
  if (onWindows) return run(process.execPath, [example]);
  const { runInWindows } = await import('../sandbox/run.mjs');
  return runInWindows('node', [example], { cwd: checkout });
});
