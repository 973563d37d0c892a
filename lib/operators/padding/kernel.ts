/** Operators that repeat a tensor's elements around or beside it. */
import type { PaddingMode } from '../../tensors/generated/enums.js';
import type { Resolved } from '../../descriptors/resolved.js';
import type { TensorView } from '../../compute/tensor-view.js';
import { ABSENT, moveMapped, oneElement, sumTerms, termsByAxis, toDataType } from '../../compute/element-map.js';
import type { InputAndOutput, Kernel } from '../../compute/kernel.js';

/** The input coordinate that is read for a coordinate before, in or after the input; {@link ABSENT} if there is none. */
type CoordinateMap = (coordinate: number, size: number) => number;

const COORDINATE_MAPS: Readonly<Record<PaddingMode, CoordinateMap>> = {
  constant: (coordinate, size) => (coordinate >= 0 && coordinate < size ? coordinate : ABSENT),
  edge: (coordinate, size) => Math.min(Math.max(coordinate, 0), size - 1),
  // The edges are not repeated: a period goes there and back, and has each of the two ends once.
  reflection: (coordinate, size) => {
    const phase = modulo(coordinate, Math.max(1, 2 * (size - 1)));
    return phase < size ? phase : 2 * (size - 1) - phase;
  },
  symmetric: (coordinate, size) => {
    const phase = modulo(coordinate, 2 * size);
    return phase < size ? phase : 2 * size - 1 - phase;
  },
  wrap: modulo,
};

export const padding: Kernel<'padding'> = (operator, tensors) => {
  const output = tensors.outputTensor;
  pad(operator, tensors, oneElement(output, toDataType(output.dataType, operator.paddingValue)));
};

export const padding1: Kernel<'padding1'> = (operator, tensors) => {
  pad(operator, tensors, oneElement(tensors.outputTensor, operator.paddingValue));
};

export const tile: Kernel<'tile'> = (_operator, { inputTensor: input, outputTensor: output }) => {
  const from = (coordinate: number, axis: number) => coordinate % (input.sizes[axis] ?? 1);
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)));
};

function pad(operator: Resolved<'padding' | 'padding1'>, tensors: InputAndOutput, value: TensorView): void {
  const { inputTensor: input, outputTensor: output } = tensors;
  const start = operator.startPadding;
  const mapCoordinate = COORDINATE_MAPS[operator.paddingMode];
  const from = (coordinate: number, axis: number) => mapCoordinate(coordinate - (start[axis] ?? 0), input.sizes[axis] ?? 1);
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)), value);
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
