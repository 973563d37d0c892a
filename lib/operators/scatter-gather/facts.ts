import type { Family } from '../../descriptors/facts.js';
import { all, floats, indices, upTo32Bits } from '../../descriptors/data-type-lists.js';

const gatherNdExplanation = [
  "The last dimension of the indices holds tuples. A tuple as long as the input's real dimensions names an element, a shorter one a block of elements.",
  'With `indicesTensor` [[0, 1], [1, 0]], the matrix `[[1, 2], [3, 4]]` gives `[2, 3]`.',
];

export const scatterGather: Family = {
  meanings: {
    inputTensor: 'The tensor that elements are copied from.',
    indicesTensor: 'Tuples of coordinates, along the last dimension, of the elements or blocks that are copied.',
    outputTensor: 'The copied elements, in the order of the indices.',
    inputDimensionCount: 'How many of the last dimensions of `inputTensor` are real; the others are 1 and only fill up.',
    indicesDimensionCount:
      'How many of the last dimensions of `indicesTensor` are real, the length of an index tuple among them.',
  },
  operators: {
    gather: {
      value: 67,
      since: '1.0',
      listed: { under: 'Gather and scatter' },
      summary:
        'Copies slices along one axis, at the positions that an index tensor gives: `output[…, i, …] = input[…, indices[i], …]`.',
      explanation: [
        '`output[a, i, b] = input[a, indices[i], b]`, where a stands for the dimensions before the axis and b for those after it. Indices below 0 count from the end.',
        'With `axis` 0 and the indices 2 and 0, `[[1, 2], [3, 4], [5, 6]]` gives the rows `[[5, 6], [1, 2]]`.',
      ],
      otherNames: {
        ONNX: ['Gather'],
        WebNN: ['gather'],
        PyTorch: ['torch.index_select', 'torch.nn.functional.embedding'],
        others: ['np.take', 'tf.gather', 'embedding lookup'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          skipsOnes: 'with axis counted in it',
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits], '1.0': ['4', floats] },
        },
        indicesTensor: {
          kind: 'input',
          indexes: { along: 'axis' },
          skipsOnes: true,
          meaning: 'The positions along the axis that are copied; negative ones count from the end.',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices], '2.1': ['4', ['uint32']], '1.0': ['4', ['uint32']] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        axis: {
          kind: 'uint',
          meaning: 'The dimension of the input that the indices select from, counted from 0.',
          default: { value: 0, source: ['ONNX'] },
        },
        indexDimensions: {
          kind: 'uint',
          meaning: 'How many of the last dimensions of `indicesTensor` are real; they replace the axis in the output.',
        },
      },
    },
    gatherNd: {
      value: 108,
      since: '2.1',
      listed: { after: 'gatherElements' },
      summary: 'Copies slices at the positions that index tuples give: `output[…] = input[indices[…]]`.',
      explanation: gatherNdExplanation,
      otherNames: { ONNX: ['GatherND'], WebNN: ['gatherND'], others: ['tf.gather_nd'], words: ['tensor[indices]'] },
      fields: {
        inputTensor: {
          kind: 'input',
          skipsOnes: true,
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        indicesTensor: {
          kind: 'input',
          indexes: { last: 'inputDimensionCount' },
          skipsOnes: true,
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices], '2.1': ['4', ['uint32']] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        inputDimensionCount: {
          kind: 'uint',
          default: {
            rule: 'dimension count',
            of: 'inputTensor',
            source: ['DirectMLX.h', 'follows from the other fields'],
            note: 'right unless leading ones were added',
          },
        },
        indicesDimensionCount: {
          kind: 'uint',
          default: {
            rule: 'dimension count',
            of: 'indicesTensor',
            source: ['DirectMLX.h', 'follows from the other fields'],
            note: 'right unless leading ones were added',
          },
        },
      },
    },
    gatherNd1: {
      value: 140,
      since: '3.0',
      summary:
        'Copies slices at the positions that index tuples give, in each batch separately: `output[batch, …] = input[batch, indices[batch, …]]`.',
      explanation: gatherNdExplanation,
      otherNames: { ONNX: ['GatherND'], WebNN: ['gatherND'], others: ['tf.gather_nd'], words: ['tensor[indices]'] },
      like: 'gatherNd',
      fields: {
        inputTensor: { support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits] } },
        indicesTensor: {
          indexes: { last: 'inputDimensionCount', but: 'batchDimensionCount' },
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices] },
        },
        batchDimensionCount: {
          kind: 'uint',
          meaning:
            'How many of the first real dimensions are batches, common to input and indices; index tuples count in the dimensions after them.',
          default: { value: 0, source: ['ONNX', 'DirectMLX.h'] },
        },
      },
    },
    scatterNd: {
      value: 109,
      since: '2.1',
      listed: { after: 'scatterElements' },
      summary: 'Copies a tensor and replaces slices at the positions that index tuples give: `output[indices[…]] = updates[…]`.',
      explanation: [
        '`output = input`, then each tuple in the last dimension of the indices names an element, or a block if it is short, that an update replaces.',
      ],
      otherNames: {
        ONNX: ['ScatterND'],
        WebNN: ['scatterND'],
        PyTorch: ['torch.index_put'],
        others: ['tf.tensor_scatter_nd_update'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          skipsOnes: true,
          meaning: 'The tensor that is copied before updates replace some of its elements.',
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        indicesTensor: {
          kind: 'input',
          indexes: { last: 'inputDimensionCount' },
          skipsOnes: true,
          meaning: 'Tuples of coordinates, along the last dimension, of the elements or blocks that are replaced.',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices], '2.1': ['4', ['uint32']] },
        },
        updatesTensor: { kind: 'input', skipsOnes: true, support: 'inputTensor' },
        outputTensor: { kind: 'output', meaning: 'The input with the updates in it.', support: 'inputTensor' },
        inputDimensionCount: {
          kind: 'uint',
          default: {
            rule: 'dimension count',
            of: 'inputTensor',
            source: ['DirectMLX.h', 'follows from the other fields'],
            note: 'right unless leading ones were added',
          },
        },
        indicesDimensionCount: {
          kind: 'uint',
          default: {
            rule: 'dimension count',
            of: 'indicesTensor',
            source: ['DirectMLX.h', 'follows from the other fields'],
            note: 'right unless leading ones were added',
          },
        },
      },
    },
  },
};
