import type { Family } from '../../descriptors/facts.js';
import { allButFloat64, floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const topK: Family = {
  meanings: {
    inputTensor: 'The elements that are sorted along the axis.',
    outputValueTensor: 'The elements that are kept, in order.',
    outputIndexTensor: 'The position along the axis, in the input, of each element of `outputValueTensor`.',
    axis: 'The dimension along which elements are compared and sorted, counted from 0.',
    k: 'Number of elements that are kept, from 1 to the size of the axis.',
  },
  operators: {
    topK: {
      value: 71,
      since: '1.0',
      listed: { after: 'cumulativeProduct' },
      summary: 'Finds the `k` largest elements along an axis, in descending order, and their indices.',
      explanation: [
        'Of equal elements, the first in the input comes first: with `k` 3, `[3, 5, 5, 1]` gives the indices `[1, 2, 0]`.',
      ],
      otherNames: { ONNX: ['TopK'], PyTorch: ['torch.topk'], others: ['tf.math.top_k', 'largest'], words: ['sort'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '5.0': ['1 to 8', allButFloat64],
            '3.1': ['1 to 8', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '1.0': ['4', floats],
          },
        },
        outputValueTensor: { kind: 'output', support: 'inputTensor' },
        outputIndexTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint32',
          support: {
            '5.0': ['1 to 8', ['uint64', 'uint32']],
            '3.1': ['1 to 8', ['uint32']],
            '2.1': ['4', ['uint32']],
            '1.0': ['4', ['uint32']],
          },
        },
        axis: { kind: 'uint', default: { rule: 'last axis', of: 'inputTensor', source: ['ONNX', 'PyTorch'] } },
        k: { kind: 'uint' },
      },
    },
    topK1: {
      value: 112,
      since: '2.1',
      summary: 'Finds the `k` largest or smallest elements along an axis, in order, and their indices.',
      explanation: [
        "Of equal elements, the first in the input comes first, in both directions: with `k` 3 and `'decreasing'`, `[3, 5, 5, 1]` gives the indices `[1, 2, 0]`; with `'increasing'`, `[3, 1, 1, 5]` gives the indices `[1, 2, 0]`.",
      ],
      otherNames: {
        ONNX: ['TopK'],
        PyTorch: ['torch.topk', 'torch.sort', 'torch.argsort'],
        others: ['np.sort', 'np.argsort', 'sort', 'smallest'],
      },
      like: 'topK',
      fields: {
        inputTensor: { support: { '5.0': ['1 to 8', allButFloat64], '3.1': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] } },
        outputIndexTensor: {
          support: { '5.0': ['1 to 8', ['uint64', 'uint32']], '3.1': ['1 to 8', ['uint32']], '2.1': ['4', ['uint32']] },
        },
        axisDirection: {
          kind: 'enum',
          enumName: 'AxisDirection',
          meaning:
            "Which elements are taken and in which order: `'decreasing'` the largest, largest first; `'increasing'` the smallest, smallest first.",
          default: { value: 'decreasing', source: ['ONNX', 'PyTorch'], note: "the largest; TopK's largest is 1" },
        },
      },
    },
  },
};
