/**
 * The child process that holds the DLL, without the package's rules: `child.js <answers> <start> <questions>`. See
 * harness/interview.ts.
 */
import { readFileSync } from 'node:fs';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { reviveJson } from '../cases/case.js';
import { asChild } from '../harness/as-child.js';

async function main(): Promise<void> {
  const { args, write } = asChild();
  const [start = '0', questions = ''] = args;
  const lines = readFileSync(questions, 'utf8').trimEnd().split('\n').slice(Number(start));
  const { binding, directory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory: directory });
  write('started');
  for (const line of lines) {
    let verdict = 'ok';
    try {
      const desc = JSON.parse(line, reviveJson);
      if ('intermediateEdges' in desc) device.checkGraph(desc, 0);
      else device.checkOperator(desc, 0);
    } catch (error) {
      verdict = describe(error);
    }
    write(verdict);
  }
  device.dispose();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const call = 'call' in error ? String(error.call) : '';
  const hresult = 'hresultName' in error ? String(error.hresultName) : '';
  return hresult === '' ? `addon: ${error.message}` : `${call} ${hresult}`;
}

void main();
