// @ts-check
// The benchmark's rows about gradients, on the reference: training steps against TensorFlow.js, gradients against values, and what
// a step needs beside its graph.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { rolldown } from 'rolldown';
import { createDevice } from 'node-directml';
import { valueAndGrad } from 'node-directml/gradients';
import {
  activationRelu as relu,
  activationTanh as tanh,
  convolution,
  elementWiseMultiply as multiply,
  elementWiseSubtract as subtract,
  gemm,
  reduce,
} from 'node-directml/operators';
import { checkout } from '../scripts/shared/common.mjs';
import { measureValues, takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Value<'float32'>} Floats */
/** @typedef {import('node-directml').Tensor<'float32'>} Tensor */
/** @typedef {import('./rounds.mjs').Effort} Effort */
/** @typedef {import('./rounds.mjs').Compared} Compared */
/** @typedef {Omit<import('./verdict.mjs').Measurement, 'name'>} Measured */

/**
 * A model in both libraries. The sizes of weights and data are those of this package.
 * @typedef {object} Model
 * @property {readonly (readonly number[])[]} weights
 * @property {readonly (readonly number[])[]} data
 * @property {(weights: readonly Floats[], data: readonly Floats[]) => Floats} loss
 * @property {(weights: readonly tf.Tensor[], data: readonly tf.Tensor[]) => tf.Scalar} theirs
 */

const rate = 0.01;

/** The mean square of a distance, as a tensor of one element. */
function meanSquare(/** @type {Floats} */ y, /** @type {Floats} */ target) {
  const distance = subtract(y, target);
  return /** @type {Floats} */ (reduce(multiply(distance, distance), { function: 'average', axes: [...y.sizes.keys()] }));
}

/** @type {Model} */
const perceptron = {
  weights: [
    [64, 128],
    [128, 10],
  ],
  data: [
    [64, 64],
    [64, 10],
  ],
  loss: ([a, b], [x, target]) => meanSquare(gemm(tanh(gemm(given(x), given(a))), given(b)), given(target)),
  theirs: ([a, b], [x, target]) => {
    const hidden = tf.tanh(tf.matMul(given(x), given(a)));
    return tf.mean(tf.square(tf.sub(tf.matMul(hidden, given(b)), given(target))));
  },
};

const image = 16;
const features = 8;

/** @type {Model} */
const convolutional = {
  weights: [
    [features, 3, 3, 3],
    [features, features, 3, 3],
    [features * (image - 4) ** 2, 10],
  ],
  data: [
    [8, 3, image, image],
    [8, 10],
  ],
  loss: ([a, b, c], [x, target]) => {
    const hidden = relu(convolution(relu(convolution(given(x), given(a))), given(b)));
    return meanSquare(gemm(hidden.reshape([8, features * (image - 4) ** 2]), given(c)), given(target));
  },
  theirs: ([a, b, c], [x, target]) => {
    const layer = (/** @type {tf.Tensor} */ input, /** @type {tf.Tensor} */ filters) =>
      // Its CPU backend computes with the channels last.
      tf.relu(
        tf.conv2d(
          /** @type {tf.Tensor4D} */ (input),
          tf.transpose(/** @type {tf.Tensor4D} */ (filters), [2, 3, 1, 0]),
          1,
          'valid',
        ),
      );
    const hidden = layer(layer(tf.transpose(given(x), [0, 2, 3, 1]), given(a)), given(b));
    const flat = tf.reshape(tf.transpose(hidden, [0, 3, 1, 2]), [8, features * (image - 4) ** 2]);
    return tf.mean(
      tf.square(tf.sub(tf.matMul(/** @type {tf.Tensor2D} */ (flat), /** @type {tf.Tensor2D} */ (given(c))), given(target))),
    );
  },
};

/** @type {Model} */
const chain = {
  weights: Array.from({ length: 6 }, () => [128, 128]),
  data: [
    [128, 128],
    [128, 128],
  ],
  loss: (weights, [x, target]) =>
    meanSquare(
      weights.reduce((y, w) => gemm(y, w), given(x)),
      given(target),
    ),
  theirs: () => tf.scalar(0),
};

