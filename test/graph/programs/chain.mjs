/** How many nodes a chain has. */
export const nodes = 1_000;

/** Builds a graph in which each node reads the one before it. */
export function buildChain(/** @type {import('node-directml').Device} */ device) {
  const graph = device.createGraph();
  /** @type {import('node-directml').Value} */
  let value = graph.input('x', { dataType: 'float32', sizes: [4] });
  for (let i = 0; i < nodes; i++) value = graph.add({ type: 'activationRelu', inputTensor: value }).outputTensor;
  return { graph, value };
}
