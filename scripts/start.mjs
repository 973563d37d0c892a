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

/** What to try, and what it shows. @type {readonly (readonly [string, string])[]} */
const next = [
  ['npm start -- table-join', 'one of nine longer programs: docs/examples.md'],
  ['npm start -- --windows', "the same on Microsoft's DLL, on Linux in a sandbox of 2 GB"],
  ['docs/guides/arrays.md', "arrays by NumPy's names, docs/recipes.md programs to copy"],
  ['docs/operators/README.md', 'all operators, each with its fields, rules and an example'],
];

await main(async () => {
  const code = await runExample();
  if (code === 0) console.log(`\nTry next\n${next.map(([what, where]) => `  ${what.padEnd(28)} ${where}\n`).join('')}`);
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
