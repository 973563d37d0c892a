/**
 * The child process that dispatches: `dispatch-child.js <answers> <start> <seed> <from> <count> <operator…>`. Each operator
 * has `count` cases from number `from` on; the first `start` of all cases are already answered. See harness/interview.ts.
 */
import { createDevice, type Device } from 'node-directml';
import { isOperatorType } from '#lib/operators/resolve.js';
import type { ConformanceCase } from '../cases/case.js';
import { refusal } from '../conformance/exceptions.js';
import { runCase } from '../cases/run-case.js';
import { asChild } from '../harness/as-child.js';
import { dispatchCase } from '../descriptors/dispatch-cases.js';

async function main(): Promise<void> {
  const { args, write } = asChild();
  const [start = 0, seed = 0, from = 0, count = 0] = args.map(Number);
  const operators = args.filter(isOperatorType);
  let device = await openDevice();
  write('started');
  for (let index = start; index < operators.length * count; index++) {
    const operator = operators[Math.floor(index / count)];
    if (operator === undefined) break;
    write(await answer(device, dispatchCase(operator, seed, from + (index % count))));
    if (device.cause !== null) device = await openDevice();
  }
  device.device.dispose();
}

interface Watched {
  readonly device: Device;
  /** The reason why the device was lost; null while it is alive. */
  cause: string | null;
}

async function openDevice(): Promise<Watched> {
  const device = await createDevice({ backend: 'directml' });
  const watched: Watched = { device, cause: null };
  void device.lost.then(({ message }) => (watched.cause = message));
  return watched;
}

/** `ran` with the milliseconds, `excused`, or `lost` or `failed` with the reason. */
async function answer(watched: Watched, test: ConformanceCase): Promise<string> {
  const began = performance.now();
  try {
    await runCase(watched.device, test);
    return `ran ${Math.round(performance.now() - began)}`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (watched.cause !== null) return `lost ${watched.cause}: ${why}`;
    return refusal(test, error) === null ? `failed ${why}` : 'excused';
  }
}

void main();
