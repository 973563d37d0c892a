/** WebNN in worker threads, with several contexts and devices at once, and with contexts that are never destroyed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { createML, MLGraphBuilder, type MLContext } from 'node-directml/webnn';
import { backends } from '../support/devices.js';

const program = new URL('programs/worker.mjs', import.meta.url);
const desc = { dataType: 'float32', shape: [2] } as const;

function messageOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

async function negated(context: MLContext, numbers: Float32Array): Promise<number[]> {
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({ y: builder.neg(builder.input('x', desc)) });
  const x = await context.createTensor({ ...desc, writable: true });
  const y = await context.createTensor({ ...desc, readable: true });
  context.writeTensor(x, numbers);
  context.dispatch(graph, { x }, { y });
  return [...new Float32Array(await context.readTensor(y))];
}

describe.each(backends)('on %s', (backend) => {
  test('two worker threads compute at the same time, whether they import or require', async () => {
    const workers = (['import', 'require'] as const).map((how, i) => {
      return new Worker(program, { workerData: { backend, how, number: i + 1 } });
    });
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    expect(await Promise.all(workers.map(messageOf))).toEqual([
      [2, -2],
      [4, -4],
    ]);
    expect(await Promise.all(ended)).toEqual([0, 0]);
  });

  test('terminating a worker with a read in flight leaves other workers intact', async () => {
    const busy = new Worker(program, { workerData: { backend, how: 'busy', number: 1 } });
    expect(await messageOf(busy)).toBe('busy');
    await busy.terminate();
    expect(await messageOf(new Worker(program, { workerData: { backend, how: 'import', number: 7 } }))).toEqual([14, -14]);
  });

  test('contexts with devices of their own do not share tensors or graphs', async () => {
    const ml = createML({ backend });
    const [first, second] = await Promise.all([ml.createContext(), ml.createContext({ powerPreference: 'low-power' })]);
    expect(await Promise.all([first, second].map((context, i) => negated(context, Float32Array.of(i, 5))))).toEqual([
      [-0, -5],
      [-1, -5],
    ]);
    const tensor = await first.createTensor({ ...desc, readable: true, writable: true });
    await expect(second.readTensor(tensor)).rejects.toThrow(TypeError);
    expect(() => second.writeTensor(tensor, new Float32Array(2))).toThrow(TypeError);
    first.destroy();
    expect(await negated(second, Float32Array.of(3, 4))).toEqual([-3, -4]);
    second.destroy();
  });

  test('frees contexts that the program drops, and resolves a lost promise that it keeps', async () => {
    const dropped = fileURLToPath(new URL('programs/dropped.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', dropped, backend]);
    expect(JSON.parse(stdout)).toEqual({ left: 0, devices: 0, told: expect.stringMatching(/device/) });
  });
});
