/** Random cases of linear algebra. */
import type { ArrayOf, DataType, Draw } from './draw.js';
import { floats, numbers } from './draw.js';

type Generator = (draw: Draw) => readonly unknown[];
type Sizes = readonly number[];

/** Square matrices, far from singular: in each row, an element outweighs all others, each in its own column. Few are not square. */
function regular(draw: Draw, order: (n: number) => readonly number[] = (n) => draw.random.distinct(n, n)): ArrayOf {
  const n = draw.int(1, 5);
  if (draw.chance(0.06)) return draw.array(floats, draw.chance(0.5) ? [n] : [n, n + 1]);
  const x = draw.array(draw.chance(0.7) ? floats : numbers, [...draw.sizes(0, 2), n, n], [-1, 1]);
  const data = [...x.data];
  for (let start = 0; start < data.length; start += n * n) {
    for (const [row, column] of order(n).entries()) data[start + row * n + column] = draw.element(x.dataType, [n + 1, n + 2]);
  }
  return { ...x, data };
}

/** Sizes of vectors or matrices that systems of equations have on their right. */
function beside(draw: Draw, { sizes }: ArrayOf): Sizes {
  const n = draw.chance(0.04) ? 7 : (sizes.at(-1) ?? 1);
  if (draw.chance(0.3)) return [n];
  const batch = sizes.length <= 2 ? draw.sizes(0, 1) : draw.beside(sizes.slice(0, -2));
  return [...batch, n, draw.int(1, 3)];
}

const ofMatrices: Generator = (draw) => [regular(draw)];

export const linalgGenerators: Readonly<Record<string, Generator>> = {
  'linalg.det': ofMatrices,
  'linalg.slogdet': ofMatrices,
  'linalg.inv': ofMatrices,
  'linalg.solve': (draw) => {
    const x = regular(draw);
    const types: readonly DataType[] = draw.chance(0.7) ? floats : numbers;
    return [x, draw.array(types, beside(draw, x))];
  },
  'linalg.cholesky': (draw) => {
    const x = regular(draw, (n) => [...new Array(n).keys()]);
    return draw.chance(0.5) ? [x] : [x, { upper: draw.chance(0.5) }];
  },
  'linalg.matrixPower': (draw) => [regular(draw), draw.int(-2, 3)],
  'linalg.matrixNorm': (draw) => [
    draw.array(numbers, draw.sizes(draw.chance(0.05) ? 1 : 2), undefined, true),
    {
      ...(draw.chance(0.7) ? { ord: draw.pick(['fro', 1, -1, Infinity, -Infinity]) } : {}),
      ...(draw.chance(0.4) ? { keepDims: draw.chance(0.7) } : {}),
    },
  ],
  'linalg.vectorNorm': (draw) => {
    const x = draw.array(numbers, undefined, [0, 4]);
    return [x, draw.reduced(x, draw.chance(0.6) ? { ord: draw.pick([0, 1, 2, 3, -1, -2, 0.5, Infinity, -Infinity]) } : {})];
  },
};
