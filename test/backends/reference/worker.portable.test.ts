/** The reference in a worker thread gives the same bytes as on the calling thread: for operators, graphs and orders of commands. */
import { createDevice, type Device, type OperatorType } from 'node-directml';
import { ml, MLGraphBuilder } from 'node-directml/webnn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCase, runInPlace } from '../../../checks/cases/run-case.js';
import { casesOf } from '../../../checks/conformance/runner.js';
import { leavesOf, plainGraph } from '../../../checks/graphs/graph-case.js';
import { randomGraph } from '../../../checks/graphs/random-graph.js';
import { runOneByOne, runWhole } from '../../../checks/graphs/run-graph.js';
import { operatorTypes } from '../../../checks/operators/cases.js';
import { Random } from '../../../checks/harness/random.js';
import { drawn } from '../../support/level.js';
import { runSteps } from './steps.js';

const SEED = 20260101;
const CASES = 6;
const GRAPHS = drawn({ quick: 20, all: 60 });
const PROGRAMS = drawn({ quick: 15, all: 40 });

const devices: { worker?: Device; caller?: Device } = {};
beforeAll(async () => {
  devices.worker = await createDevice({ backend: 'reference', thread: 'worker' });
  devices.caller = await createDevice({ backend: 'reference', thread: 'caller' });
});
afterAll(() => {
  devices.worker?.dispose();
  devices.caller?.dispose();
});

/** Does the same work on the worker and on the calling thread, and returns both results. */
async function onBoth<Result>(work: (device: Device) => Promise<Result>): Promise<[worker: Result, caller: Result]> {
  const { worker, caller } = devices;
  if (worker === undefined || caller === undefined) throw new Error('there are devices only while tests run');
  return Promise.all([work(worker), work(caller)]);
}

describe('operators', () => {
  test.each(operatorTypes)('%s', async (operator: OperatorType) => {
    for (const each of casesOf(operator, SEED, CASES)) {
      const runs = each.inPlace === undefined ? [runCase] : [runCase, runInPlace];
      for (const run of runs) {
        const [worker, caller] = await onBoth((device) => run(device, each));
        expect(worker).toEqual(caller);
      }
    }
  });
});

test(`${GRAPHS} random graphs, and their operators one by one`, async () => {
  for (let i = 0; i < GRAPHS; i++) {
    const graph = randomGraph(SEED, i);
    const plain = plainGraph(graph);
    const leaves = leavesOf(graph, plain);
    const [worker, caller] = await onBoth(async (device) => [
      await runOneByOne(device, plain, leaves),
      ...(await runWhole(device, graph, plain, leaves)),
    ]);
    expect(worker, `graph ${i}`).toEqual(caller);
  }
});

test(`${PROGRAMS} random orders of writes, dispatches, replays and reads`, async () => {
  for (let i = 0; i < PROGRAMS; i++) {
    const [worker, caller] = await onBoth((device) => runSteps(device, Random.of(SEED, 'steps', i), 200));
    expect(worker, `program ${i}`).toEqual(caller);
    expect(caller.length).toBeGreaterThan(10);
  }
});

test('a WebNN graph', async () => {
  const [worker, caller] = await onBoth(async (device) => {
    const context = await ml.createContext(device);
    const builder = new MLGraphBuilder(context);
    const desc = { dataType: 'float32', shape: [2, 8] } as const;
    const x = builder.input('x', desc);
    const graph = await builder.build({ y: builder.softmax(builder.tanh(x), 1) });
    const input = await context.createTensor({ ...desc, writable: true });
    const output = await context.createTensor({ ...desc, readable: true });
    context.writeTensor(
      input,
      Float32Array.from({ length: 16 }, (_, i) => Math.sin(i)),
    );
    context.dispatch(graph, { x: input }, { y: output });
    return new Float32Array(await context.readTensor(output));
  });
  expect(worker).toEqual(caller);
});
