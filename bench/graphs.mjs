// @ts-check
// The benchmark's rows about graphs.
import { buildChain, chainInput, compiledNodes, dispatchedNodes, graphDispatches, hashOf } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Work} Work */

/** @returns {Promise<Work>} */
export async function compileWork(/** @type {Device} */ device) {
  /** @type {import('node-directml').CompiledGraph | null} */
  let last = null;
  return {
    async run() {
      last?.dispose();
      const { graph, value } = buildChain(device, compiledNodes);
      last = await graph.compile({ value });
    },
    result: null,
  };
}

/** @returns {Promise<Work>} */
export async function graphWork(/** @type {Device} */ device) {
  const { graph, value } = buildChain(device, dispatchedNodes);
  const compiled = await graph.compile({ value });
  const { data: elements, ...desc } = chainInput();
  const tensors = { input: device.createTensor(desc, elements), value: device.createTensor(desc) };
  await device.idle();
  return {
    async run() {
      for (let i = 0; i < graphDispatches; i++) compiled.dispatch(tensors);
      await device.idle();
    },
    result: () => tensors.value.read(),
  };
}

/**
 * Compares a graph of 100 nodes with its operators dispatched one by one. The ratio is only shown; it has no limit.
 * @returns {Promise<import('./rounds.mjs').Compared>}
 */
export async function compareSingly(/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) {
  const work = await graphWork(device);
  const { data: elements, ...desc } = chainInput();
  const input = device.createTensor(desc, elements);
  const relu = await device.compile({ type: 'activationRelu', inputTensor: desc });
  const add = await device.compile({ type: 'elementWiseAdd1', aTensor: desc, bTensor: desc });
  const multiply = await device.compile({ type: 'elementWiseMultiply', aTensor: desc, bTensor: desc });
  const values = [input, ...Array.from({ length: dispatchedNodes }, () => device.createTensor(desc))];
  const at = (/** @type {number} */ i) => values[Math.max(0, i)] ?? input;
  const singly = () => {
    for (let i = 0; i < dispatchedNodes; i++) {
      const outputTensor = at(i + 1);
      if (i % 3 === 0) relu.dispatch({ inputTensor: at(i), outputTensor });
      else if (i % 3 === 1) add.dispatch({ aTensor: at(i), bTensor: at(i - 1), outputTensor });
      else multiply.dispatch({ aTensor: at(i), bTensor: input, outputTensor });
    }
  };
  const turns = await takeTurns(
    { ...effort, limit: null },
    () => timed(work.run),
    () =>
      timed(async () => {
        for (let i = 0; i < graphDispatches; i++) singly();
        await device.idle();
      }),
  );
  const equal = hashOf(await at(dispatchedNodes).read()) === (work.result === null ? NaN : hashOf(await work.result()));
  return { ours: 'graph', theirs: 'singly', equal, ...turns };
}

/**
 * Compares the time to build a node in a graph of 5,000 nodes and in one of 500.
 * @returns {Promise<import('./rounds.mjs').Compared>}
 */
export async function compareBuilding(/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) {
  const perNode = async (/** @type {number} */ nodes) => (await timed(() => buildChain(device, nodes))) / nodes;
  const turns = await takeTurns(
    { ...effort, limit: 1.5 },
    () => perNode(5000),
    async () => {
      let sum = 0;
      for (let i = 0; i < 10; i++) sum += await perNode(500);
      return sum / 10;
    },
  );
  return { ours: '5,000', theirs: '500', equal: true, ...turns };
}
