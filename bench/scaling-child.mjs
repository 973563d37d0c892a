// @ts-check
// Measures one size of one row of `npm run bench -- --scaling`, in a process of its own, because memory that a process has freed
// hides what it needs next:
//   node --expose-gc bench/scaling-child.mjs ROW SIZE
// It prints a line of JSON, a {@link Size} of growth.mjs.
import { createDevice } from 'node-directml';
import { scalingRows } from './scaling-rows.mjs';

/** For so long, in milliseconds, short work is repeated. */
const patience = 500;
/** In milliseconds. Longer work is not done a third time. */
const longest = 5000;
const megabyte = 2 ** 20;

const [name, size] = process.argv.slice(2);
const row = scalingRows.find((one) => one.name === name);
if (row === undefined) throw new Error(`there is no row ${String(name)}`);
const device = await createDevice({ backend: 'directml' });

function collect() {
  if (globalThis.gc === undefined) throw new Error('needs --expose-gc');
  globalThis.gc();
}

/** Does the work once. `thread` is the time until the last call returned, `done` until the device had finished. */
async function once(/** @type {import('./scaling-rows.mjs').Work} */ { work }) {
  const start = performance.now();
  const { thread, release } = await work();
  await device.idle();
  return { thread, done: performance.now() - start, release };
}

// Before it is measured, the code is compiled, and loads what it loads once. That is done with little work at a time: the memory
// that it frees serves the measured work again, so a size that is not much larger would seem to need almost none.
const little = await row.prepare(device, Math.min(Number(size), row.sizes[1] ?? 1));
for (const start = performance.now(); performance.now() - start < patience;) {
  const { release } = await once(little);
  await release?.();
}
const prepared = await row.prepare(device, Number(size));
collect();
const before = process.memoryUsage();
let { thread, done, release } = await once(prepared);
collect();
const after = process.memoryUsage();
const memory = (after.rss - before.rss) / megabyte;
const heap = (after.heapUsed - before.heapUsed) / megabyte;
const start = performance.now();
for (let count = 1; count < 3 || performance.now() - start < patience; count++) {
  if (performance.now() - start > longest) break;
  await release?.();
  const again = await once(prepared);
  [thread, done] = [Math.min(thread, again.thread), Math.min(done, again.done)];
  release = again.release;
}
device.dispose();
console.log(JSON.stringify({ size: Number(size), thread, done, memory, heap }));
