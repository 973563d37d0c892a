/**
 * The child process that holds the addon: `crash-child.js <answers> <start> <seed> <from> <count>`. It makes `count` calls
 * from index `from` on; the first `start` of them are already answered. See harness/interview.ts.
 */
import { loadAddon } from '#lib/backends/directml/addon.js';
import type { NativeBuffer, NativeDevice } from '../../binding.js';
import { asChild } from '../harness/child.js';
import { errorCodesIn } from '../harness/error-codes.js';
import { Random } from '../random.js';
import { identity, ranges, sampleGraph, type Boundary } from './crash-boundary.js';
import { nextCall } from './crash-calls.js';

const CODES = errorCodesIn('binding.d.ts');

async function open(): Promise<Boundary> {
  const { binding, directory } = loadAddon();
  const make = () => binding.createDevice({ addonDirectory: directory });
  const [device, other, deadDevice] = [await make(), await make(), await make()];
  const [buffer, target, deadBuffer] = [device.createBuffer(16), device.createBuffer(16), device.createBuffer(16)];
  const foreignBuffer = other.createBuffer(16);
  const compile = (on: NativeDevice) => on.compileOperator(identity(), 0);
  const compileGraph = (on: NativeDevice, bias: NativeBuffer) => on.compileGraph(sampleGraph(), 0, ranges(null, bias, null));
  const [operator, deadOperator] = [await compile(device), await compile(device)];
  const [graph, deadGraph] = [await compileGraph(device, buffer), await compileGraph(device, buffer)];
  for (const object of [deadBuffer, deadOperator, deadGraph, deadDevice]) object.dispose();
  return {
    binding,
    directory,
    rows: binding.operatorTable(),
    device,
    buffer,
    target,
    operator,
    graph,
    foreign: { buffer: foreignBuffer, operator: await compile(other), graph: await compileGraph(other, foreignBuffer) },
    deadBuffer,
    deadOperator,
    deadGraph,
    deadDevice,
  };
}

/** Makes the call with the index. It depends only on the seed and the index, not on earlier calls. */
async function answer(seed: number, index: number, at: Boundary): Promise<string> {
  const random = Random.of(seed, 'crash', index);
  for (let skipped = 0; ; skipped++) {
    const call = nextCall(random, at);
    try {
      await call.run();
    } catch (error) {
      if (call.skip?.(error) === true) continue;
      const verdict = isTyped(error) ? 'typed' : `untyped: ${told(error)}`;
      return `${skipped} ${call.label}: ${verdict}`;
    }
    if (call.mayPass === true) continue;
    return `${skipped} ${call.label}: untyped: not refused`;
  }
}

function isTyped(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}

function told(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
}

async function main(): Promise<void> {
  const { args, write } = asChild();
  const [start = 0, seed = 0, from = 0, count = 0] = args.map(Number);
  const at = await open();
  write('started');
  for (let index = start; index < count; index++) {
    write(await answer(seed, from + index, at));
  }
  // The calls must have left the device usable.
  at.device.write(at.buffer, 0, Uint8Array.of(1, 2, 3, 4));
  const bytes = new Uint8Array((await at.device.read(at.buffer, 0, 4)).bytes);
  if (bytes.join() !== '1,2,3,4') throw new Error(`the device reads ${bytes.join()} where 1,2,3,4 was written`);
  at.device.dispose();
}

void main();
