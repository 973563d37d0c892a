/** The identities of a graph that DirectML must not drop, and those that it may. What it does with them is in test/graph. */
import { expect, test } from 'vitest';
import { keptIdentities } from '#lib/backends/directml/kept-identities.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { Value } from '#lib/graph/value.js';

type DataType = 'float32' | 'int64' | 'uint8';

class Chain {
  readonly builder = new GraphBuilder('6.4');

  one(descriptor: object): Value {
    const { outputTensor } = this.builder.add(descriptor);
    if (!(outputTensor instanceof Value)) throw new Error('one output is expected');
    return outputTensor;
  }

  input(dataType: DataType, ...sizes: number[]): Value {
    return this.builder.input('x', { dataType, sizes });
  }

  kept(y: Value): readonly number[] {
    return [...keptIdentities(this.builder.resolve({ y }))];
  }
}

/** A node, an identity that reads its output with these sizes, the last one first or in order, and another node. */
function keptOf(dataType: DataType, written: readonly number[], sizes: readonly number[], isInOrder: boolean): readonly number[] {
  const chain = new Chain();
  const negated = chain.one({ type: 'elementWiseNegate', inputTensor: chain.input(dataType, ...written) });
  const read = negated.reshape(sizes);
  const axes = [sizes.length - 1, ...sizes.keys()].slice(0, sizes.length);
  const copied = chain.one({ type: 'elementWiseIdentity', inputTensor: isInOrder ? read : read.transpose(axes) });
  return chain.kept(chain.one({ type: 'elementWiseNegate', inputTensor: copied }));
}

const interleaved = (dataType: DataType, written: readonly number[], sizes: readonly number[]) =>
  keptOf(dataType, written, sizes, false);

test('an identity that changes the order and has other sizes than the node before it is kept', () => {
  expect(interleaved('float32', [27], [3, 3, 3])).toEqual([1]);
  expect(interleaved('float32', [9, 3], [3, 3, 3])).toEqual([1]);
  expect(interleaved('int64', [6], [3, 2])).toEqual([1]);
});

test('it is not kept if the sizes are those of the node before it, apart from ones', () => {
  expect(interleaved('float32', [3, 3, 3], [3, 3, 3])).toEqual([]);
  expect(interleaved('float32', [3, 1, 3, 3], [3, 3, 1, 3])).toEqual([]);
  expect(interleaved('int64', [3, 2], [3, 2])).toEqual([]);
});

test('it is not kept if its order is that of its memory, or if its tensor fills blocks of 16 bytes and of 4 elements', () => {
  expect(keptOf('float32', [27], [3, 9], true)).toEqual([]);
  expect(keptOf('int64', [6], [3, 2], true)).toEqual([]);
  expect(interleaved('float32', [36], [3, 3, 4])).toEqual([]);
  expect(interleaved('int64', [36], [3, 3, 4])).toEqual([]);
  // 48 bytes, but 6 elements.
  expect(interleaved('int64', [2, 3], [3, 2])).toEqual([1]);
});
