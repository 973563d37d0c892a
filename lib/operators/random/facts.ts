import type { Family } from '../../descriptors/facts.js';

export const random: Family = {
  operators: {
    randomGenerator: {
      value: 132,
      since: '3.0',
      listed: { after: 'oneHot' },
      summary: 'Fills a tensor with random bits from a counter and a key (Philox 4x32-10), and can write the state that follows.',
      explanation: [
        'The bits follow from `inputStateTensor` alone: the same state always makes the same bits.',
        'Each value of the counter makes four 32-bit words. `outputStateTensor` is the state with its counter advanced by the number of elements divided by 4, rounded up.',
      ],
      otherNames: {
        ONNX: ['RandomUniform', 'RandomUniformLike'],
        PyTorch: ['torch.rand', 'torch.randint'],
        others: ['Philox'],
        words: ['random bits', 'np.random'],
      },
      fields: {
        inputStateTensor: {
          kind: 'input',
          meaning: 'The state that determines the numbers: four words of a counter, lowest first, then two words of a key.',
          shape: '{ [1], [1], [1], [1], [1], [1], [1], 6 }',
          support: { '4.0': ['1 to 8', ['uint32']], '3.0': ['4', ['uint32']] },
        },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'Uniformly distributed random bits.',
          shape: '{ [D0], [D1], [D2], [D3], [D4], [D5], [D6], D7 }',
          support: 'inputStateTensor',
        },
        outputStateTensor: {
          kind: 'output',
          ownDataType: true,
          optional: true,
          meaning: 'The state to continue with: that of the input with its counter advanced.',
          shape: '{ [1], [1], [1], [1], [1], [1], [1], 6 }',
          support: 'inputStateTensor',
        },
        generatorType: {
          kind: 'enum',
          native: 'Type',
          enumName: 'RandomGeneratorType',
          meaning: 'The algorithm that makes the random bits.',
          default: { value: 'philox4x32_10', source: ['DirectMLX.h'], note: 'the only one' },
        },
      },
    },
  },
};
