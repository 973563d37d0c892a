/** Garbage collection is the safety net: a device that is never disposed of is freed, whatever it is doing. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { LiveObjects } from '../../binding.js';

test.each(['opened', 'compiling', 'recorded', 'submitted', 'reading', 'idling', 'lost'])(
  'a device dropped while it is %s leaves nothing behind',
  async (stage) => {
    expect(whatIsLeft((await leftByStage)[stage])).toEqual([]);
  },
);

test('ten dropped devices of the package leave nothing behind, and their `lost` promises resolve', async () => {
  const { during, left, told } = await run<{ during: LiveObjects; left: LiveObjects; told: unknown }>('dropped-devices');
  expect(during.pooledBytes).toBeGreaterThan(0);
  expect(whatIsLeft(left)).toEqual([]);
  expect(told).toEqual({ directml: 'destroyed', reference: 'destroyed' });
});

function whatIsLeft(left: LiveObjects | undefined): [string, number][] {
  if (left === undefined) throw new TypeError('nothing was counted');
  return Object.entries(left).filter(([, count]) => count !== 0);
}

const leftByStage = run<Record<string, LiveObjects>>('dropped');

async function run<T>(name: string): Promise<T> {
  const program = fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
  const result: T = JSON.parse(stdout);
  return result;
}
