/**
 * `node --expose-gc dropped.mjs BACKEND`: uses contexts, drops them without destroy(), and collects garbage until none is left.
 * Of one more context, it keeps only the `lost` promise. Writes one line of JSON: how many objects and devices were left, and the
 * message of that promise.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createML, MLGraphBuilder } from 'node-directml/webnn';
import { loadAddon } from '#lib/backends/directml/addon.js';

const backend = process.argv[2] === 'reference' ? 'reference' : 'directml';
const ml = createML({ backend });
const desc = /** @type {const} */ ({ dataType: 'float32', shape: [1 << 16] });
/** @type {WeakRef<object>[]} */
const made = [];

async function use() {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const operand = builder.input('x', desc);
  const graph = await builder.build({ y: builder.relu(operand) });
  const x = await context.createTensor({ ...desc, writable: true });
  const y = await context.createTensor({ ...desc, readable: true });
  context.writeTensor(x, new Float32Array(1 << 16));
  context.dispatch(graph, { x }, { y });
  await context.readTensor(y);
  void context.readTensor(y);
  made.push(...[context, graph, x, y].map((object) => new WeakRef(object)));
}

/** Returns the promise in an object, because an async function would wait for the promise itself. */
async function lostOf() {
  const context = await ml.createContext();
  return { lost: context.lost };
}

for (let i = 0; i < 5; i++) await use();
const kept = await lostOf();
let told = '';
void kept.lost.then(({ message }) => (told = message));
const left = () => made.filter((weak) => weak.deref() !== undefined).length;
const devices = () => (backend === 'directml' ? loadAddon().binding.liveObjects().devices : 0);
for (let i = 0; i < 200 && (left() > 0 || devices() > 0 || told === ''); i++) {
  // deref() keeps an object alive until the end of the job, so each round sleeps before it collects.
  await sleep(20);
  globalThis.gc?.();
}
console.log(JSON.stringify({ left: left(), devices: devices(), told }));
