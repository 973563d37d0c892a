/** Poolings over windows and over all of space. */
import { packedStrides, productOf } from '../../validation/tensor-size.js';
import { like, type Node } from '../node.js';
import { reshaped, type Item, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { averagePool, pool, poolAll } from './pooling-helpers.js';
import { padded } from './move-helpers.js';
import { constant, ones, reduced, upTo, zeros } from './tensor-helpers.js';
import { numbersOr } from './window-helpers.js';

export const poolingOperators: Lowerings = {
  MaxPool: maxPool,
  AveragePool: (node) => averagePool(node, node.input(0)),
  LpPool: (node) => pool(node, 'lpPooling1', node.input(0), { p: node.int('p', 2) }),
  GlobalMaxPool: (node) => reduced(node, 'max', node.input(0), spaceOf(node.input(0))),
  GlobalAveragePool: (node) => reduced(node, 'average', node.input(0), spaceOf(node.input(0))),
  GlobalLpPool: globalLpPool,
  MaxUnpool: maxUnpool,
};

function spaceOf({ dims }: Operand): readonly number[] {
  return upTo(dims.length).slice(2);
}

function globalLpPool(node: Node): Operand {
  const p = node.int('p', 2);
  const input = node.input(0);
  if (p > 2) return pool(node, 'lpPooling1', input, { p });
  return reduced(node, p === 1 ? 'l1' : 'l2', input, spaceOf(input));
}

function maxPool(node: Node): readonly Item[] {
  const input = node.input(0);
  if (!node.has(1)) return [pool(node, 'maxPooling2', input)];
  const { outputTensor, outputIndicesTensor } = poolAll(node, 'maxPooling2', input, { outputIndicesTensor: true });
  const indices = outputIndicesTensor?.[0];
  if (indices === undefined) throw new TypeError('there are no indices');
  const inOrder = node.int('storage_order', 0) === 1 ? columnMajor(node, indices, input.dims) : indices;
  return [outputTensor?.[0] ?? null, node.cast(inOrder, 'int64')];
}

/** Indices that count along the first dimension of space first. */
function columnMajor(node: Node, indices: Operand, [batch = 1, channels = 1, ...space]: readonly number[]): Operand {
  const number = (value: number) => constant('uint32', indices.dims, value);
  const place = node.arithmetic('elementWiseModulusFloor', indices, number(productOf(space)));
  const strides = packedStrides(space);
  const steps = packedStrides([...space].reverse()).reverse();
  const parts = space.map((size, axis) => {
    const index = node.arithmetic('elementWiseDivide', place, number(strides[axis] ?? 1));
    const own = node.arithmetic('elementWiseModulusFloor', index, number(size));
    return node.arithmetic('elementWiseMultiply', own, number(steps[axis] ?? 1));
  });
  const image = batch * channels === 1 ? [] : [node.arithmetic('elementWiseSubtract', indices, place)];
  return [...image, ...parts].reduce((a, b) => node.arithmetic('elementWiseAdd', a, b));
}

/** Elements go back to where a pooling found them. Indices count in the sizes before an `output_shape` extends these. */
function maxUnpool(node: Node): Operand {
  const [input, indices, shape] = [node.input(0), node.input(1), node.optional(2)];
  const [batch = 1, channels = 1, ...space] = input.dims;
  const window = node.ints('kernel_shape') ?? [];
  const strides = numbersOr(node, 'strides', ones(space.length));
  const pads = node.ints('pads') ?? [];
  const natural = space.map((size, i) => {
    const padding = (pads[i] ?? 0) + (pads[i + space.length] ?? 0);
    return (size - 1) * (strides[i] ?? 1) + (window[i] ?? 1) - padding;
  });
  const dims = [batch, channels, ...natural];
  const output = shape === undefined ? dims : node.numbers(shape);
  const placed = productOf(input.dims) === 0 ? zeros(node, input.dataType, dims) : unpooled(node, input, indices, dims);
  const end = output.map((size, i) => size - (dims[i] ?? 0));
  return padded(
    node,
    placed,
    end.map(() => 0),
    end,
  );
}

function unpooled(node: Node, input: Operand, indices: Operand, dims: readonly number[]): Operand {
  const count = productOf(input.dims);
  const made = node.add('maxUnpooling', {
    inputTensor: node.reshape(input, [1, 1, 1, count]),
    indicesTensor: node.reshape(node.cast(indices, 'uint64'), [1, 1, 1, count]),
    outputTensor: like(input, [1, 1, 1, productOf(dims)]),
  });
  return reshaped(made, dims);
}
