/** Makes a range of calls in child processes. If one dies or hangs, that is reported, and another continues after it. */
import { runChildren } from '../harness/children.js';
import type { Report, Trouble } from './report.js';
import type { PlayName, RoundResult } from './round.js';
import type { Failure } from './tracker.js';

interface Segment {
  readonly play: PlayName;
  /** The number of calls in a round. Each round has its own devices. */
  readonly perRound: number;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** The sandbox's name of the Node.js; null for the one that runs this. */
  readonly node: string | null;
}

const MAX_SILENCE_MS = 60_000;
/** The number of last calls that are shown for a process that died. */
const SHOWN_CALLS = 8;

export async function runSegment(
  { play, perRound, seed, from: first, to, node }: Segment,
  report: Report,
  onTrouble: (trouble: Trouble) => void,
): Promise<void> {
  let from = first;
  let child = {};
  /** The number of the last call. */
  let last = from;
  /** The number of the first call that was not yet counted. */
  let counted = from;
  let isWhole = false;
  let calls: string[] = [];
  const note = (line: string) => {
    const [kind, rest = ''] = line.split(/ (.*)/);
    if (kind === 'call') {
      const index = Number(rest.split(' ')[0]);
      report.addCalls(index + 1 - counted);
      last = index;
      counted = index + 1;
      calls = [...calls.slice(1 - SHOWN_CALLS), rest];
    } else if (kind === 'failure') {
      const failure: Failure = JSON.parse(rest);
      onTrouble(failure);
    } else if (kind === 'round') {
      const result: RoundResult = JSON.parse(rest);
      report.addRound(result, child);
    } else if (kind === 'end') {
      isWhole = true;
    }
  };
  await runChildren({
    script: 'fuzz/child.js',
    flags: ['--expose-gc'],
    node,
    maxSilence: MAX_SILENCE_MS,
    next() {
      child = {};
      calls = [];
      counted = from;
      return from < to ? [play, ...[seed, from, to, perRound].map(String)] : null;
    },
    onLines: (lines) => lines.forEach(note),
    onEnd(end, output) {
      if (isWhole && end === 0) {
        from = to;
        return;
      }
      const how = end === 'hang' ? `silent for ${MAX_SILENCE_MS / 1000} s` : `ended with exit code ${end}`;
      const text = [how, ...calls.map((call) => `  ${call}`), output.trim()].join('\n');
      onTrouble({ kind: end === 'hang' ? 'hang' : 'crash', index: last, text });
      from += (Math.floor((last - from) / perRound) + 1) * perRound;
    },
  });
}
