import type { Family } from '../../descriptors/facts.js';
import { floatsAnd32Bits, floatsAndIndices } from '../../descriptors/data-type-lists.js';

export const scan: Family = {
  meanings: {
    inputTensor: 'The elements that are added up or multiplied along the axis.',
  },
  operators: {
    cumulativeSummation: {
      value: 105,
      since: '2.1',
      listed: { after: 'argmax' },
      summary: 'Writes the sum of the elements up to each position along an axis.',
      explanation: [
        "`'increasing'`: `[1, 2, 3, 4]` gives `[1, 3, 6, 10]`; with `hasExclusiveSum`, `[1, 2, 3, 4]` gives `[0, 1, 3, 6]`.",
        "`'decreasing'`: `[1, 2, 3, 4]` gives `[10, 9, 7, 4]`.",
      ],
      otherNames: {
        ONNX: ['CumSum'],
        WebNN: ['cumulativeSum'],
        PyTorch: ['torch.cumsum'],
        others: ['np.cumsum', 'prefix sum', 'scan'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '5.0': ['1 to 8', floatsAndIndices], '4.0': ['1 to 8', floatsAnd32Bits], '2.1': ['4', floatsAnd32Bits] },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        axis: { kind: 'uint', meaning: 'The dimension along which is summed, counted from 0.' },
        axisDirection: {
          kind: 'enum',
          enumName: 'AxisDirection',
          meaning: "Where the sum begins: `'increasing'` at the first element, `'decreasing'` at the last.",
          default: { value: 'increasing', source: ['ONNX'] },
        },
        hasExclusiveSum: {
          kind: 'bool',
          meaning: 'Whether each sum leaves out the element at its own position; the first result is then 0.',
          default: { value: false, source: ['ONNX'] },
        },
      },
    },
    cumulativeProduct: {
      value: 145,
      since: '3.1',
      summary: 'Writes the product of the elements up to each position along an axis.',
      explanation: [
        "`'increasing'`: `[1, 2, 3, 4]` gives `[1, 2, 6, 24]`; with `hasExclusiveProduct`, `[1, 2, 3, 4]` gives `[1, 1, 2, 6]`.",
        "`'decreasing'`: `[1, 2, 3, 4]` gives `[24, 24, 12, 4]`.",
      ],
      otherNames: { ONNX: ['CumProd'], PyTorch: ['torch.cumprod'], others: ['np.cumprod'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '5.0': ['1 to 8', floatsAndIndices], '4.0': ['1 to 8', floatsAnd32Bits], '3.1': ['4', floatsAnd32Bits] },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        axis: { kind: 'uint', meaning: 'The dimension along which is multiplied, counted from 0.' },
        axisDirection: {
          kind: 'enum',
          enumName: 'AxisDirection',
          meaning: "Where the product begins: `'increasing'` at the first element, `'decreasing'` at the last.",
          default: { value: 'increasing', source: ['ONNX'] },
        },
        hasExclusiveProduct: {
          kind: 'bool',
          meaning: 'Whether each product leaves out the element at its own position; the first result is then 1.',
          default: { value: false, source: ['ONNX'] },
        },
      },
    },
  },
};
