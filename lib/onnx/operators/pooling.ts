/** Poolings over windows and over all of space. */
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { like, type Fields, type Node } from '../node.js';
import { Output, reshaped, type Item, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { padded } from './move-helpers.js';
import { constant, ones, reduced, upTo, zeros } from './tensor-helpers.js';
import { numbersOr, placesOf } from './window-helpers.js';

export const poolingOperators: Lowerings = {
  MaxPool: maxPool,
  AveragePool: (node) => averagePool(node, node.input(0)),
  LpPool: (node) => pool(node, 'lpPooling1', node.input(0), { p: node.int('p', 2) }),
  GlobalMaxPool: (node) => reduced(node, 'max', node.input(0), spaceOf(node.input(0))),
  GlobalAveragePool: (node) => reduced(node, 'average', node.input(0), spaceOf(node.input(0))),
  GlobalLpPool: (node) => {
    const [input, p] = [node.input(0), node.int('p', 2)];
    return p > 2 ? pool(node, 'lpPooling1', input, { p }) : reduced(node, p === 1 ? 'l1' : 'l2', input, spaceOf(input));
  },
  MaxUnpool: maxUnpool,
};

/** The dimensions of space. */
export function spaceOf({ dims }: Operand): readonly number[] {
  return upTo(dims.length).slice(2);
}

type Pooling = 'maxPooling2' | 'averagePooling1' | 'lpPooling1';

function pool(node: Node, type: Pooling, input: Operand, fields: Fields, places = poolingPlaces(node, input)): Operand {
  return poolWithIndices(node, type, input, fields, places).output;
}

/** DirectML has poolings in two and three dimensions: one dimension is the rows of images of one row. */
function poolWithIndices(node: Node, type: Pooling, input: Operand, fields: Fields, places = poolingPlaces(node, input)) {
  const [outer, space] = [input.dims.slice(0, 2), input.dims.slice(2)];
  if (space.length < 1 || space.length > 3) {
    throw node.unsupported('a pooling', `${space.length} dimensions of space`, 'DirectML has up to 3');
  }
  const withRow = (sizes: readonly number[], row: number) => (sizes.length === 1 ? [row, ...sizes] : sizes);
  const dims = [...outer, ...withRow(places.sizes, 1)];
  if (productOf(dims) !== 0 && productOf(input.dims) === 0) throw node.unsupported('a pooling', 'an input without elements');
  const { outputTensor, outputIndicesTensor } = node.addAll(type, {
    inputTensor: space.length === 1 ? node.reshape(input, [...outer, 1, ...space]) : input,
    outputTensor: like(input, dims),
    outputIndicesTensor: type === 'maxPooling2' && node.has(1) ? new Output('uint32', dims) : undefined,
    strides: withRow(places.strides, 1),
    windowSize: withRow(places.window, 1),
    startPadding: withRow(places.startPadding, 0),
    endPadding: withRow(places.endPadding, 0),
    dilations: withRow(places.dilations, 1),
    ...fields,
  });
  const final = [...outer, ...places.sizes];
  return { output: reshaped(outputTensor, final), indices: outputIndicesTensor && reshaped(outputIndicesTensor, final) };
}

function poolingPlaces(node: Node, { dims }: Operand) {
  const window = node.ints('kernel_shape') ?? dims.slice(2);
  return { window, ...placesOf(node, dims.slice(2), window) };
}

/** Means of windows. What `ceil_mode` adds to the padding never counts. */
export function averagePool(node: Node, input: Operand): Operand {
  const places = poolingPlaces(node, input);
  const { startPadding, endPadding, extraPadding } = places;
  const includePadding = node.flag('count_include_pad');
  if (!includePadding || extraPadding.every((size) => size === 0)) {
    return pool(node, 'averagePooling1', input, { includePadding }, places);
  }
  const own = endPadding.map((size, i) => size - (extraPadding[i] ?? 0));
  const whole = padded(node, input, [0, 0, ...startPadding], [0, 0, ...own]);
  const rest = { ...places, startPadding: startPadding.map(() => 0), endPadding: extraPadding };
  return pool(node, 'averagePooling1', whole, { includePadding: false }, rest);
}

function maxPool(node: Node): readonly Item[] {
  const input = node.input(0);
  const { output, indices } = poolWithIndices(node, 'maxPooling2', input, {});
  if (indices === undefined) return [output];
  const inOrder = node.int('storage_order', 0) === 1 ? columnMajor(node, indices, input.dims) : indices;
  return [output, node.cast(inOrder, 'int64')];
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
  const count = productOf(input.dims);
  const placed =
    count === 0
      ? zeros(node, input.dataType, dims)
      : node.add('maxUnpooling', {
          inputTensor: node.reshape(input, [1, 1, 1, count]),
          indicesTensor: node.reshape(node.cast(indices, 'uint64'), [1, 1, 1, count]),
          outputTensor: like(input, [1, 1, 1, productOf(dims)]),
        });
  const end = output.map((size, i) => size - (dims[i] ?? 0));
  return padded(node, reshaped(placed, dims), ones(end.length).fill(0), end);
}
