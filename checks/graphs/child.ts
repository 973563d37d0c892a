/**
 * The child process that runs random graphs: `child.js <answers> <start> <seed> <from> <count> [file]`. See
 * harness/interview.ts. It writes a line of JSON for each graph. The file has a single graph to run instead.
 */
import { readFileSync } from 'node:fs';
import { createDevice, type OperatorType } from 'node-directml';
import { writeJson } from '../cases/case.js';
import { asChild } from '../harness/as-child.js';
import { checkGraph, smallestFailure } from './check-graph.js';
import { plainGraph, positionsIn, readGraphCase, type GraphCase, type Position } from './graph-case.js';
import { fastGraph } from './fast-patterns.js';
import { randomGraph } from './random-graph.js';

export interface GraphAnswer {
  readonly positions: readonly (readonly [OperatorType, Position])[];
  /** The failure of the smallest graph that fails in the same way; null if the graph does not fail. */
  readonly failure: string | null;
  /** The smallest graph that fails in the same way. */
  readonly json: string | null;
}

async function main(): Promise<void> {
  const { args, write } = asChild();
  const [start = '0', seed = '0', from = '0', count = '0', file] = args;
  const devices = {
    directml: await createDevice({ backend: 'directml' }),
    reference: await createDevice({ backend: 'reference', thread: 'caller' }),
  };
  const drawn = (index: number) => (index % 5 === 4 ? fastGraph : randomGraph)(Number(seed), index);
  const graphOf = (index: number): GraphCase => (file === undefined ? drawn(index) : readGraphCase(readFileSync(file, 'utf8')));
  write('started');
  for (let index = Number(start); index < Number(count); index++) {
    const test = graphOf(Number(from) + index);
    const failure = await checkGraph(devices, test);
    const smallest = failure === null ? test : await smallestFailure(devices, test, failure);
    const answer: GraphAnswer = {
      positions: positionsIn(plainGraph(test)),
      failure: failure === null ? null : ((await checkGraph(devices, smallest)) ?? failure).text,
      json: failure === null ? null : writeJson(smallest),
    };
    write(JSON.stringify(answer));
  }
  devices.directml.dispose();
  devices.reference.dispose();
}

void main();
