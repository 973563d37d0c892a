// Chooses the next token on the device.
import {
  argmax,
  cast,
  elementWiseAdd as add,
  elementWiseBitShiftRight,
  elementWiseLog as log,
  elementWiseMultiply as multiply,
  gatherElements,
  randomGenerator,
  topK1,
} from 'node-directml/operators';

/** @typedef {import('node-directml').Tensor} Tensor */
/** @typedef {import('node-directml').Value} Value */
/**
 * @typedef {object} Sampling
 * @property {number} [temperature] 0 takes the most likely token; more makes less likely ones more frequent. Default: 0
 * @property {number} [topK] among how many of the most likely tokens to choose. Default: 40
 * @property {number} [seed] the same seed gives the same text. Default: 0
 */

/**
 * Compiles the choice, and returns the function that dispatches it.
 * @param {import('node-directml').Device} device @param {Tensor} logits [1, vocabulary] @param {Tensor} token [1, 1]
 * @param {Sampling} sampling
 */
export async function createSampler(device, logits, token, { temperature = 0, topK = 40, seed = 0 }) {
  if (temperature === 0) {
    const graph = await device.jit((/** @type {Value} */ scores) => argmax(scores, { axes: [1] })).compile(logits);
    return () => graph.dispatch({ 'args[0]': logits, result: token });
  }
  const state = device.tensor([0, 0, 0, 0, seed, 0], { dataType: 'uint32' });
  const next = device.createTensor(state);
  const k = Math.min(topK, logits.sizes[1] ?? topK);
  const choice = device.jit((/** @type {Value} */ scores, /** @type {Value} */ random) => choose(scores, random, k, temperature));
  const graph = await choice.compile(logits, state);
  const advance = await device.prepare({ type: 'elementWiseIdentity', inputTensor: next, outputTensor: state });
  return () => {
    graph.dispatch({ 'args[0]': logits, 'args[1]': state, 'result.token': token, 'result.next': next });
    advance.dispatch();
  };
}

/**
 * One of the k most likely tokens. With noise of Gumbel's distribution, the largest sum has the probability that softmax gives.
 * @param {Value} scores @param {Value} random the state of the generator @param {number} k @param {number} temperature
 */
function choose(scores, random, k, temperature) {
  const { outputValueTensor: likely, outputIndexTensor: tokens } = topK1(scores, { k });
  const { outputTensor: bits, outputStateTensor: next } = randomGenerator(random, {
    outputTensor: { sizes: [1, k] },
    outputStateTensor: {},
  });
  // 23 bits and a half, so that float32 expresses all numbers exactly, and never 0 or 1.
  const whole = cast(elementWiseBitShiftRight(bits, 9), { outputTensor: { dataType: 'float32' } });
  const uniform = multiply(add(whole, 0.5), 2 ** -23);
  const noise = multiply(log(multiply(log(uniform), -1)), -1);
  const best = argmax(add(multiply(likely, 1 / temperature), noise), { axes: [1] });
  return { token: gatherElements(tokens, best, { axis: 1 }), next };
}
