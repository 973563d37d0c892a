// Finds the documents that are most similar to each query: those whose vectors are at the smallest angle to its own. The
// search is one graph, which is compiled for the first batch of queries, and runs for every batch.
import * as np from 'node-directml/array';

/** @typedef {import('node-directml').Value<'float32'>} Value */

/** @param {import('node-directml').Device} device */
export default async function similaritySearch(device) {
  const [documents, queries, width, batches] = [1000, 4, 32, 3];
  const vectors = (/** @type {number} */ count, /** @type {number} */ seed) =>
    Float32Array.from({ length: count * width }, (_, i) => Math.sin(seed * (i + 1) ** 2));
  const raw = device.tensor(vectors(documents, 0.7), { sizes: [documents, width] });
  const library = await np.matrixTranspose(np.divide(raw, np.norm(raw, { axis: 1, keepDims: true })));
  const search = device.jit((/** @type {Value} */ query) => np.topK(np.matmul(query, library), 3));

  const found = [];
  for (let batch = 0; batch < batches; batch++) {
    const query = device.tensor(vectors(queries, 0.1 + batch), { sizes: [queries, width] });
    found.push(await (await search(query)).indices.read());
  }
  return { found };
}
