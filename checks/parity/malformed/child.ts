/**
 * The child process that holds the addon: `child.js <answers> <start> <seed> <from> <count>`. It makes `count` calls
 * from index `from` on; the first `start` of them are already answered. See harness/interview.ts.
 */
import { asChild } from '../../harness/as-child.js';
import { errorCodesIn } from '../../harness/error-codes.js';
import { Random } from '../../harness/random.js';
import { isForFlag, openBoundary, type Boundary } from './boundary.js';
import { nextCall } from './calls.js';

const CODES = errorCodesIn('binding.d.ts');

/** Makes the call with the index. It depends only on the seed and the index, not on earlier calls. */
async function answer(seed: number, index: number, at: Boundary): Promise<string> {
  const random = Random.of(seed, 'malformed', index);
  for (let skipped = 0; ; skipped++) {
    const call = nextCall(random, at);
    try {
      await call.run();
    } catch (error) {
      if (call.mayPass === true && isForFlag(error)) continue;
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
  const at = await openBoundary();
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
