/** Makes a range of calls in child processes. If one dies or hangs, that is reported, and another continues after it. */
import { closeSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, runWatched } from '../parity/watched-child.js';
import type { RoundResult } from './round.js';
import type { Failure, FailureKind } from './tracker.js';

export interface Segment {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly perRound: number;
  readonly node: string;
  /** The folder for the children's files. */
  readonly folder: string;
}

export type TroubleKind = FailureKind | 'crash' | 'hang';

export interface Trouble {
  readonly kind: TroubleKind;
  /** The call's number; for a process, that of its last call. */
  readonly index: number;
  readonly text: string;
}

export interface SegmentWatcher {
  onCalls(count: number): void;
  onTrouble(trouble: Trouble): void;
  /** `child` identifies the process. */
  onRound(result: RoundResult, child: number): void;
}

const MAX_SILENCE_MS = 60_000;
const STARTS = 3;
/** The number of last calls that are shown for a process that died. */
const SHOWN_CALLS = 8;

export async function runSegment(segment: Segment, watcher: SegmentWatcher): Promise<void> {
  const { seed, to, perRound, node, folder } = segment;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'notes.txt');
  const log = join(folder, 'child.log');
  let from = segment.from;
  for (let child = 0, failedStarts = 0; from < to; child++) {
    writeFileSync(path, '');
    const notes = new Notes(path, from, watcher, child);
    const numbers = [seed, from, to, perRound].map(String);
    const end = await runWatched({
      command: ['--expose-gc', relative(ROOT, join(__dirname, 'child.js')), relative(ROOT, path), ...numbers],
      node,
      written: path,
      log,
      maxSilence: MAX_SILENCE_MS,
      onWritten: () => notes.take(),
    });
    notes.take();
    notes.close();
    if (notes.isWhole && end === 0) return;
    const output = readFileSync(log, 'utf8').trim();
    if (notes.last === null) {
      if (++failedStarts === STARTS) throw new Error(`the child process cannot start (exit code ${end}):\n${output}`);
      continue;
    }
    failedStarts = 0;
    const how = end === 'hang' ? `silent for ${MAX_SILENCE_MS / 1000} s` : `ended with exit code ${end}`;
    const text = [how, ...notes.calls.map((call) => `  ${call}`), output].join('\n');
    watcher.onTrouble({ kind: end === 'hang' ? 'hang' : 'crash', index: notes.last, text });
    from += (Math.floor((notes.last - from) / perRound) + 1) * perRound;
  }
}

/** Reads what a child writes, as it comes. */
class Notes {
  /** The number of the last call; null before the first. */
  last: number | null = null;
  /** True if the child finished. */
  isWhole = false;
  readonly calls: string[] = [];
  readonly #watcher: SegmentWatcher;
  readonly #child: number;
  readonly #file: number;
  readonly #chunk = Buffer.alloc(1 << 16);
  #rest = '';
  /** The last call that was reported. */
  #counted: number;

  constructor(path: string, from: number, watcher: SegmentWatcher, child: number) {
    this.#counted = from;
    this.#watcher = watcher;
    this.#child = child;
    this.#file = openSync(path, 'r');
  }

  take(): void {
    for (let size; (size = readSync(this.#file, this.#chunk, 0, this.#chunk.length, null)) > 0;) {
      const lines = (this.#rest + this.#chunk.toString('latin1', 0, size)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#note(line);
    }
    if (this.last === null || this.last < this.#counted) return;
    this.#watcher.onCalls(this.last + 1 - this.#counted);
    this.#counted = this.last + 1;
  }

  close(): void {
    closeSync(this.#file);
  }

  #note(line: string): void {
    const [kind, rest = ''] = line.split(/ (.*)/);
    if (kind === 'call') {
      this.last = Number(rest.split(' ')[0]);
      this.calls.push(rest);
      if (this.calls.length > SHOWN_CALLS) this.calls.shift();
    } else if (kind === 'failure') {
      const failure: Failure = JSON.parse(rest);
      this.#watcher.onTrouble(failure);
    } else if (kind === 'round') {
      const result: RoundResult = JSON.parse(rest);
      this.#watcher.onRound(result, this.#child);
    } else if (kind === 'end') {
      this.isWhole = true;
    }
  }
}
