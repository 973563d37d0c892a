/**
 * The process that makes the calls: `child.js <notes> <seed> <from> <to> <calls in a round>`. It logs each call before it makes
 * it, so that a death can be reported with the calls that led to it.
 */
import { openSync, writeSync } from 'node:fs';
import { runRound } from './round.js';

async function main(): Promise<void> {
  const [path = '', ...numbers] = process.argv.slice(2);
  const [seed = 0, from = 0, to = 0, perRound = 0] = numbers.map(Number);
  const notes = openSync(path, 'a');
  const note = (line: string) => writeSync(notes, `${line.replaceAll('\n', ' ')}\n`);
  const watcher = {
    begin: (index: number, label: string) => note(`call ${index} ${label}`),
    fail: (failure: unknown) => note(`failure ${JSON.stringify(failure)}`),
  };
  for (let first = from; first < to; first += perRound) {
    const count = Math.min(perRound, to - first);
    const result = await runRound({ seed, from: first, count, isMainThread: true }, watcher);
    note(`round ${JSON.stringify(result)}`);
  }
  note('end');
}

void main();
