import type { Family } from '../../descriptors/facts.js';
import { allButFloat64, floats, floatsAnd32Bits, indices, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const reduce: Family = {
  meanings: {
    inputTensor: 'The elements that are combined or searched along the axes.',
    outputTensor:
      'The indices, with the size 1 along the axes; over several axes an index counts through them in row-major order.',
    axes: 'The dimensions that are searched and become 1 in the output, counted from 0.',
  },
  operators: {
    reduce: {
      value: 55,
      since: '1.0',
      listed: { under: 'Reductions, scans and sorting' },
      summary: 'Combines all elements along `axes` into one, by a sum, a product, an extreme, a norm or another `function`.',
      otherNames: {
        ONNX: [
          'ReduceSum',
          'ReduceMean',
          'ReduceMax',
          'ReduceMin',
          'ReduceProd',
          'ReduceL1',
          'ReduceL2',
          'ReduceLogSum',
          'ReduceLogSumExp',
          'ReduceSumSquare',
          'ArgMax',
          'ArgMin',
          'GlobalAveragePool',
          'GlobalMaxPool',
        ],
        WebNN: [
          'reduceSum',
          'reduceMean',
          'reduceMax',
          'reduceMin',
          'reduceProduct',
          'reduceL1',
          'reduceL2',
          'reduceLogSum',
          'reduceLogSumExp',
          'reduceSumSquare',
        ],
        PyTorch: ['torch.sum', 'torch.mean', 'torch.amax', 'torch.amin', 'torch.prod', 'torch.norm', 'torch.logsumexp'],
        others: ['np.sum', 'np.mean', 'np.max', 'np.min', 'np.prod'],
        words: ['global pooling'],
      },
      fields: {
        function: { kind: 'enum', enumName: 'ReduceFunction', meaning: 'What is made of the elements along the axes.' },
        inputTensor: {
          kind: 'input',
          support: {
            '5.0': ['1 to 8', allButFloat64],
            '4.1': ['1 to 8', allButFloat64],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4', floatsAnd32Bits],
            '1.0': ['4', floats],
          },
        },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The combined elements, with the size 1 along the axes.',
          support: {
            '5.0': ['1 to 8', allButFloat64],
            '4.1': ['1 to 8', allButFloat64],
            '3.0': ['1 to 8', allButFloat64],
            '2.1': ['4', floatsAnd32Bits],
            '1.0': ['4', floats],
          },
        },
        axisCount: { kind: 'uint' },
        axes: {
          kind: 'uintArray',
          countField: 'axisCount',
          meaning: 'The dimensions that are combined and become 1 in the output, counted from 0.',
          default: { rule: 'all axes', of: 'inputTensor', source: ['DirectMLX.h', 'ONNX', 'NumPy'] },
        },
      },
    },
    argmin: {
      value: 137,
      since: '3.0',
      summary: 'Finds the index of the smallest element along `axes`.',
      explanation: [
        "Of equal elements, `'increasing'` takes the first: `[1, 2, 3, 2, 1]` gives `[0]`; `'decreasing'` takes the last: `[1, 2, 3, 2, 1]` gives `[4]`.",
        'Over several axes, an index counts through all of them in row-major order.',
      ],
      otherNames: { ONNX: ['ArgMin'], WebNN: ['argMin'], PyTorch: ['torch.argmin'], others: ['np.argmin'] },
      fields: {
        inputTensor: { kind: 'input', support: { '4.1': ['1 to 8', allButFloat64], '3.0': ['1 to 8', upTo32Bits] } },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint32',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices] },
        },
        axisCount: { kind: 'uint' },
        axes: { kind: 'uintArray', countField: 'axisCount' },
        axisDirection: {
          kind: 'enum',
          enumName: 'AxisDirection',
          meaning: "Which of several equal smallest elements counts: `'increasing'` takes the first, `'decreasing'` the last.",
          default: {
            value: 'increasing',
            source: ['ONNX', 'NumPy', 'PyTorch'],
            note: 'the first of equal elements; select_last_index is 0',
          },
        },
      },
    },
    argmax: {
      value: 138,
      since: '3.0',
      summary: 'Finds the index of the largest element along `axes`.',
      explanation: [
        "Of equal elements, `'increasing'` takes the first: `[3, 2, 1, 2, 3]` gives `[0]`; `'decreasing'` takes the last: `[3, 2, 1, 2, 3]` gives `[4]`.",
        'Over several axes, an index counts through all of them in row-major order.',
      ],
      otherNames: { ONNX: ['ArgMax'], WebNN: ['argMax'], PyTorch: ['torch.argmax'], others: ['np.argmax'] },
      fields: {
        inputTensor: { kind: 'input', support: { '4.1': ['1 to 8', allButFloat64], '3.0': ['1 to 8', upTo32Bits] } },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint32',
          support: { '4.1': ['1 to 8', indices], '3.0': ['1 to 8', indices] },
        },
        axisCount: { kind: 'uint' },
        axes: { kind: 'uintArray', countField: 'axisCount' },
        axisDirection: {
          kind: 'enum',
          enumName: 'AxisDirection',
          meaning: "Which of several equal largest elements counts: `'increasing'` takes the first, `'decreasing'` the last.",
          default: {
            value: 'increasing',
            source: ['ONNX', 'NumPy', 'PyTorch'],
            note: 'the first of equal elements; select_last_index is 0',
          },
        },
      },
    },
  },
};
