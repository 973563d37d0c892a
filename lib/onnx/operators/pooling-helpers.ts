/** Poolings with the sizes and paddings of ONNX. */
import { productOf } from '../../validation/tensor-size.js';
import { like, type Fields, type Node } from '../node.js';
import { Output, reshaped, type Operand } from '../operand.js';
import { padded } from './move-helpers.js';
import { placesOf, type Places } from './window-helpers.js';

type Pooling = 'maxPooling2' | 'averagePooling1' | 'lpPooling1';

/** DirectML has poolings in two and three dimensions: one dimension is the rows of images of one row. */
export function pool(node: Node, type: Pooling, input: Operand, fields: Fields = {}): Operand {
  return poolAll(node, type, input, fields)['outputTensor']?.[0] ?? input;
}

export function poolAll(
  node: Node,
  type: Pooling,
  input: Operand,
  fields: Fields = {},
  places: Places = poolingPlaces(node, input),
): Readonly<Record<string, readonly Operand[]>> {
  const space = input.dims.slice(2);
  if (space.length < 1 || space.length > 3) {
    throw node.unsupported('a pooling', `${space.length} dimensions of space`, 'DirectML has up to 3');
  }
  const withRow = (sizes: readonly number[], row: number) => (sizes.length === 1 ? [row, ...sizes] : sizes);
  const outer = input.dims.slice(0, 2);
  const dims = [...outer, ...withRow(places.sizes, 1)];
  if (productOf(dims) !== 0 && productOf(input.dims) === 0) throw node.unsupported('a pooling', 'an input without elements');
  const made = node.addAll(type, {
    inputTensor: space.length === 1 ? node.reshape(input, [...outer, ...withRow(space, 1)]) : input,
    outputTensor: like(input, dims),
    strides: withRow(places.strides, 1),
    windowSize: withRow(windowOf(node, input), 1),
    startPadding: withRow(places.startPadding, 0),
    endPadding: withRow(places.endPadding, 0),
    dilations: withRow(places.dilations, 1),
    ...fields,
    ...(fields['outputIndicesTensor'] === true ? { outputIndicesTensor: new Output('uint32', dims) } : {}),
  });
  const final = [...outer, ...places.sizes];
  return Object.fromEntries(Object.entries(made).map(([name, all]) => [name, all.map((each) => reshaped(each, final))]));
}

function windowOf(node: Node, { dims }: Operand): readonly number[] {
  return node.ints('kernel_shape') ?? dims.slice(2);
}

function poolingPlaces(node: Node, input: Operand): Places {
  return placesOf(node, input.dims.slice(2), windowOf(node, input));
}

/** Means of windows. What `ceil_mode` adds to the padding never counts. */
export function averagePool(node: Node, input: Operand): Operand {
  const places = poolingPlaces(node, input);
  const includePadding = node.flag('count_include_pad');
  const isExtended = places.extraPadding.some((size) => size > 0);
  if (!includePadding || !isExtended) {
    return poolAll(node, 'averagePooling1', input, { includePadding }, places)['outputTensor']?.[0] ?? input;
  }
  const { startPadding, endPadding, extraPadding } = places;
  const own = endPadding.map((size, i) => size - (extraPadding[i] ?? 0));
  const whole = padded(node, input, [0, 0, ...startPadding], [0, 0, ...own]);
  const rest = { ...places, startPadding: startPadding.map(() => 0), endPadding: extraPadding };
  return poolAll(node, 'averagePooling1', whole, { includePadding: false }, rest)['outputTensor']?.[0] ?? input;
}
