/**
 * The process that makes the calls: `child.js <notes> <play> <seed> <from> <to> <per round>`. It logs each call before it makes it,
 * so that a death can be reported with the calls that led to it.
 */
import { asChild } from '../harness/as-child.js';
import { roundsOf } from './plays.js';
import type { PlayName } from './round.js';
import type { Failure } from './tracker.js';

/** The maximum number of failures to write. More would only fill the disk, because one mistake may fail endlessly. */
const MOST_FAILURES = 500;
/** The maximum length of a written text, in characters. */
const LONGEST = 10_000;

async function main(): Promise<void> {
  const { args, write: note } = asChild();
  const [name, ...numbers] = args;
  const [seed = 0, from = 0, to = 0, perRound = 1] = numbers.map(Number);
  const run = await roundsOf(name as PlayName);
  let failures = 0;
  const watcher = {
    begin: (index: number, label: string) => note(`call ${index} ${label.slice(0, LONGEST)}`),
    fail(failure: Failure) {
      const text = ++failures === MOST_FAILURES ? 'the process fails so often that it writes no more' : failure.text;
      if (failures <= MOST_FAILURES) note(`failure ${JSON.stringify({ ...failure, text: text.slice(0, LONGEST) })}`);
    },
  };
  for (let first = from; first < to; first += perRound) {
    const count = Math.min(perRound, to - first);
    const result = await run({ seed, from: first, count, isMainThread: true }, watcher);
    note(`round ${JSON.stringify(result)}`);
  }
  note('end');
}

void main();
