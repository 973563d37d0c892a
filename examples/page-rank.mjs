// Ranks web pages by the links between them, as PageRank does: a page is important if important pages link to it. Fifty times,
// one matrix product passes the importance on along the links.
import * as np from 'node-directml/array';

/** @param {import('node-directml').Device} device */
export default async function pageRank(device) {
  const links = [[1, 2, 3], [2], [0], [0, 2], [2, 5], [4, 6, 7], [0], [3, 6]];
  const [count, damping] = [links.length, 0.85];
  // The row is the page that a link leads to, the column the page that has the link.
  const linked = device.tensor(links.map((_, to) => links.map((own) => (own.includes(to) ? 1 : 0))));
  // A page shares its importance among the pages that it links to.
  const shares = await np.divide(linked, np.sum(linked, { axis: 0 }));

  let ranks = await np.full(device, count, 1 / count);
  for (let step = 0; step < 50; step++) {
    const followed = np.multiply(np.matmul(shares, ranks), damping);
    ranks = await np.add(followed, (1 - damping) / count);
  }
  return { ranks: await ranks.read() };
}
