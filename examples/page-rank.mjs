// Ranks web pages by the links between them, as PageRank does: a page is important if important pages link to it. One
// compiled operator is dispatched fifty times. It reads one tensor and writes another one; then the two change places.

/** @param {import('node-directml').Device} device */
export default async function pageRank(device) {
  const links = [[1, 2, 3], [2], [0], [0, 2], [2, 5], [4, 6, 7], [0], [3, 6]];
  const [count, damping] = [links.length, 0.85];
  // A link from page `column` to page `row` is a 1 in this row and column.
  const matrix = Array.from({ length: count }, (_, to) => links.map((own) => (own.includes(to) ? 1 : 0))).flat();

  // A page shares its importance among the pages that it links to.
  const linked = device.createTensor({ dataType: 'float32', sizes: [count, count] }, matrix);
  const { outputTensor: sums } = await device.run({ type: 'reduce', function: 'sum', inputTensor: linked, axes: [0] });
  const totals = sums.broadcastTo([count, count]);
  const { outputTensor: aTensor } = await device.run({ type: 'elementWiseDivide', aTensor: linked, bTensor: totals });

  let bTensor = device.createTensor({ dataType: 'float32', sizes: [count, 1] }, Array(count).fill(1 / count));
  let outputTensor = device.createTensor({ dataType: 'float32', sizes: [count, 1] });
  const cTensor = device.createTensor({ dataType: 'float32', sizes: [count, 1] }, Array(count).fill((1 - damping) / count));
  const follow = await device.compile({ type: 'gemm', aTensor, bTensor, cTensor, alpha: damping });
  for (let step = 0; step < 50; step++) {
    follow.dispatch({ aTensor, bTensor, cTensor, outputTensor });
    [bTensor, outputTensor] = [outputTensor, bTensor];
  }
  return { ranks: await bTensor.read() };
}
