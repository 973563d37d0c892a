/**
 * `node recordings.mjs SEED COUNT`: makes random recordings of writes, dispatches and reads on a few buffers, and compares
 * their results with in-order execution. Writes one line of JSON: the recordings with the notes of the sandbox's bridge
 * (sandbox/bridge/recording.cpp; empty elsewhere), the buffers' names in these notes, the notes of an operator with temporary
 * memory, of one with persistent memory and of copies to parts of a buffer, and the number of wrong results.
 */
import { readFileSync } from 'node:fs';
import { createDevice } from 'node-directml';

/** @typedef {import('node-directml').Tensor} Tensor */

const BUFFERS = 5;
/**
 * The element count is not a multiple of 4, because the sandbox replaces DirectML's shader for those.
 * @satisfies {import('node-directml').TensorDesc}
 */
const tensor = { dataType: 'float32', sizes: [1, 6] };
const notes = process.env.NODE_DIRECTML_BRIDGE_RECORDING;
const [seed = 1, count = 0] = process.argv.slice(2).map(Number);

const device = await createDevice({ backend: 'directml' });
const tensors = Array.from({ length: BUFFERS }, () => device.createTensor(tensor));
const operators = {
  increment: await device.compile({
    type: 'elementWiseIdentity',
    inputTensor: tensor,
    outputTensor: tensor,
    scaleBias: { scale: 1, bias: 1 },
  }),
  maximum: await device.compile({ type: 'elementWiseMax', aTensor: tensor, bTensor: tensor, outputTensor: tensor }),
};
const values = tensors.map(() => 0);
let state = seed >>> 0 || 1;
let wrong = 0;

/** A random integer from 0 to `below − 1` (xorshift32). */
function random(/** @type {number} */ below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} index
 * @returns {T}
 */
function at(list, index) {
  const element = list[index];
  if (element === undefined) throw new RangeError(`nothing at ${index}`);
  return element;
}

let noted = 0;
function takeNotes() {
  if (notes === undefined) return [];
  const all = readFileSync(notes, 'utf8').trimEnd().split('\n');
  const fresh = all.slice(noted);
  noted = all.length;
  return fresh;
}

const write = (/** @type {number} */ target, /** @type {number} */ value) => {
  at(tensors, target).write(new Float32Array(6).fill(value));
  values[target] = value;
};

const dispatch = (/** @type {readonly number[]} */ sources, /** @type {number} */ target) => {
  const [first = NaN, second] = sources;
  const a = at(tensors, first);
  const outputTensor = at(tensors, target);
  if (second === undefined) operators.increment.dispatch({ inputTensor: a, outputTensor });
  else operators.maximum.dispatch({ aTensor: a, bTensor: at(tensors, second), outputTensor });
  const [x = NaN, y] = sources.map((source) => at(values, source));
  values[target] = y === undefined ? x + 1 : Math.max(x, y);
};

/** A random step of a recording. None of the steps is a read, because that would end the recording. */
function step() {
  const kind = random(10);
  const target = random(BUFFERS);
  if (kind < 2) {
    write(target, random(1000));
    return { copyTo: target };
  }
  const others = tensors.map((_, i) => i).filter((i) => i !== target);
  const any = () => at(others, random(others.length));
  const sources = kind < 6 ? [any()] : [any(), any()];
  dispatch(sources, target);
  return { reads: sources, write: target };
}

async function check(/** @type {number} */ index) {
  const promise = at(tensors, index).read();
  const expected = values[index];
  if ((await promise).some((value) => value !== expected)) wrong++;
  return { copyFrom: index };
}

// Each buffer's first write is the only copy to it, which gives its name in the notes.
await device.idle();
takeNotes();
tensors.forEach((_, i) => write(i, i));
await device.idle();
const names = takeNotes()
  .filter((line) => line.startsWith('copy '))
  .map((line) => line.split(' ')[1]);

const recordings = [];
for (let i = 0; i < count; i++) {
  /** @type {object[]} */
  const steps = Array.from({ length: 1 + random(12) }, step);
  steps.push(await check(random(BUFFERS)));
  recordings.push({ steps, notes: takeNotes() });
}

// Softmax has several passes, and temporary memory that all its dispatches share.
const softmax = await device.compile({ type: 'activationSoftmax', inputTensor: tensor, outputTensor: tensor });
const [a, b, c, d] = /** @type {[Tensor, Tensor, Tensor, Tensor]} */ (tensors.slice(0, 4));
async function softmaxNotes(/** @type {[from: Tensor, to: Tensor][]} */ ...pairs) {
  await device.idle();
  takeNotes();
  for (const [inputTensor, outputTensor] of pairs) softmax.dispatch({ inputTensor, outputTensor });
  await device.idle();
  return takeNotes();
}
const temporary = { once: await softmaxNotes([a, b]), twice: await softmaxNotes([a, b], [c, d]) };

// This operator keeps its weights in persistent memory, which its initialization writes.
/** @satisfies {import('node-directml').TensorDesc} */
const image = { dataType: 'float32', sizes: [1, 1, 1, 6] };
/** @satisfies {import('node-directml').TensorDesc} */
const filter = { dataType: 'float32', sizes: [1, 1, 1, 1], flags: 'ownedByDml' };
/** @satisfies {import('node-directml').ConvolutionDescriptor} */
const convolution = {
  type: 'convolution',
  inputTensor: image,
  filterTensor: filter,
  outputTensor: image,
  mode: 'crossCorrelation',
  direction: 'forward',
  strides: [1, 1],
  dilations: [1, 1],
  startPadding: [0, 0],
  endPadding: [0, 0],
  outputPadding: [0, 0],
  groupCount: 1,
};
const weights = device.createTensor({ ...filter, flags: 'none' }, Float32Array.of(2));
const images = Array.from({ length: 4 }, (_, i) => device.createTensor(image, new Float32Array(6).fill(i + 1)));
async function convolutionNotes(/** @type {boolean} */ compiles, /** @type {[from: number, to: number][]} */ ...pairs) {
  if (compiles) await device.idle();
  if (compiles) takeNotes();
  const operator = await device.compile(convolution, { initializationInputs: { filterTensor: weights } });
  if (!compiles) await device.idle();
  if (!compiles) takeNotes();
  for (const [from, to] of pairs) operator.dispatch({ inputTensor: at(images, from), outputTensor: at(images, to) });
  await device.idle();
  const noted = takeNotes();
  for (const [from, to] of pairs) if ((await at(images, to).read()).some((value) => value !== 2 * (from + 1))) wrong++;
  return noted;
}
const persistent = {
  compiled: await convolutionNotes(true),
  once: await convolutionNotes(false, [0, 1]),
  twice: await convolutionNotes(false, [0, 1], [2, 3]),
  together: await convolutionNotes(true, [0, 1]),
};

/** The notes of copies of 8 bytes each to one buffer, at the given offsets. */
async function copyNotes(/** @type {number[]} */ ...offsets) {
  await device.idle();
  takeNotes();
  for (const offset of offsets) a.buffer.write(new Uint8Array(8), offset);
  await device.idle();
  return takeNotes().map((line) => line.split(' ')[0]);
}
const copies = { apart: await copyNotes(0, 8, 16), again: await copyNotes(0, 16, 16), reaching: await copyNotes(8, 16, 4) };
device.dispose();
console.log(JSON.stringify({ names, recordings, temporary, persistent, copies, wrong }));
