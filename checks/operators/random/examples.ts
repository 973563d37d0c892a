/** Examples of the random generator. */
import { examplesOf, tensor } from '../../cases/example.js';
import { own } from '../../cases/own-example.js';

/** Six words: a counter of 128 bits, its lowest word first, and a key. */
const state = (lowest: number) => tensor('uint32', [1, 1, 1, 6], [lowest, 0x6d536561, 0x6f46726f, 0x48656c6c, 0, 0]);

export const randomGenerator = examplesOf('randomGenerator', 'ns-directml-dml_random_generator_operator_desc.md', [
  {
    title: 'how far the counter advances',
    inputs: { inputStateTensor: state(0x74746c65) },
    outputs: {
      outputTensor: tensor('uint32', [3, 3, 20, 7219], null),
      outputStateTensor: state(0x746f776e),
    },
    directml: {
      outputTensor: tensor('uint32', [3, 3, 20, 7219], null),
      outputStateTensor: state(0x74746c65 + 324855),
    },
    fields: { generatorType: 'philox4x32_10' },
    note: 'The page gives neither the key nor the random numbers; the key is ours.',
  },
]);

export const ours = [
  own(
    'randomGenerator',
    { inputStateTensor: tensor('uint32', [6], [0, 0, 0, 0, 0, 0]) },
    {
      outputTensor: tensor('uint32', [4], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
      outputStateTensor: tensor('uint32', [6], [1, 0, 0, 0, 0, 0]),
    },
    { generatorType: 'philox4x32_10' },
  ),
];
