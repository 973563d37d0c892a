/** Garbage collection is the safety net: a device that nobody disposes of is let go of, whatever it is doing. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { LiveObjects } from '../../binding.js';

const program = fileURLToPath(new URL('programs/dropped.mjs', import.meta.url));

test.each(['opened', 'compiling', 'recorded', 'submitted', 'reading', 'idling', 'lost'])(
  'a device dropped when it is %s leaves nothing', async (stage) => {
    expect((await leftByStage)[stage]).toEqual({ devices: 0, buffers: 0, operators: 0, pooledBytes: 0 });
  },
);

const leftByStage: Promise<Record<string, LiveObjects>> = run();

async function run(): Promise<Record<string, LiveObjects>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
  const left: Record<string, LiveObjects> = JSON.parse(stdout);
  return left;
}
