// Finds the documents that are most similar to each query: their vectors have the smallest angles to the query's vector. The
// operators are compiled once, and dispatched for every batch of queries.

/** @param {import('node-directml').Device} device */
export default async function similaritySearch(device) {
  const [documents, queries, width, batches] = [1000, 4, 32, 3];
  const vectors = (/** @type {number} */ count, /** @type {number} */ seed) =>
    Float32Array.from({ length: count * width }, (_, i) => Math.sin(seed * (i + 1) ** 2));
  const raw = device.createTensor({ dataType: 'float32', sizes: [documents, width] }, vectors(documents, 0.7));
  const { outputTensor: library } = await device.run({ type: 'lpNormalization', inputTensor: raw, epsilon: 0 });

  const query = device.createTensor({ dataType: 'float32', sizes: [queries, width] });
  const compare = await device.compile({ type: 'gemm', aTensor: query, bTensor: library, transB: 'transpose' });
  const { outputTensor: scores } = compare.createOutputs();
  const select = await device.compile({ type: 'topK1', inputTensor: scores, outputIndexTensor: { dataType: 'uint32' }, k: 3 });
  const best = select.createOutputs();

  const found = [];
  for (let batch = 0; batch < batches; batch++) {
    query.write(vectors(queries, 0.1 + batch));
    compare.dispatch({ aTensor: query, bTensor: library, outputTensor: scores });
    select.dispatch({ inputTensor: scores, ...best });
    found.push(await best.outputIndexTensor.read());
  }
  return { found };
}
