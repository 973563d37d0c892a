// Ranks web pages by the links between them, as PageRank does: a page is important if important pages link to it. Fifty times,
// one matrix product passes the importance on along the links.
import { elementWiseDivide as divide, gemm, reduce } from 'node-directml/operators';

/** @param {import('node-directml').Device} device */
export default async function pageRank(device) {
  const links = [[1, 2, 3], [2], [0], [0, 2], [2, 5], [4, 6, 7], [0], [3, 6]];
  const [count, damping] = [links.length, 0.85];
  // Row and column are the pages that a link leads to and comes from.
  const matrix = Array.from({ length: count }, (_, to) => links.map((own) => (own.includes(to) ? 1 : 0))).flat();

  // A page shares its importance among the pages that it links to.
  const linked = device.createTensor({ dataType: 'float32', sizes: [count, count] }, matrix);
  const shares = await divide(linked, reduce(linked, { function: 'sum', axes: [0] }));

  let ranks = device.createTensor({ dataType: 'float32', sizes: [count, 1] }, Array(count).fill(1 / count));
  for (let step = 0; step < 50; step++) {
    ranks = await gemm(shares, ranks, { alpha: damping, cTensor: (1 - damping) / count });
  }
  return { ranks: await ranks.read() };
}
