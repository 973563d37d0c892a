// @ts-check
// `npm start`: runs the ScatterND example on this machine's default backend. `npm start -- table-join`: runs another example.
// `npm start -- --windows`: runs it on the real DirectML, on Linux in the sandbox.
import { join } from 'node:path';
import { buildLib } from './build.mjs';
import { generateForBuild } from './generate/for-build.mjs';
import { bundleModule } from './shared/bundle-module.mjs';
import { buildNative } from './shared/native.mjs';
import { checkout, main, run } from './shared/common.mjs';

const name = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const examples = join(checkout, 'examples');
const example = name === undefined ? [join(examples, 'scatter-nd.mjs')] : [join(examples, 'run.mjs'), name];

await main(async () => {
  const code = await runExample();
  if (code === 0) console.log('All operators, each with its fields, rules and an example: docs/operators/README.md');
  return code;
});

async function runExample() {
  const onWindows = process.platform === 'win32';
  if (!process.argv.includes('--windows') && !onWindows) {
    // Bundling dist/module takes a second, the rest of dist/ many. The condition `module` selects it.
    generateForBuild();
    await bundleModule();
    return run(process.execPath, ['--conditions=module', ...example]);
  }
  await buildLib();
  await buildNative();
  if (onWindows) return run(process.execPath, example);
  const { runInWindows } = await import('../sandbox/run.mjs');
  const code = await runInWindows('node', example, { cwd: checkout });
  if (code !== 0) throw new Error(`Windows' node.exe ended with exit code 0x${code.toString(16).toUpperCase()}`);
  return code;
}
