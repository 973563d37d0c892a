// Joins two tables, as SQL does with
//   SELECT amount, discount, amount * (1 - discount) FROM orders JOIN contracts ON orders.customer = contracts.customer
// An order of a customer without a contract gives no row, and an order of a customer with two contracts gives two rows.

/** @param {import('node-directml').Device} device */
export default async function tableJoin(device) {
  const orders = {
    customer: device.createTensor({ dataType: 'uint32', sizes: [8, 1] }, [17, 42, 99, 5, 42, 17, 63, 8]),
    amount: device.createTensor({ dataType: 'float32', sizes: [8] }, [120, 80, 45.5, 300, 19, 75, 60, 9.5]),
  };
  const contracts = {
    customer: device.createTensor({ dataType: 'uint32', sizes: [1, 5] }, [5, 17, 42, 63, 17]),
    discount: device.createTensor({ dataType: 'float32', sizes: [5] }, [0.05, 0.1, 0, 0.2, 0.25]),
  };

  // Compares each order with each contract, and lists the coordinates of the matches: the rows of both tables.
  const { outputTensor: matches } = await device.run({
    type: 'elementWiseLogicalEquals',
    aTensor: orders.customer.broadcastTo([8, 5]),
    bTensor: contracts.customer.broadcastTo([8, 5]),
    outputTensor: { dataType: 'uint8' },
  });
  const { outputCountTensor, outputCoordinatesTensor } = await device.run({ type: 'nonzeroCoordinates', inputTensor: matches });
  const count = Number((await outputCountTensor.read())[0]);

  /** Returns the values of a column in the joined table. Table 0 is the left table. */
  const join = async (/** @type {0 | 1} */ table, /** @type {import('node-directml').Tensor} */ column) => {
    const window = { inputWindowOffsets: [0, table], inputWindowSizes: [count, 1], inputWindowStrides: [1, 1] };
    const { outputTensor: rows } = await device.run({ type: 'slice1', inputTensor: outputCoordinatesTensor, ...window });
    const indices = rows.reshape([count]);
    return device.run({ type: 'gather', inputTensor: column, indicesTensor: indices, indexDimensions: 1 });
  };
  const { outputTensor: amount } = await join(0, orders.amount);
  const { outputTensor: discount } = await join(1, contracts.discount);

  const { outputTensor: reduction } = await device.run({ type: 'elementWiseMultiply', aTensor: amount, bTensor: discount });
  const { outputTensor: price } = await device.run({ type: 'elementWiseSubtract', aTensor: amount, bTensor: reduction });
  return { amount: await amount.read(), discount: await discount.read(), price: await price.read() };
}
