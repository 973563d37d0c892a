/** Examples of attention. */
import { rounded, tensor } from '../../cases/example.js';
import { own } from '../../cases/own-example.js';

const queryTensor = tensor('float32', [1, 2, 2], [2, 0, 0, 2]);
const keyTensor = tensor('float32', [1, 2, 2], [1, 0, 0, 1]);
const valueTensor = tensor('float32', [1, 2, 2], [10, 20, 30, 40]);

/** The second head's queries are 0, so its weights are equal. */
const queryKeyValue = [1, 0, 1, 0, 4, 8, 0, 0, 0, 0, 1, 2].concat([0, 1, 0, 1, 8, 4, 0, 0, 0, 0, 3, 4]);

export const ours = [
  own(
    'multiheadAttention',
    { queryTensor, keyTensor, valueTensor },
    { outputTensor: rounded(4, tensor('float32', [1, 2, 2], [15.3788, 25.3788, 24.6212, 34.6212])) },
    { scale: 0.5, maskFilterValue: -10000, headCount: 1, maskType: 'none' },
  ),
  own(
    'multiheadAttention',
    {
      ...{ queryTensor, keyTensor, valueTensor, maskTensor: tensor('int32', [1, 1], [2]) },
      pastKeyTensor: tensor('float32', [1, 1, 1, 2], [1, 0]),
      pastValueTensor: tensor('float32', [1, 1, 1, 2], [30, 40]),
    },
    {
      outputTensor: tensor('float32', [1, 2, 2], [20, 30, 20, 30]),
      outputPresentKeyTensor: tensor('float32', [1, 1, 3, 2], [1, 0, 1, 0, 0, 1]),
      outputPresentValueTensor: tensor('float32', [1, 1, 3, 2], [30, 40, 10, 20, 30, 40]),
    },
    { scale: 0.5, maskFilterValue: -10000, headCount: 1, maskType: 'keySequenceLength' },
  ),
  own(
    'multiheadAttention',
    { stackedQueryKeyValueTensor: tensor('float32', [1, 2, 2, 3, 2], queryKeyValue) },
    { outputTensor: rounded(4, tensor('float32', [1, 2, 4], [5.0758, 6.9242, 2, 3, 6.9242, 5.0758, 2, 3])) },
    { scale: 1, maskFilterValue: -10000, headCount: 2, maskType: 'none' },
  ),
  own(
    'multiheadAttention1',
    {
      queryTensor: tensor('float32', [1, 2, 2], [0, 0, 0, 0]),
      keyTensor: tensor('float32', [1, 2, 1], [5, 6]),
      valueTensor: tensor('float32', [1, 2, 1], [10, 20]),
      pastSequenceLengthsTensor: tensor('int32', [1], [0]),
    },
    {
      outputTensor: tensor('float32', [1, 2, 2], [10, 10, 15, 15]),
      outputPresentKeyTensor: tensor('float32', [1, 1, 3, 1], [5, 6, null]),
      outputPresentValueTensor: tensor('float32', [1, 1, 3, 1], [10, 20, null]),
    },
    { scale: 1, maskFilterValue: -10000, queryHeadCount: 2, keyValueHeadCount: 1, maskType: 'none' },
  ),
];
