// examples/similarity-search.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

export default async function similaritySearch() {
  const [documents, queries, width, batches] = [1000, 4, 32, 3];
  const vectors = (/** @type {number} */ count, /** @type {number} */ seed) =>
    Float32Array.from({ length: count * width }, (_, i) => Math.sin(seed * (i + 1) ** 2));
  const raw = tf.tensor2d(vectors(documents, 0.7), [documents, width]);
  const library = tf.div(raw, tf.norm(raw, 2, 1, true));

  const found = [];
  for (let batch = 0; batch < batches; batch++) {
    const query = tf.tensor2d(vectors(queries, 0.1 + batch), [queries, width]);
    const scores = tf.matMul(query, library, false, true);
    const best = tf.topk(scores, 3);
    found.push(await best.indices.data());
  }
  return { found };
}
