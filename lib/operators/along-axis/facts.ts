import type { Family } from '../../descriptors/facts.js';
import { all, floats, indices, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const alongAxis: Family = {
  operators: {
    oneHot: {
      value: 95,
      since: '2.0',
      listed: { after: 'diagonalMatrix1' },
      summary:
        'Writes the second of two values at the position that an index gives along an axis, and the first value everywhere else.',
      explanation: [
        'Indices below 0 count from the end: -1 is the last position. An index out of range leaves all elements at the off value.',
        'With the values 0 and 1 and a size of 3, `[1, -1, 3]` gives `[0, 1, 0, 0, 0, 1, 0, 0, 0]`.',
      ],
      otherNames: { ONNX: ['OneHot'], PyTorch: ['torch.nn.functional.one_hot'], others: ['tf.one_hot'] },
      fields: {
        indicesTensor: {
          kind: 'input',
          meaning:
            'The position along the axis of the element that is on; negative ones count from the end, those out of range turn none on.',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices], '2.1': ['4', ['uint32']], '2.0': ['4', ['uint32']] },
        },
        valuesTensor: {
          kind: 'input',
          meaning: 'The off value, then the on value.',
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits], '2.0': ['4', floats] },
        },
        outputTensor: {
          kind: 'output',
          meaning: 'The on value once along the axis for each index, elsewhere the off value.',
          support: 'valuesTensor',
        },
        axis: {
          kind: 'uint',
          meaning: 'The dimension of the output along which one element is on, counted from 0.',
          default: { rule: 'last axis', of: 'indicesTensor', source: ['ONNX', 'PyTorch'] },
        },
      },
    },
    reverseSubsequences: {
      value: 106,
      since: '2.1',
      page: 'ns-directml-dml_reverse_subsequences_desc',
      listed: { after: 'depthToSpace1' },
      summary: 'Reverses the first elements along an axis, as many as a tensor of lengths says, and copies the others.',
      explanation: [
        'Only the first elements change places, as many as `sequenceLengthsTensor` says. With a length of 3, `[1, 2, 3, 4]` gives `[3, 2, 1, 4]`.',
      ],
      otherNames: { ONNX: ['ReverseSequence'], WebNN: ['reverse'], PyTorch: ['torch.flip'], others: ['tf.reverse_sequence'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The tensor whose first elements along the axis are reversed.',
          support: {
            '5.0': ['1 to 8', all],
            '4.0': ['1 to 8', upTo32Bits],
            '3.0': ['4 to 5', upTo32Bits],
            '2.1': ['4', upTo32Bits],
          },
        },
        sequenceLengthsTensor: {
          kind: 'input',
          meaning: 'How many of the first elements along the axis are reversed.',
          support: {
            '5.0': ['1 to 8', ['uint64', 'uint32']],
            '4.0': ['1 to 8', ['uint32']],
            '3.0': ['4 to 5', ['uint32']],
            '2.1': ['4', ['uint32']],
          },
        },
        outputTensor: {
          kind: 'output',
          meaning: 'The input with the first elements along the axis in reverse order.',
          support: 'inputTensor',
        },
        axis: { kind: 'uint', meaning: 'The dimension along which the first elements are reversed, counted from 0.' },
      },
    },
    gatherElements: {
      value: 107,
      since: '2.1',
      listed: { after: 'gather' },
      summary:
        'Copies one element for each index, which replaces its coordinate along an axis: `output[i, j] = input[indices[i, j], j]` for axis 0.',
      explanation: [
        '`output[a, i, b] = input[a, indices[a, i, b], b]`: only the coordinate along the axis comes from the index, the others are those of the output. Indices below 0 count from the end.',
      ],
      otherNames: {
        ONNX: ['GatherElements'],
        WebNN: ['gatherElements'],
        PyTorch: ['torch.gather'],
        others: ['np.take_along_axis'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The tensor that elements are copied from.',
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        indicesTensor: {
          kind: 'input',
          indexes: { along: 'axis' },
          meaning: 'The coordinate along the axis of the element that each output copies; negative ones count from the end.',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices], '2.1': ['4', ['uint32']] },
        },
        outputTensor: { kind: 'output', meaning: 'The copied elements, in the order of the indices.', support: 'inputTensor' },
        axis: {
          kind: 'uint',
          meaning:
            'The dimension whose coordinate an index replaces, counted from 0; the other coordinates are those of the index.',
          default: { value: 0, source: ['ONNX'] },
        },
      },
    },
    scatterElements: {
      value: 94,
      since: '2.0',
      struct: 'DML_SCATTER_OPERATOR_DESC',
      page: 'ns-directml-dml_scatter_operator_desc',
      listed: { after: 'gatherNd1' },
      summary:
        'Copies a tensor and replaces one element for each index, which is its coordinate along an axis: `output[indices[i, j], j] = updates[i, j]` for axis 0.',
      explanation: [
        '`output = input`, then `output[a, indices[a, i, b], b] = updates[a, i, b]`, where i counts along the axis. Indices below 0 count from the end.',
        'If two updates have the same place, either of them may stay.',
      ],
      otherNames: {
        ONNX: ['ScatterElements', 'Scatter'],
        WebNN: ['scatterElements'],
        PyTorch: ['torch.scatter'],
        others: ['np.put_along_axis'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The tensor that is copied before updates replace some of its elements.',
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits], '1.0': ['4', floats] },
        },
        indicesTensor: {
          kind: 'input',
          indexes: { along: 'axis' },
          meaning: 'The coordinate along the axis of the element that each update replaces; negative ones count from the end.',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices], '2.1': ['4', ['uint32']], '1.0': ['4', ['uint32']] },
        },
        updatesTensor: { kind: 'input', support: 'inputTensor' },
        outputTensor: { kind: 'output', meaning: 'The input with the updates in it.', support: 'inputTensor' },
        axis: {
          kind: 'uint',
          meaning:
            'The dimension whose coordinate an index replaces, counted from 0; the other coordinates are those of the update.',
          default: { value: 0, source: ['ONNX'] },
        },
      },
    },
  },
};
