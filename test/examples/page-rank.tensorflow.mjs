// examples/page-rank.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

export default async function pageRank() {
  const links = [[1, 2, 3], [2], [0], [0, 2], [2, 5], [4, 6, 7], [0], [3, 6]];
  const [count, damping] = [links.length, 0.85];
  // The row is the page that a link leads to, the column the page that has the link.
  const matrix = Array.from({ length: count }, (_, to) => links.map((own) => (own.includes(to) ? 1 : 0))).flat();

  // A page shares its importance among the pages that it links to.
  const linked = tf.tensor2d(matrix, [count, count]);
  const shares = tf.div(linked, tf.sum(linked, 0, true));

  let ranks = tf.fill([count, 1], 1 / count);
  for (let step = 0; step < 50; step++) {
    const followed = tf.mul(tf.matMul(shares, ranks), damping);
    ranks = tf.add(followed, (1 - damping) / count);
  }
  return { ranks: await ranks.data() };
}
