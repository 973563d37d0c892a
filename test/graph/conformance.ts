/**
 * `npm run conformance -- --graphs`: random graphs on the real DirectML. Child processes run them, so that a graph that ends
 * its process, or hangs it, is named.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ask } from '../parity/child-protocol.js';
import { ROOT } from '../parity/watched-child.js';
import type { GraphAnswer } from './child.js';
import { GraphReport } from './graph-report.js';

export interface GraphRun {
  readonly seed: number;
  /** The numbers of the graphs: `count` from `from` on. */
  readonly from: number;
  readonly count: number;
  /** A single graph instead, as JSON or as the name of a file that has it; null if there is none. */
  readonly graph: string | null;
  readonly showsProgress: boolean;
}

/** Prints the totals and the failures. Returns true if nothing is wrong. */
export async function conformGraphs({ seed, from, count, graph, showsProgress }: GraphRun): Promise<boolean> {
  const report = new GraphReport(seed, from);
  const folder = join(ROOT, 'build', 'graphs', `${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'graph.json');
  if (graph !== null) writeFileSync(file, existsSync(graph) ? readFileSync(graph) : graph);
  const answers = await ask({
    script: '../graph/child.js',
    args: [String(seed), String(from), String(count), ...(graph === null ? [] : [relative(ROOT, file)])],
    count,
    progress: (done) => {
      if (showsProgress) process.stdout.write(`\rgraphs: ${done} of ${count} `);
    },
    trouble: (index, what, output) => report.trouble(index, what, output),
  });
  rmSync(folder, { recursive: true });
  if (showsProgress) process.stdout.write('\r\x1b[K');
  for (const [index, answer] of answers.entries()) {
    if (answer === 'death' || answer === 'hang') continue;
    const read: GraphAnswer = JSON.parse(answer);
    report.add(index, read);
  }
  console.log(report.text(graph === null));
  return report.isGood;
}
