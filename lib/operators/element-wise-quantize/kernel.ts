/**
 * Quantization with a scale for each element, and dequantization. It is computed in float32, step by step like DirectML's: when
 * numbers become integers, the last bit decides between neighbours.
 */
import { rangeOf } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { truncateToFloat16 } from '../../compute/numbers.js';
import { mapped } from '../../compute/scratch.js';
import { quantize } from '../../compute/quantization.js';
import { haveSameDenseLayout, isSingleElement, readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

export const elementWiseQuantizeLinear: Kernel<'elementWiseQuantizeLinear'> = byBlocks((_operator, tensors) => {
  const { inputTensor: input, scaleTensor: scale, zeroPointTensor: zeroPoint, outputTensor: output } = tensors;
  const scales = readNumbers(scale);
  const zeroPoints = numbersOrZeros(zeroPoint);
  const values = mapped(readNumbers(input), Math.fround);
  const areSingle = zeroPoint !== null && isSingleElement(scale) && isSingleElement(zeroPoint);
  const isByVectors =
    areSingle && input.dataType === 'float32' && haveSameDenseLayout([input]) && haveSameVectorLayout(input.whole, output.whole);
  quantize(
    output,
    values,
    (i) => scales[i] ?? 1,
    (i) => zeroPoints[i] ?? 0,
    levelOfNaN(output, isByVectors),
  );
});

/**
 * The level of NaN. DirectML clamps four elements at a time in another way than single ones: NaN becomes the lowest level, else
 * 0.
 */
function levelOfNaN({ dataType }: TensorView, isByVectors: boolean): number {
  return isByVectors ? rangeOf(dataType).low : 0;
}

/** True if the output has the layout of the dense input, or has it with each row padded to whole vectors of four elements. */
function haveSameVectorLayout({ sizes, strides }: TensorView, output: TensorView): boolean {
  const axes = [...sizes.keys()].filter((axis) => sizes[axis] !== 1);
  const strideOf = (axis: number) => strides[axis] ?? 0;
  const row = Math.min(...axes.filter((axis) => output.strides[axis] !== strideOf(axis)).map(strideOf));
  const filled = Math.ceil(row / 4) * 4;
  return axes.every((axis) => {
    const stride = strideOf(axis);
    return output.strides[axis] === (stride < row ? stride : row > 1 ? (stride / row) * filled : NaN);
  });
}

/** Integers beyond 2²⁴ are rounded to float32 before the subtraction. Finite float16 results are truncated. */
export const elementWiseDequantizeLinear: Kernel<'elementWiseDequantizeLinear'> = byBlocks((_operator, tensors) => {
  const output = tensors.outputTensor;
  const levels = mapped(readNumbers(tensors.inputTensor), Math.fround);
  const scales = readNumbers(tensors.scaleTensor);
  const zeroPoints = mapped(numbersOrZeros(tensors.zeroPointTensor), Math.fround);
  const values = mapped(levels, (level, i) => Math.fround(level - (zeroPoints[i] ?? 0)) * (scales[i] ?? 1));
  writeNumbers(output, output.dataType === 'float16' ? truncateToFloat16(values) : values);
});

export const elementWiseQuantizedLinearAdd: Kernel<'elementWiseQuantizedLinearAdd'> = byBlocks((_operator, tensors) => {
  const { aTensor, bTensor, outputTensor: output } = tensors;
  const addends = dequantized(bTensor, tensors.bScaleTensor, tensors.bZeroPointTensor);
  const augends = dequantized(aTensor, tensors.aScaleTensor, tensors.aZeroPointTensor);
  const sums = mapped(augends, (augend, i) => Math.fround(augend + (addends[i] ?? 0)));
  const scale = readNumbers(tensors.outputScaleTensor)[0] ?? 1;
  const zeroPoint = numbersOrZeros(tensors.outputZeroPointTensor)[0] ?? 0;
  const isByVectors = haveSameDenseLayout([aTensor, bTensor, output]);
  quantize(
    output,
    sums,
    () => scale,
    () => zeroPoint,
    levelOfNaN(output, isByVectors),
  );
});

/** Scale and zero point have one element each. */
function dequantized(levels: TensorView, scaleTensor: TensorView, zeroPointTensor: TensorView | null): Float64Array {
  const scale = readNumbers(scaleTensor)[0] ?? 1;
  const zeroPoint = numbersOrZeros(zeroPointTensor)[0] ?? 0;
  return mapped(readNumbers(levels), (level) => Math.fround((level - zeroPoint) * scale));
}

/** Empty if there is no tensor, so that each element counts as 0. */
function numbersOrZeros(view: TensorView | null): Float64Array {
  return view === null ? new Float64Array(0) : readNumbers(view);
}
