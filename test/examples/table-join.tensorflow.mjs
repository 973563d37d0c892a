// examples/table-join.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

export default async function tableJoin() {
  const orders = {
    customer: tf.tensor2d([17, 42, 99, 5, 42, 17, 63, 8], [8, 1], 'int32'),
    amount: tf.tensor1d([120, 80, 45.5, 300, 19, 75, 60, 9.5]),
  };
  const contracts = {
    customer: tf.tensor2d([5, 17, 42, 63, 17], [1, 5], 'int32'),
    discount: tf.tensor1d([0.05, 0.1, 0, 0.2, 0.25]),
  };

  // Compares each order with each contract, and lists the coordinates of the matches, which are the rows in both tables.
  const matches = tf.equal(orders.customer, contracts.customer);
  const pairs = await tf.whereAsync(matches);

  /** The values that a column has in the joined table. Table 0 is the left one. */
  const join = (/** @type {0 | 1} */ table, /** @type {tf.Tensor1D} */ column) => {
    const rows = tf.slice(pairs, [0, table], [-1, 1]);
    return tf.gather(column, tf.squeeze(rows, [1]));
  };
  const amount = join(0, orders.amount);
  const discount = join(1, contracts.discount);

  const price = tf.sub(amount, tf.mul(amount, discount));
  return { amount: await amount.data(), discount: await discount.data(), price: await price.data() };
}
