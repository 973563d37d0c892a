// @ts-check
// What the benchmark measures of `run`, of the functions of operators, and of `jit`.
import { elementWiseAdd } from 'node-directml/operators';
import { batchDispatches, hashOf } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Tensor<'float32'>} Tensor */
/** @typedef {import('./rounds.mjs').Effort} Effort */
/** @typedef {import('./rounds.mjs').Compared} Compared */

const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [1, 1000] });

/** Two tensors of `count` floats. */
function inputsOn(/** @type {Device} */ device, count = 1000) {
  const tensorOf = (/** @type {number} */ value) =>
    device.createTensor({ dataType: 'float32', sizes: [1, count] }, new Float32Array(count).fill(value));
  return { aTensor: tensorOf(1), bTensor: tensorOf(2) };
}

/** So many calls, each of which gives an output of its own. Times them, and keeps the last output. */
function newOutputs(
  /** @type {Device} */ device,
  /** @type {() => Promise<Tensor>} */ call,
  /** @type {number} */ count = batchDispatches,
) {
  let last = device.createTensor(desc);
  return {
    time: () =>
      timed(async () => {
        for (let i = 0; i < count; i++) {
          const output = await call();
          last.dispose();
          last = output;
        }
        await device.idle();
      }),
    hash: async () => hashOf(await last.read()),
  };
}

/** @returns {Promise<Compared>} */
async function compareCalls(
  /** @type {Device} */ device,
  /** @type {Effort & { limit: number }} */ effort,
  /** @type {{ readonly name: string, readonly call: () => Promise<Tensor> }} */ ours,
  /** @type {{ readonly name: string, readonly call: () => Promise<Tensor> }} */ theirs,
) {
  const our = newOutputs(device, ours.call);
  const their = newOutputs(device, theirs.call);
  const turns = await takeTurns(effort, our.time, their.time);
  return { ours: ours.name, theirs: theirs.name, equal: (await our.hash()) === (await their.hash()), ...turns };
}

function runOf(/** @type {Device} */ device, /** @type {ReturnType<typeof inputsOn>} */ { aTensor, bTensor }) {
  return async () => (await device.run({ type: 'elementWiseAdd', aTensor, bTensor })).outputTensor;
}

/**
 * A thousand runs of an addition of 1,000 elements, each with an output of its own, against as many dispatches of the compiled
 * operator. These take turns with two outputs, as the memory of the runs does: Direct3D makes descriptors anew for a dispatch whose
 * bindings are not those of the dispatch before, and both sides shall have that.
 * @returns {Promise<Compared>}
 */
export async function compareRun(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const inputs = inputsOn(device);
  const dispatches = await dispatchesOf(device, inputs, true);
  const runs = newOutputs(device, runOf(device, inputs));
  const turns = await takeTurns({ ...effort, limit: 1.4 }, runs.time, dispatches.time);
  return { ours: 'run', theirs: 'dispatch', equal: (await runs.hash()) === (await dispatches.hash()), ...turns };
}

/**
 * The same, and both write the same output.
 * @returns {Promise<Compared>}
 */
export async function compareRunInto(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const inputs = inputsOn(device);
  const dispatches = await dispatchesOf(device, inputs);
  const runs = runsInto(device, inputs, batchDispatches);
  const turns = await takeTurns({ ...effort, limit: 1.3 }, runs.time, dispatches.time);
  return { ours: 'run', theirs: 'dispatch', equal: (await runs.hash()) === (await dispatches.hash()), ...turns };
}

/**
 * Runs of an addition whose output has 1 MiB: a new one each time, against the same one.
 * @returns {Promise<Compared>}
 */
export async function compareNewOutputs(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const inputs = inputsOn(device, 2 ** 18);
  const anew = newOutputs(device, runOf(device, inputs), 50);
  const into = runsInto(device, inputs, 50);
  const turns = await takeTurns({ ...effort, limit: 1.2 }, anew.time, into.time);
  return { ours: 'new', theirs: 'given', equal: (await anew.hash()) === (await into.hash()), ...turns };
}

/** So many runs into one output. */
function runsInto(/** @type {Device} */ device, /** @type {ReturnType<typeof inputsOn>} */ inputs, /** @type {number} */ count) {
  const outputTensor = device.createTensor({ dataType: 'float32', sizes: inputs.aTensor.sizes });
  return {
    time: () =>
      timed(async () => {
        for (let i = 0; i < count; i++) await device.run({ type: 'elementWiseAdd', ...inputs, outputTensor });
        await device.idle();
      }),
    hash: async () => hashOf(await outputTensor.read()),
  };
}

/** A thousand dispatches into one output, or into two in turn. */
async function dispatchesOf(
  /** @type {Device} */ device,
  /** @type {ReturnType<typeof inputsOn>} */ { aTensor, bTensor },
  hasTwo = false,
) {
  const first = { aTensor, bTensor, outputTensor: device.createTensor(desc) };
  const second = hasTwo ? { aTensor, bTensor, outputTensor: device.createTensor(desc) } : first;
  const operator = await device.compile({ type: 'elementWiseAdd', aTensor: desc, bTensor: desc });
  return {
    time: () =>
      timed(async () => {
        for (let i = 0; i < batchDispatches; i++) operator.dispatch(i % 2 === 0 ? first : second);
        await device.idle();
      }),
    hash: async () => hashOf(await first.outputTensor.read()),
  };
}

/** The same addition by its function, against `run`. */
export function compareFunction(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const { aTensor, bTensor } = inputsOn(device);
  const ours = { name: 'function', call: () => elementWiseAdd(aTensor, bTensor) };
  return compareCalls(device, { ...effort, limit: 1.15 }, ours, { name: 'run', call: runOf(device, { aTensor, bTensor }) });
}

/**
 * A function of `jit` against `run` of the graph that it compiles. The limit is a difference of 5 µs per call, for a call of
 * about 80 µs.
 */
export async function compareJit(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const { aTensor, bTensor } = inputsOn(device);
  const sum = device.jit((/** @type {Tensor} */ a, /** @type {Tensor} */ b) => elementWiseAdd(a, b));
  const graph = device.createGraph();
  const { outputTensor } = graph.add({
    type: 'elementWiseAdd',
    aTensor: graph.input('a', desc),
    bTensor: graph.input('b', desc),
  });
  const net = await graph.compile({ outputTensor });
  const theirs = async () => (await net.run({ a: aTensor, b: bTensor })).outputTensor;
  const ours = { name: 'jit', call: () => sum(aTensor, bTensor) };
  return compareCalls(device, { ...effort, limit: 1.06 }, ours, { name: 'net.run', call: theirs });
}
