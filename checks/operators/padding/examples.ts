/** Examples of padding and tile. Both padding operators have the same four. */
import { examplesOf, tensor, type PageEntry } from '../../cases/example.js';
import { floatTensor, unary } from '../../cases/own-example.js';

const inputs = { inputTensor: tensor('float32', [1, 1, 4, 4], [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8]) };

const padded = (...rows: readonly (readonly number[])[]) => ({
  outputTensor: tensor('float32', [1, 1, 8, 10], rows.flat()),
});

function paddings(value: (nine: number) => Readonly<Record<string, unknown>>): PageEntry[] {
  const fields = (paddingMode: string, nine = 0) => ({
    paddingMode,
    ...value(nine),
    startPadding: [0, 0, 1, 2],
    endPadding: [0, 0, 3, 4],
  });
  const nines = [9, 9, 9, 9, 9, 9, 9, 9, 9, 9];
  const constant = [
    [9, 9, 1, 2, 3, 4, 9, 9, 9, 9],
    [9, 9, 5, 6, 7, 8, 9, 9, 9, 9],
  ] as const;
  const edge = [
    [1, 1, 1, 2, 3, 4, 4, 4, 4, 4],
    [5, 5, 5, 6, 7, 8, 8, 8, 8, 8],
  ] as const;
  const mirror = [
    [3, 2, 1, 2, 3, 4, 3, 2, 1, 2],
    [7, 6, 5, 6, 7, 8, 7, 6, 5, 6],
  ] as const;
  const symmetric = [
    [2, 1, 1, 2, 3, 4, 4, 3, 2, 1],
    [6, 5, 5, 6, 7, 8, 8, 7, 6, 5],
  ] as const;
  return [
    {
      title: 'a constant',
      inputs,
      outputs: padded(nines, ...constant, ...constant, nines, nines, nines),
      fields: fields('constant', 9),
    },
    {
      title: 'the values at the edges',
      inputs,
      outputs: padded(edge[0], ...edge, ...edge, edge[1], edge[1], edge[1]),
      fields: fields('edge'),
    },
    {
      title: 'mirrored at the edges',
      inputs,
      outputs: padded(mirror[1], ...mirror, ...mirror, ...mirror, mirror[0]),
      fields: fields('reflection'),
    },
    {
      title: 'mirrored, the edges too',
      inputs,
      outputs: padded(symmetric[0], ...symmetric, ...symmetric, symmetric[1], symmetric[0], symmetric[1]),
      fields: fields('symmetric'),
    },
  ];
}

export const padding = examplesOf(
  'padding',
  'ns-directml-dml_padding_operator_desc.md',
  paddings((paddingValue) => ({ paddingValue })),
);

export const padding1 = examplesOf(
  'padding1',
  'ns-directml-dml_padding1_operator_desc.md',
  paddings((paddingValue) => ({ paddingValueDataType: 'float32', paddingValue })),
);

const upper = [1, 2, 3, 1, 2, 3, 1, 2, 3];
const lower = [4, 5, 6, 4, 5, 6, 4, 5, 6];

export const tile = examplesOf('tile', 'ns-directml-dml_tile_operator_desc.md', [
  {
    title: 'three times in height and in width',
    inputs: { inputTensor: tensor('float32', [1, 1, 2, 3], [1, 2, 3, 4, 5, 6]) },
    outputs: {
      outputTensor: tensor('float32', [1, 1, 6, 9], [...upper, ...lower, ...upper, ...lower, ...upper, ...lower]),
    },
    fields: { repeats: [1, 1, 3, 3] },
  },
]);

const atBothEnds = { startPadding: [0, 1], endPadding: [0, 1] };

export const ours = [
  unary('padding', floatTensor([2, 2], 1, 2, 3, 4), floatTensor([2, 4], 0, 1, 2, 0, 0, 3, 4, 0), {
    paddingMode: 'constant',
    paddingValue: 0,
    ...atBothEnds,
  }),
  unary('padding1', floatTensor([2, 2], 1, 2, 3, 4), floatTensor([2, 4], 9, 1, 2, 9, 9, 3, 4, 9), {
    paddingMode: 'constant',
    paddingValueDataType: 'float32',
    paddingValue: 9,
    ...atBothEnds,
  }),
];
