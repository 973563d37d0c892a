/** Operators that repeat a tensor's elements around or beside it. */
import type { Resolved } from '../../descriptors/resolved.js';
import type { TensorView } from '../../compute/tensor-view.js';
import { moveByTerms, oneElement, termsByAxis, toDataType } from '../../compute/element-map.js';
import type { InputAndOutput, Kernel } from '../../compute/kernel.js';
import { coordinateMaps } from '../../compute/padding-coordinates.js';

export const padding: Kernel<'padding'> = (operator, tensors) => {
  const output = tensors.outputTensor;
  pad(operator, tensors, oneElement(output, toDataType(output.dataType, operator.paddingValue)));
};

export const padding1: Kernel<'padding1'> = (operator, tensors) => {
  pad(operator, tensors, oneElement(tensors.outputTensor, operator.paddingValue));
};

export const tile: Kernel<'tile'> = (_operator, { inputTensor: input, outputTensor: output }) => {
  const from = (coordinate: number, axis: number) => coordinate % (input.sizes[axis] ?? 1);
  moveByTerms(input, output, termsByAxis(output.sizes, input.sizes, from, input.strides));
};

function pad(operator: Resolved<'padding' | 'padding1'>, tensors: InputAndOutput, value: TensorView): void {
  const { inputTensor: input, outputTensor: output } = tensors;
  const start = operator.startPadding;
  const mapCoordinate = coordinateMaps[operator.paddingMode];
  const from = (coordinate: number, axis: number) => mapCoordinate(coordinate - (start[axis] ?? 0), input.sizes[axis] ?? 1);
  moveByTerms(input, output, termsByAxis(output.sizes, input.sizes, from, input.strides), value);
}
