/** Runs the tests of the copy. */
import { startVitest } from 'vitest/node';
import { resolve } from 'node:path';
import { appendFileSync, readFileSync } from 'node:fs';
import { checkout, configFile, task } from './checkout.js';
import type { Task } from './judge.js';

const log = resolve(process.argv[2] ?? '');
Object.assign(process.env, {
  CI: 'true',
  NODE_DIRECTML_TESTS_WITHOUT: 'long',
  NODE_DIRECTML_MUTANT_TASK: task,
  NODE_DIRECTML_MUTANT_LOG: log,
});
process.chdir(checkout);

async function run(): Promise<void> {
  appendFileSync(log, 'begin\n');
  const { files, finished, alone } = JSON.parse(readFileSync(task, 'utf8')) as Task;
  // Threads and processes that the tests start have it, too.
  if (alone !== null) process.env['NODE_DIRECTML_MUTANT'] = `${alone}`;
  const exclude = [...finished];
  const vitest = await startVitest('test', [...files], { config: configFile, watch: false, reporters: ['dot'], exclude });
  // Its hooks, or what runs before its tests.
  const failed = vitest.state.getFiles().filter(({ result }) => result?.state === 'fail');
  for (const { name } of failed) appendFileSync(log, `failed\t${alone ?? -1}\t${name}\n`);
  await vitest.close();
  appendFileSync(log, 'end\n');
}

void run();
