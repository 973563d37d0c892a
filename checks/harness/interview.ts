/**
 * Asks child processes questions that may kill them. A child writes `started`, then one line per answer as soon as it has
 * it. If it dies or is silent for too long, the first question without an answer is to blame: its answer is `death` or
 * `hang`, and a new child continues after it.
 */
import { runChildren } from './children.js';

type Trouble = 'death' | 'hang';

interface Interview {
  /** Its arguments are the index of the first question, then `args`, and the path of a file if there is one. */
  readonly script: string;
  readonly args?: readonly (string | number)[];
  readonly file?: string | undefined;
  readonly count: number;
  progress?(done: number): void;
  /** Called for each death or hang. `index` is `count` if a child fails after it has answered all questions. */
  trouble?(index: number, what: Trouble, output: string): void;
}

const MAX_SILENCE_MS = 30_000;

export async function ask({ script, args = [], file, count, progress, trouble }: Interview): Promise<string[]> {
  const answers: string[] = [];
  let hasStarted = false;
  await runChildren({
    script,
    file,
    maxSilence: MAX_SILENCE_MS,
    next() {
      hasStarted = false;
      return answers.length < count ? [answers.length, ...args].map(String) : null;
    },
    onLines(lines) {
      answers.push(...(hasStarted ? lines : lines.slice(1)));
      hasStarted = true;
      progress?.(answers.length);
    },
    onEnd(end, output) {
      const what = end === 'hang' ? 'hang' : 'death';
      if (answers.length < count || end !== 0) trouble?.(answers.length, what, output);
      if (answers.length < count) answers.push(what);
    },
  });
  return answers;
}

/** The answers that children gave, with their indices: all except `death` and `hang`. */
export function* given(answers: readonly string[]): Generator<[number, string]> {
  for (const [index, answer] of answers.entries()) if (answer !== 'death' && answer !== 'hang') yield [index, answer];
}
