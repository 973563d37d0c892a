// @ts-check
// The benchmark's rows about single operators: dispatches of a ScatterND, recorded and replayed.
import { batchDispatches, hashOf, scatterData, scatterDescriptor, small } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Work} Work */

/**
 * @param {Device} device
 * @param {{ elements: number, updates: number }} size
 * @param {number} dispatches
 * @returns {Promise<Work>}
 */
export async function scatterWork(device, size, dispatches) {
  const { record, result } = await scatterDispatches(device, size, dispatches);
  return {
    async run() {
      record();
      await device.idle();
    },
    result,
  };
}

/** @returns {Promise<Work>} */
export async function replayWork(/** @type {Device} */ device) {
  const { record, result } = await scatterDispatches(device, small, batchDispatches);
  const recording = device.record(record);
  return {
    async run() {
      recording.replay();
      await device.idle();
    },
    result,
  };
}

/**
 * Two tensors alternate as input and output, so that each dispatch of a batch depends on the previous one.
 * @param {Device} device
 * @param {{ elements: number, updates: number }} size
 * @param {number} dispatches
 */
async function scatterDispatches(device, size, dispatches) {
  const data = scatterData(size);
  const float = /** @type {const} */ ('float32');
  const values = [
    device.createTensor({ dataType: float, sizes: [1, size.elements] }, data.input),
    device.createTensor({ dataType: float, sizes: [1, size.elements] }),
  ];
  const indicesTensor = device.createTensor({ dataType: 'uint32', sizes: [size.updates, 1] }, data.indices);
  const updatesTensor = device.createTensor({ dataType: float, sizes: [1, size.updates] }, data.updates);
  const [even, odd] = values;
  if (even === undefined || odd === undefined) throw new Error('two tensors were made');
  const directions = /** @type {const} */ ([
    { inputTensor: even, indicesTensor, updatesTensor, outputTensor: odd },
    { inputTensor: odd, indicesTensor, updatesTensor, outputTensor: even },
  ]);
  const operator = await device.compile(scatterDescriptor(size, 'uint32'));
  await device.idle();
  return {
    record() {
      for (let i = 0; i < dispatches; i++) operator.dispatch(i % 2 === 0 ? directions[0] : directions[1]);
    },
    result: () => (dispatches % 2 === 0 ? even : odd).read(),
  };
}

/**
 * Compares the time that the JavaScript thread takes to submit 1,000 dispatches by replaying and by recording them.
 * @returns {Promise<import('./rounds.mjs').Compared>}
 */
export async function compareReplaying(/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) {
  const { record, result } = await scatterDispatches(device, small, batchDispatches);
  const recording = device.record(record);
  const untilSubmitted = async (/** @type {() => void} */ work) => {
    const time = await timed(work);
    await device.idle();
    return time;
  };
  const turns = await takeTurns(
    { ...effort, limit: 0.02 },
    () => untilSubmitted(() => recording.replay()),
    () =>
      untilSubmitted(() => {
        record();
        device.submit();
      }),
  );
  const before = hashOf(await result());
  recording.replay();
  const equal = before === hashOf(await result());
  return { ours: 'replay', theirs: 'record', equal, ...turns };
}
