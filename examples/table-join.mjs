// Joins two tables, as SQL does with
//   SELECT amount, discount, amount * (1 - discount) FROM orders JOIN contracts ON orders.customer = contracts.customer
// An order of a customer without a contract gives no row, and one of a customer with two contracts gives two.
import * as np from 'node-directml/array';

/** @typedef {import('node-directml').Tensor<'int32'>} Rows */

/** @param {import('node-directml').Device} device */
export default async function tableJoin(device) {
  const orders = {
    customer: device.tensor([[17], [42], [99], [5], [42], [17], [63], [8]], { dataType: 'uint32' }),
    amount: device.tensor([120, 80, 45.5, 300, 19, 75, 60, 9.5]),
  };
  const contracts = {
    customer: device.tensor([[5, 17, 42, 63, 17]], { dataType: 'uint32' }),
    discount: device.tensor([0.05, 0.1, 0, 0.2, 0.25]),
  };

  // Compares each order with each contract, and lists the matches: their rows in both tables.
  const matches = await np.nonzero(np.equal(orders.customer, contracts.customer));
  const [left, right] = /** @type {readonly [Rows, Rows]} */ (matches);
  const amount = await np.take(orders.amount, left);
  const discount = await np.take(contracts.discount, right);
  const price = await np.subtract(amount, np.multiply(amount, discount));
  return { amount: await amount.read(), discount: await discount.read(), price: await price.read() };
}
