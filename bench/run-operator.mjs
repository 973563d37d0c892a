// @ts-check
// What the benchmark measures of `run`.
import { batchDispatches, hashOf } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */

/**
 * A thousand runs of an addition of 1,000 elements, each with an output of its own, against as many dispatches of the compiled
 * operator.
 * @returns {Promise<import('./rounds.mjs').Compared>}
 */
export async function compareRun(/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) {
  const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [1, 1000] });
  const aTensor = device.createTensor(desc, new Float32Array(1000).fill(1));
  const bTensor = device.createTensor(desc, new Float32Array(1000).fill(2));
  const outputTensor = device.createTensor(desc);
  const operator = await device.compile({ type: 'elementWiseAdd', aTensor: desc, bTensor: desc });
  /** @type {import('node-directml').Tensor} */
  let last = device.createTensor(desc);
  const turns = await takeTurns(
    { ...effort, limit: 3 },
    () =>
      timed(async () => {
        for (let i = 0; i < batchDispatches; i++) {
          const result = await device.run({ type: 'elementWiseAdd', aTensor, bTensor });
          last.dispose();
          last = result.outputTensor;
        }
        await device.idle();
      }),
    () =>
      timed(async () => {
        for (let i = 0; i < batchDispatches; i++) operator.dispatch({ aTensor, bTensor, outputTensor });
        await device.idle();
      }),
  );
  const equal = hashOf(await last.read()) === hashOf(await outputTensor.read());
  return { ours: 'run', theirs: 'dispatch', equal, ...turns };
}
