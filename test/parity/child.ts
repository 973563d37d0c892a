/**
 * The child process: `child.js <questions> <answers> <start>`. It holds the DLL without the package's rules and may
 * die of any question, so each answer is on disk before the next question is asked.
 */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { reviveBytes } from './encode.js';

async function main(): Promise<void> {
  const [questions = '', answers = '', start = '0'] = process.argv.slice(2);
  const lines = readFileSync(questions, 'utf8').trimEnd().split('\n').slice(Number(start));
  const output = openSync(answers, 'a');
  const { binding, directory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory: directory });
  writeSync(output, 'started\n');
  for (const line of lines) {
    let verdict = 'ok';
    try {
      device.checkOperator(JSON.parse(line, reviveBytes), 0);
    } catch (error) {
      verdict = describe(error);
    }
    writeSync(output, `${verdict}\n`);
  }
  device.dispose();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const call = 'call' in error ? String(error.call) : '';
  const hresult = 'hresultName' in error ? String(error.hresultName) : '';
  return (hresult === '' ? `addon: ${error.message}` : `${call} ${hresult}`).replaceAll('\n', ' ');
}

void main();
