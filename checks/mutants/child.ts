/** Runs the tests of the copy. */
import { startVitest } from 'vitest/node';
import { resolve } from 'node:path';
import { appendFileSync } from 'node:fs';
import { checkout, configFile, task } from './checkout.js';

const log = resolve(process.argv[2] ?? '');
Object.assign(process.env, {
  CI: 'true',
  NODE_DIRECTML_TESTS_WITHOUT: 'long',
  NODE_DIRECTML_MUTANT_TASK: task,
  NODE_DIRECTML_MUTANT_LOG: log,
});
process.chdir(checkout);

async function run(): Promise<void> {
  const vitest = await startVitest('test', [], { config: configFile, watch: false, reporters: ['dot'] });
  await vitest.close();
  appendFileSync(log, 'end\n');
}

void run();
