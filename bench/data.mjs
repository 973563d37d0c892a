// @ts-check
// The input data of the benchmarks, the same for all sides. bench/native creates the same data in C++.

export const large = { elements: 1_000_000, updates: 100_000 };
export const small = { elements: 1_000, updates: 100 };
export const batchDispatches = 1_000;
export const transferWords = 16 * 1024 * 1024;

/**
 * Returns input, indices and updates of a float32 ScatterND. The indices are distinct because the factor is prime.
 * @param {{ elements: number, updates: number }} size
 */
export function scatterData({ elements, updates }) {
  return {
    input: Float32Array.from({ length: elements }, (_, i) => i % 8191),
    indices: Uint32Array.from({ length: updates }, (_, i) => (611953 * i) % elements),
    updates: Float32Array.from({ length: updates }, (_, i) => -0.5 - (i % 4093)),
  };
}

/**
 * The ScatterND operator for that data.
 * @param {{ elements: number, updates: number }} size
 * @param {'uint32' | 'int64'} indexType
 * @returns {import('node-directml').OperatorDescriptor}
 */
export function scatterDescriptor({ elements, updates }, indexType) {
  return {
    type: 'scatterNd',
    inputTensor: { dataType: 'float32', sizes: [1, elements] },
    indicesTensor: { dataType: indexType, sizes: [updates, 1] },
    updatesTensor: { dataType: 'float32', sizes: [1, updates] },
    outputTensor: { dataType: 'float32', sizes: [1, elements] },
    inputDimensionCount: 1,
    indicesDimensionCount: 2,
  };
}

/** Returns the words that are uploaded and read back. */
export function transferData() {
  const words = new Uint32Array(transferWords);
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i, 2654435761);
  return words;
}

/** Weights of a network, from -0.25 to 0.27. */
export function weightData(/** @type {number} */ length, /** @type {number} */ seed) {
  return Float32Array.from({ length }, (_, i) => ((7 * i + seed) % 67) / 128 - 0.25);
}

export const compiledNodes = 1_000;
export const dispatchedNodes = 100;
export const graphDispatches = 10;
const chainTensor = /** @type {const} */ ({ dataType: 'float32', sizes: [1, 1, 32, 32] });

/** Returns the input of a chain (`buildChain`). */
export function chainInput() {
  return { ...chainTensor, data: Float32Array.from({ length: 1024 }, (_, i) => (i % 61) / 64 - 0.25) };
}

/**
 * Builds a chain of operators in which each node reads one or two earlier values.
 * @param {import('node-directml').Device} device
 * @param {number} nodes
 */
export function buildChain(device, nodes) {
  const graph = device.createGraph();
  const input = graph.input('input', chainTensor);
  /** @type {import('node-directml').Value} */
  let before = input;
  /** @type {import('node-directml').Value} */
  let value = input;
  for (let i = 0; i < nodes; i++) {
    const next = addLink(graph, i, { value, before, input });
    before = value;
    value = next;
  }
  return { graph, value };
}

/**
 * @param {import('node-directml').Graph} graph
 * @param {number} index
 * @param {Record<'value' | 'before' | 'input', import('node-directml').Value>} values
 */
function addLink(graph, index, { value, before, input }) {
  if (index % 3 === 0) return graph.add({ type: 'activationRelu', inputTensor: value }).outputTensor;
  if (index % 3 === 1) return graph.add({ type: 'elementWiseAdd1', aTensor: value, bTensor: before }).outputTensor;
  return graph.add({ type: 'elementWiseMultiply', aTensor: value, bTensor: input }).outputTensor;
}

/** FNV-1a over 32-bit words. */
export function hashOf(/** @type {ArrayBufferView} */ data) {
  let hash = 2166136261;
  for (const word of new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)) {
    hash = Math.imul(hash ^ word, 16777619);
  }
  return hash >>> 0;
}
