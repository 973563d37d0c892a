// @ts-check
// Functions of arrays, called with tensors, beside the same operators written by hand.
import { matmul, std, sum } from 'node-directml/array';
import { softmax } from 'node-directml/nn';
import {
  activationSoftmax1,
  elementWiseDivide,
  elementWiseMultiply,
  elementWiseSqrt,
  elementWiseSubtract,
  gemm,
  reduce,
} from 'node-directml/operators';
import { createDevice } from 'node-directml';
import { hashOf } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Tensor<'float32'>} Tensor */
/** @typedef {import('node-directml').Tensor} Result */
/** @typedef {(x: Tensor) => Result | Promise<Result>} Call */

const side = 256;
const calls = 20;

/** @type {readonly { name: string, ours: Call, byHand: Call }[]} */
const functions = [
  { name: 'matmul', ours: (x) => matmul(x, x), byHand: (x) => gemm(x, x) },
  { name: 'sum', ours: (x) => sum(x, { axis: 1 }), byHand: (x) => reduce(x, { function: 'sum', axes: [1] }) },
  { name: 'softmax', ours: (x) => softmax(x, { axis: 1 }), byHand: (x) => activationSoftmax1(x, { axes: [1] }) },
  {
    name: 'std',
    ours: (x) => std(x, { axis: 1 }),
    async byHand(x) {
      const distance = await elementWiseSubtract(x, await reduce(x, { function: 'average', axes: [1] }));
      const squares = await reduce(await elementWiseMultiply(distance, distance), { function: 'sum', axes: [1] });
      return elementWiseSqrt(await elementWiseDivide(squares, side));
    },
  },
];

/** @returns {Promise<import('./rounds.mjs').Compared>} */
async function compare(
  /** @type {Device} */ device,
  /** @type {import('./rounds.mjs').Effort} */ effort,
  /** @type {Call} */ ours,
  /** @type {Call} */ byHand,
) {
  const values = Float32Array.from({ length: side * side }, (_, i) => ((7 * i) % 67) / 64 - 0.5);
  const x = device.createTensor({ dataType: 'float32', sizes: [side, side] }, values);
  const work = (/** @type {Call} */ call) => () =>
    timed(async () => {
      for (let i = 0; i < calls; i++) (await call(x)).dispose();
      await device.idle();
    });
  const turns = await takeTurns({ ...effort, limit: 1.1 }, work(ours), work(byHand));
  const [our, their] = [await ours(x), await byHand(x)];
  const equal = hashOf(await our.read()) === hashOf(await their.read());
  return { ours: 'array', theirs: 'by hand', equal, ...turns };
}

/** On DirectML. */
export const arrayContests = functions.map(({ name, ours, byHand }) => ({
  name: `array: ${calls} times ${name} of ${side} × ${side}, and by hand`,
  compare: (/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) =>
    compare(device, effort, ours, byHand),
}));

/** On the reference. */
export const arrayRows = functions.map(({ name, ours, byHand }) => ({
  name: `array, on the reference: ${calls} times ${name} of ${side} × ${side}, and by hand`,
  async measure(/** @type {import('./rounds.mjs').Effort} */ effort) {
    const device = await createDevice({ backend: 'reference', thread: 'caller' });
    const compared = await compare(device, effort, ours, byHand);
    device.dispose();
    return compared;
  },
}));