/** A model of 10 numbers, whose computing takes less time than the JavaScript around it. @type {Model} */
const tiny = {
  ...perceptron,
  weights: [
    [2, 3],
    [3, 1],
  ],
  data: [
    [4, 2],
    [4, 1],
  ],
};

/**
 * Every run without --reference measures them.
 * @type {readonly { name: string, measure: (effort: Effort) => Promise<Compared | Measured> }[]}
 */
export const gradientRows = [
  { name: 'gradient, perceptron: a training step', measure: (effort) => compareSteps(perceptron, effort) },
  { name: 'gradient, convolutional network: a training step', measure: (effort) => compareSteps(convolutional, effort) },
  {
    name: 'gradient, chain of 6 gemm of 128³: with its value, and the value',
    measure: (effort) => compareWithValue(chain, effort),
  },
  {
    name: 'gradient, convolutional network: with its value, and the value',
    measure: (effort) => compareWithValue(convolutional, effort),
  },
  { name: 'gradient, JavaScript of a step by jit, more than replaying its graph', measure: measureJavaScript },
  { name: 'gradient, 1,000 steps: memory that they leave', measure: measureKept },
];

/** @returns {Promise<Compared>} */
async function compareSteps(/** @type {Model} */ model, /** @type {Effort} */ effort) {
  const device = await openDevice();
  const { step, weights, data, elements } = prepare(device, model);
  await tf.setBackend('cpu');
  await registerGradients();
  const [own, inputs] = [elements.weights, elements.data].map((each) =>
    each.map(([sizes, values]) => tf.tensor(values, [...sizes])),
  );
  const theirs = () =>
    tf.tidy(() => {
      const gradients = tf.grads((/** @type {tf.Tensor[]} */ ...values) => model.theirs(values, given(inputs)))(given(own));
      return gradients.map((gradient, i) => tf.sub(given(own?.[i]), tf.mul(gradient, rate)));
    });
  /** @type {readonly Tensor[]} */
  let ours = weights;
  /** @type {readonly tf.Tensor[]} */
  let made = [];
  const turns = await takeTurns(
    { ...effort, limit: 0.5 },
    () =>
      timed(async () => {
        ours = (await step(weights, data)).weights;
        await device.idle();
      }),
    () => {
      tf.dispose([...made]);
      return timed(() => {
        made = theirs();
        for (const each of made) each.dataSync();
      });
    },
  );
  let equal = true;
  for (const [i, tensor] of ours.entries()) {
    const expected = given(made[i]).dataSync();
    equal &&= (await tensor.read()).every((value, at) => Math.abs(value - (expected[at] ?? NaN)) < 1e-4);
  }
  tf.disposeVariables();
  device.dispose();
  return { ours: 'reference', theirs: 'TensorFlow.js', equal, ...turns };
}

/** @returns {Promise<Compared>} */
async function compareWithValue(/** @type {Model} */ model, /** @type {Effort} */ effort) {
  const device = await openDevice();
  const { weights, data } = prepare(device, model);
  const both = device.jit((/** @type {readonly Floats[]} */ w, /** @type {readonly Floats[]} */ d) =>
    valueAndGrad((/** @type {readonly Floats[]} */ own) => model.loss(own, d))(w),
  );
  const value = device.jit((/** @type {readonly Floats[]} */ w, /** @type {readonly Floats[]} */ d) => model.loss(w, d));
  const side = (/** @type {typeof both | typeof value} */ run) => () =>
    timed(async () => {
      await run(weights, data);
      await device.idle();
    });
  const turns = await takeTurns({ ...effort, limit: 4 }, side(both), side(value));
  const [[first] = [], [second] = []] = await Promise.all([
    (await both(weights, data))[0].read(),
    (await value(weights, data)).read(),
  ]);
  device.dispose();
  return { ours: 'with gradient', theirs: 'value', equal: first === second, ...turns };
}

