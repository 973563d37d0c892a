import type { Family } from '../../descriptors/facts.js';
import { upTo32Bits } from '../../descriptors/data-type-lists.js';

export const nonzero: Family = {
  operators: {
    nonzeroCoordinates: {
      value: 133,
      since: '3.0',
      listed: { after: 'scatterNd' },
      summary: 'Lists the coordinates of all nonzero elements, and counts them.',
      explanation: [
        '`outputCountTensor` says how many rows of `outputCoordinatesTensor` are written; the rows after them keep what the buffer held before.',
        '`[[0, 5], [6, 0]]` gives the coordinates `[[0, 1], [1, 0]]`.',
      ],
      otherNames: { ONNX: ['NonZero'], PyTorch: ['torch.nonzero'], others: ['np.argwhere', 'np.nonzero', 'tf.where'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The tensor that is searched for elements other than 0.',
          shape: '{ [D0], [D1], [D2], [D3], [D4], [D5], [D6], D7 }',
          support: { '4.0': ['1 to 8', upTo32Bits], '3.0': ['4 to 5', upTo32Bits] },
        },
        outputCountTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The number of elements other than 0.',
          shape: '{ [1], [1], [1], [1], [1], [1], [1], 1 }',
          support: { '4.0': ['1 to 8', ['uint32']], '3.0': ['4 to 5', ['uint32']] },
        },
        outputCoordinatesTensor: {
          kind: 'output',
          ownDataType: true,
          meaning:
            'The coordinates of elements other than 0, one row each, in row-major order; rows after the count are not written.',
          shape: '{ [1], [1], [1], [1], [1], [1], M, N }',
          support: { '4.0': ['2 to 8', ['uint32']], '3.0': ['4 to 5', ['uint32']] },
        },
      },
    },
  },
};
