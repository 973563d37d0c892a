/** Quantization with one scale, or one for each place of an axis. */
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { type Node } from '../node.js';
import { broadcast, HostData, isHost, Output, type HostOperand, type Operand } from '../operand.js';
import { constant, ones } from './tensor-helpers.js';

/** What the integers of a tensor mean. */
export interface Scale {
  readonly scale: Operand;
  readonly zeroPoint: Operand | undefined;
  readonly axis?: number;
}

/** The scale that inputs from the first one on give. */
export function scaleAt(node: Node, first: number): Scale {
  return { scale: node.input(first), zeroPoint: node.optional(first + 1) };
}

function spread(node: Node, given: Operand, dims: readonly number[], axis: number): Operand {
  const own = productOf(given.dims) === 1 ? [] : ones(dims.length).map((one, i) => (i === axis ? productOf(given.dims) : one));
  return broadcast(node.reshape(given, own), dims);
}

export function toFloats(node: Node, input: Operand, { scale, zeroPoint, axis = 0 }: Scale): Operand {
  return node.add('elementWiseDequantizeLinear', {
    inputTensor: input,
    scaleTensor: spread(node, scale, input.dims, axis),
    zeroPointTensor: zeroPoint && spread(node, zeroPoint, input.dims, axis),
    outputTensor: new Output(scale.dataType, input.dims),
  });
}

export function toIntegers(node: Node, input: Operand, to: Scale, byDefault: DataType = 'uint8'): Operand {
  const { scale, zeroPoint, axis = 0 } = to;
  const dataType = zeroPoint?.dataType ?? byDefault;
  if (dataType === 'uint16' || dataType === 'int16') return to16Bits(node, input, to, dataType);
  return node.add('elementWiseQuantizeLinear', {
    inputTensor: input,
    scaleTensor: spread(node, scale, input.dims, axis),
    zeroPointTensor: zeroPoint && spread(node, zeroPoint, input.dims, axis),
    outputTensor: new Output(dataType, input.dims),
  });
}

/** In steps, for DirectML quantizes to 8 bits only. */
function to16Bits(node: Node, given: Operand, { scale, zeroPoint, axis = 0 }: Scale, dataType: 'uint16' | 'int16'): Operand {
  const input = node.cast(given, 'float32');
  const divisor = spread(node, node.cast(scale, 'float32'), input.dims, axis);
  const quotient = node.arithmetic('elementWiseDivide', input, divisor);
  const rounded = node.map('elementWiseRound', quotient, { roundingMode: 'halvesToNearestEven' });
  const zero = zeroPoint && spread(node, node.cast(zeroPoint, 'float32'), input.dims, axis);
  const sum = zero === undefined ? rounded : node.arithmetic('elementWiseAdd', rounded, zero);
  const [min, max] = dataType === 'uint16' ? [0, 65535] : [-32768, 32767];
  return node.cast(node.map('elementWiseClip', sum, { min, max }), dataType);
}

/** Views of the same bytes as other data types, so that the device gets each only once. */
const views = new WeakMap<HostData, HostData>();

/** Bytes that each hold two elements of 4 bits, the first in the low half. Null if only a run has them. */
export function asNibbles(bytes: Operand, dims: readonly number[]): HostOperand | null {
  if (!isHost(bytes) || bytes.data.supply !== null || bytes.strides !== null) return null;
  const data = views.get(bytes.data) ?? new HostData(bytes.data.bytes);
  views.set(bytes.data, data);
  return { dataType: 'uint4', isBool: false, strides: null, dims, data };
}

/** The two halves of each byte as elements of their own: the last dimension has twice as many. */
export function halvesOfBytes(node: Node, bytes: Operand): Operand {
  const { dims } = bytes;
  const number = (value: number) => constant('uint8', dims, value);
  const halves = [
    node.arithmetic('elementWiseBitAnd', bytes, number(15)),
    node.arithmetic('elementWiseBitShiftRight', bytes, number(4)),
  ].map((half) => node.reshape(half, [...dims, 1]));
  const pairs = node.add('join', { inputTensors: halves, outputTensor: new Output('uint8', [...dims, 2]), axis: dims.length });
  const outer = dims.slice(0, -1);
  return node.reshape(pairs, [...outer, 2 * (dims.at(-1) ?? 0)]);
}