/** @returns {Promise<Measured>} */
async function measureJavaScript(/** @type {Effort} */ effort) {
  const device = await openDevice();
  const { step, weights, data } = prepare(device, tiny);
  await step(weights, data);
  const [net] = step.graphs;
  const tensors = [...weights, ...data];
  const names = Object.keys(given(net).inputs);
  const bindings = { ...Object.fromEntries(names.map((name, i) => [name, given(tensors[i])])), ...given(net).createOutputs() };
  const recording = device.record(() => given(net).dispatch(bindings));
  const count = 20;
  const perStep = async (/** @type {() => unknown} */ run) => (await timed(run)) / count;
  const byJit = () =>
    perStep(async () => {
      for (let i = 0; i < count; i++) await step(weights, data);
      await device.idle();
    });
  const replayed = () =>
    perStep(async () => {
      for (let i = 0; i < count; i++) recording.replay();
      await device.idle();
    });
  const row = { ours: 'jit', unit: /** @type {const} */ ('ms'), limit: 0.15 };
  const measured = await measureValues(row, effort, byJit, { name: 'replayed', value: replayed });
  device.dispose();
  return measured;
}

/** @returns {Promise<Measured>} */
async function measureKept() {
  setFlagsFromString('--expose-gc');
  const collect = /** @type {() => void} */ (runInNewContext('gc'));
  const device = await openDevice();
  const prepared = prepare(device, tiny);
  let { weights } = prepared;
  const train = async (/** @type {number} */ count) => {
    for (let i = 0; i < count; i++) weights = (await prepared.step(weights, prepared.data)).weights;
    for (let i = 0; i < 3; i++) {
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = await train(200);
  const grown = Math.max(0, (await train(1000)) - before) / 2 ** 20;
  const equal = (await given(weights[0]).read()).every(Number.isFinite);
  device.dispose();
  return { ours: 'kept', unit: 'MiB', values: [[grown]], seconds: 0, control: null, limit: 0.5, equal };
}

/** Node cannot import these modules of TensorFlow.js as they are: their imports have no extensions. */
async function registerGradients() {
  const folder = dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-core'));
  const bundle = await rolldown({ input: join(folder, 'register_all_gradients.js'), platform: 'node', logLevel: 'silent' });
  const file = join(checkout, 'build', 'bench', 'tensorflow-gradients.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  await import(pathToFileURL(file).href);
}

function openDevice() {
  return createDevice({ backend: 'reference', thread: 'caller' });
}

/** A training step of the model, its weights and data. */
function prepare(/** @type {Device} */ device, /** @type {Model} */ { weights, data, loss }) {
  const drawn = (/** @type {readonly (readonly number[])[]} */ all, /** @type {number} */ seed) =>
    all.map((sizes, i) => {
      const count = sizes.reduce((product, size) => product * size, 1);
      const scale = 1 / Math.sqrt(count / given(sizes.at(-1)));
      return /** @type {const} */ ([
        sizes,
        Float32Array.from({ length: count }, (_, at) => scale * Math.sin(1 + seed + i + 1.7 * at)),
      ]);
    });
  const elements = { weights: drawn(weights, 0), data: drawn(data, 10) };
  const tensors = (/** @type {typeof elements.weights} */ all) =>
    all.map(([sizes, values]) => device.createTensor({ dataType: 'float32', sizes }, values));
  const step = device.jit((/** @type {readonly Floats[]} */ w, /** @type {readonly Floats[]} */ d) => {
    const [value, gradients] = valueAndGrad((/** @type {readonly Floats[]} */ own) => loss(own, d))(w);
    return { value, weights: w.map((each, i) => subtract(each, multiply(given(gradients[i]), rate))) };
  });
  return { step, weights: tensors(elements.weights), data: tensors(elements.data), elements };
}

/**
 * @template T
 * @returns {T}
 */
function given(/** @type {T | undefined} */ value) {
  if (value === undefined) throw new TypeError('there are fewer than expected');
  return value;
}
