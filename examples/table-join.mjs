// Joins two tables, as SQL does with
//   SELECT amount, discount, amount * (1 - discount) FROM orders JOIN contracts ON orders.customer = contracts.customer
// An order of a customer without a contract gives no row, and one of a customer with two contracts gives two.
import {
  elementWiseLogicalEquals as equals,
  elementWiseMultiply as multiply,
  elementWiseSubtract as subtract,
  gather,
  nonzeroCoordinates,
  slice1 as slice,
} from 'node-directml/operators';

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

  // Compares each order with each contract, and lists the coordinates of the matches: the rows of both tables.
  const matches = equals(orders.customer, contracts.customer);
  const { outputCountTensor, outputCoordinatesTensor: pairs } = await nonzeroCoordinates(matches);
  const [count = 0] = await outputCountTensor.read();

  /** The values that a column has in the joined table. Table 0 is the left one. */
  const join = async (/** @type {0 | 1} */ table, /** @type {import('node-directml').Tensor<'float32'>} */ column) => {
    const rows = await slice(pairs, { inputWindowOffsets: [0, table], inputWindowSizes: [count, 1] });
    return gather(column, rows.reshape([count]), { indexDimensions: 1 });
  };
  const amount = await join(0, orders.amount);
  const discount = await join(1, contracts.discount);

  const price = await subtract(amount, multiply(amount, discount));
  return { amount: await amount.read(), discount: await discount.read(), price: await price.read() };
}
