/**
 * The child process that dispatches: `dispatch-child.js <answers> <start> <seed> <from> <count> <operator…>`. Each operator
 * has `count` cases from number `from` on; the first `start` of all cases are already answered. See harness/interview.ts.
 */
import { createDevice, type Device } from 'node-directml';
import { isOperatorType } from '#lib/validation/index.js';
import { refusal } from '../conformance/exceptions.js';
import { runCase } from '../conformance/run-case.js';
import { asChild } from '../harness/child.js';
import { dispatchCase } from './dispatch-cases.js';

async function main(): Promise<void> {
  const { args, write } = asChild();
  const [start = '', seed = '', from = '', count = '', ...names] = args;
  const operators = names.filter(isOperatorType);
  let device = await openDevice();
  write('started');
  for (let index = Number(start); index < operators.length * Number(count); index++) {
    const operator = operators[Math.floor(index / Number(count))];
    if (operator === undefined) break;
    const test = dispatchCase(operator, Number(seed), Number(from) + (index % Number(count)));
    write(await answer(device, test));
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
async function answer(watched: Watched, test: Parameters<typeof runCase>[1]): Promise<string> {
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
