// Finds the documents that are most similar to each query: those whose vectors are at the smallest angle to its own. The
// search is one graph, which is compiled for the first batch of queries, and runs for every batch.
import { gemm, lpNormalization, topK1 as topK } from 'node-directml/operators';

/** @param {import('node-directml').Device} device */
export default async function similaritySearch(device) {
  const [documents, queries, width, batches] = [1000, 4, 32, 3];
  const vectors = (/** @type {number} */ count, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: count * width }, (_, i) => Math.sin(seed * (i + 1) ** 2));
    return device.createTensor({ dataType: 'float32', sizes: [count, width] }, values);
  };
  const library = await lpNormalization(vectors(documents, 0.7), { epsilon: 0 });
  const search = device.jit((/** @type {import('node-directml').Value<'float32'>} */ query) => {
    const scores = gemm(query, library, { transB: 'transpose' });
    return topK(scores, { k: 3 }).outputIndexTensor;
  });

  const found = [];
  for (let batch = 0; batch < batches; batch++) {
    const best = await search(vectors(queries, 0.1 + batch));
    found.push(await best.read());
  }
  return { found };
}
