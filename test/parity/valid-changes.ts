/** Changes that keep a valid descriptor of any operator valid. */
import { tensorSize } from '../conformance/layout.js';
import type { Random } from '../random.js';
import { changeTensor, type Mutation } from './candidate.js';
import { ownInput, largestSize, packed, setStrides, setWideStride } from './tensor-mutations.js';

/** Operators of whose tensors DirectML takes no ownership. */
const OWN_NOTHING: ReadonlySet<string> = new Set(['rnn', 'gru', 'lstm']);

/** Like `changeTensor`, but never changes `pastSequenceLengthsTensor`, which DirectML requires to be packed. */
function changeLayout(...args: Parameters<typeof changeTensor>): ReturnType<typeof changeTensor> {
  const change = changeTensor(...args);
  return (random, descriptor) => {
    const { pastSequenceLengthsTensor: _packedAlways, ...others } = descriptor;
    change(random, others);
  };
}

export const validChanges: readonly Mutation[] = [
  ['valid, strides in any order, with gaps', changeLayout((random, tensor) => setStrides(tensor, spread(random, tensor.sizes)))],
  [
    'valid, input strides that overlap',
    changeLayout(
      (random, tensor) =>
        setStrides(
          tensor,
          tensor.sizes.map(() => random.int(1, 12)),
        ),
      'input',
    ),
  ],
  [
    'valid, packed strides written out',
    changeTensor((_random, tensor) => {
      tensor.strides ??= packed(tensor.sizes);
    }),
  ],
  [
    'valid, total size larger',
    changeTensor((random, tensor) => {
      const larger = [tensorSize(tensor) + random.int(1, 64), 2 ** 30, largestSize(tensor)];
      tensor.totalTensorSizeInBytes = random.pick(larger);
    }),
  ],
  ['valid, huge stride', changeLayout((random, tensor) => setWideStride(random, tensor, (size) => Math.floor(2 ** 31 / size)))],
  [
    'valid, base offset alignment',
    changeTensor((random, tensor) => {
      tensor.guaranteedBaseOffsetAlignment = random.pick([16, 32, 64, 256, 4096, 2 ** 31]);
    }),
  ],
  [
    'valid, input owned by DirectML',
    (random, descriptor) => {
      if (!OWN_NOTHING.has(descriptor.type)) ownInput(random, descriptor);
    },
  ],
];

/** Strides with which no two elements share memory. */
function spread(random: Random, sizes: readonly number[]): number[] {
  const strides = [...sizes];
  let stride = 1;
  for (const axis of random.distinct(sizes.length, sizes.length)) {
    strides[axis] = stride;
    stride = stride * (sizes[axis] ?? 1) + random.int(0, 3);
  }
  return strides;
}
