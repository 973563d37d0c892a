/** Slices, which copy a window of a tensor in steps, their gradient, and split. */
import {
  needSizes,
  stateDataType,
  stateDimensionCount,
  stateSizes,
  type Drafted,
  type TensorOrDraft,
} from '../../descriptors/drafted.js';
import { strict, strictly } from '../../descriptors/strict.js';
import { axisOf, hasSizes, perDimension, sameDataType, sameDimensionCount, sameExceptAlong } from '../../descriptors/checks.js';
import { refuse, tensorOf, type Rule, type WithTensors } from '../../descriptors/rule.js';

/**
 * Both tensors have the same dimension count and data type. `offsets`, `sizes` and `strides` have one element for
 * each dimension. Each of `strides` is 1 to 2³¹ - 1. `outputTensor` has the sizes `sizes`. The last element in each
 * dimension, `offsets[i] + (sizes[i] - 1) * strides[i]`, lies inside `inputTensor`.
 */
export const slice: Rule<'slice'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const { sizes } = operator.inputTensor;
  const offsets = perDimension(operator, 'offsets', 'inputTensor');
  const lengths = perDimension(operator, 'sizes', 'inputTensor');
  const strides = perDimension(operator, 'strides', 'inputTensor');
  hasSizes(operator, 'outputTensor', lengths, 'the sizes of the slice');
  for (const [axis, size] of sizes.entries()) {
    const stride = strides[axis] ?? 0;
    // DirectML reads strides as signed numbers.
    if (stride === 0 || stride > 0x7fff_ffff) {
      throw refuse(operator, 'ERR_OUT_OF_RANGE', `strides[${axis}]`, '1 to 2147483647', `${stride}`);
    }
    const last = (offsets[axis] ?? 0) + ((lengths[axis] ?? 1) - 1) * stride;
    if (last >= size) {
      const expected = `offset + (size - 1) * stride below ${size}, the size of inputTensor`;
      throw refuse(operator, 'ERR_OUT_OF_RANGE', `offsets[${axis}]`, expected, `${last}`);
    }
  }
};

/**
 * Both tensors have the same dimension count and data type. {@inheritDoc windowInside} The window lies inside
 * `inputTensor`. Each size of `outputTensor` is at most `ceil(inputWindowSizes[i] / abs(inputWindowStrides[i]))`.
 * Inferred sizes of `outputTensor` are the largest that are allowed.
 */
export const slice1: Rule<'slice1'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  windowInside(operator, 'inputTensor');
  stateSizes(operator.outputTensor, () => wholeWindow(operator));
  stepsInWindow(operator, 'outputTensor');
  strictly('slice-whole-window', () => noPartOfWhole(operator, 'inputTensor', 'outputTensor'));
};

/**
 * Both tensors have the same dimension count and data type. {@inheritDoc windowInside} The window lies inside
 * `outputGradientTensor`. Each size of `inputGradientTensor` is at most `ceil(inputWindowSizes[i] /
 * abs(inputWindowStrides[i]))`.
 * The sizes of `outputGradientTensor` must be given.
 */
export const sliceGrad: Rule<'sliceGrad'> = (operator) => {
  sameDimensionCount(operator, 'inputGradientTensor', 'outputGradientTensor');
  sameDataType(operator, 'inputGradientTensor', 'outputGradientTensor');
  const sizes = needSizes(operator.outputGradientTensor, 'the sizes of the tensor that the slice was taken from');
  windowInside(operator, 'outputGradientTensor');
  const { inputWindowOffsets: offsets } = operator;
  for (const [axis, span] of spansOf(operator, operator.inputGradientTensor.sizes).entries()) {
    const last = (offsets[axis] ?? 0) + span;
    if (last >= (sizes[axis] ?? 1)) {
      const expected = `steps that end below ${sizes[axis]}, the size of outputGradientTensor`;
      throw refuse(operator, 'ERR_SIZES', `inputGradientTensor.sizes[${axis}]`, expected, `an end at ${last}`);
    }
  }
  strictly('slice-gradient-window', () => stepsInWindow(operator, 'inputGradientTensor'));
  strictly('slice-whole-window', () => noPartOfWhole(operator, 'outputGradientTensor', 'inputGradientTensor'));
};

/**
 * `outputTensors` has at least one tensor. All tensors have the same dimension count and data type. All tensors have
 * the same sizes, except along `axis`, which is a dimension of the tensors, counted from 0. The size of `inputTensor`
 * along `axis` is the sum of the sizes of `outputTensors` along it.
 * Each of `outputTensors` must give its sizes.
 */
export const split: Rule<'split'> = (operator) => {
  const { inputTensor: input, outputTensors: outputs } = operator;
  const axis = axisOf(operator, input);
  if (outputs.length === 0) {
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'outputTensors', 'at least 1 tensor', '0');
  }
  for (const output of outputs) {
    stateDataType(output, input.dataType);
    stateDimensionCount(output, input.sizes.length);
  }
  sameExceptAlong(operator, axis, 'outputTensors', outputs, { name: 'inputTensor', tensor: input });
  const total = outputs.reduce((sum, output) => sum + (needSizes(output)[axis] ?? 0), 0);
  if (total !== input.sizes[axis]) {
    const why = 'the size of inputTensor, which outputTensors divide among them';
    throw refuse(operator, 'ERR_SIZES', 'outputTensors', `${input.sizes[axis]} in dimension ${axis}`, `${total}`, why);
  }
};

type Window = Drafted<'slice1' | 'sliceGrad'>;

/**
 * `inputWindowOffsets`, `inputWindowSizes` and `inputWindowStrides` have one element for each dimension. No element
 * of `inputWindowStrides` is 0 or -2³¹.
 */
function windowInside<Name extends string>(operator: Window & WithTensors<NoInfer<Name>>, whole: Name): void {
  const offsets = perDimension(operator, 'inputWindowOffsets', whole);
  const lengths = perDimension(operator, 'inputWindowSizes', whole);
  const strides = perDimension(operator, 'inputWindowStrides', whole);
  for (const [axis, size] of needSizes(tensorOf<Name, TensorOrDraft>(operator, whole)).entries()) {
    if (strides[axis] === 0) throw refuse(operator, 'ERR_OUT_OF_RANGE', `inputWindowStrides[${axis}]`, 'no 0', '0');
    if (strides[axis] === -(2 ** 31)) {
      const error = refuse(operator, 'ERR_OUT_OF_RANGE', `inputWindowStrides[${axis}]`, 'at least -2147483647', '-2147483648');
      throw strict('slice-least-stride', error);
    }
    const end = (offsets[axis] ?? 0) + (lengths[axis] ?? 0);
    if (end > size) {
      const why = `inputWindowOffsets[${axis}] + inputWindowSizes[${axis}]`;
      throw refuse(operator, 'ERR_OUT_OF_RANGE', `inputWindowSizes[${axis}]`, `an end of at most ${size}`, `${end}`, why);
    }
  }
}

/** The sizes of a slice that takes every step of the window. */
function wholeWindow({ inputWindowSizes: lengths, inputWindowStrides: strides }: Window): readonly number[] {
  return lengths.map((length, axis) => Math.ceil(length / Math.abs(strides[axis] ?? 1)));
}

/** The sliced tensor may have fewer elements than the window has steps, but not more. */
function stepsInWindow<Name extends string>(operator: Window & WithTensors<NoInfer<Name>>, name: Name): void {
  for (const [axis, span] of spansOf(operator, needSizes(tensorOf<Name, TensorOrDraft>(operator, name))).entries()) {
    const length = operator.inputWindowSizes[axis] ?? 0;
    if (span >= length) {
      const expected = `steps that stay in a window of ${length}`;
      throw refuse(operator, 'ERR_SIZES', `${name}.sizes[${axis}]`, expected, `${span} elements from first to last`);
    }
  }
}

/** A smaller window, which ends where the slice ends, gives the same slice. */
function noPartOfWhole<Name extends string>(operator: Window & WithTensors<NoInfer<Name>>, whole: Name, part: Name): void {
  const sizes = needSizes(tensorOf<Name, TensorOrDraft>(operator, whole));
  const taken = needSizes(tensorOf<Name, TensorOrDraft>(operator, part));
  const { inputWindowSizes: lengths, inputWindowStrides: strides } = operator;
  const axis = sizes.findIndex((size, i) => {
    const isPart = lengths[i] === size && strides[i] === 1 && (taken[i] ?? 1) < size;
    return isPart && taken.some((count, other) => count > 1 && other !== i);
  });
  if (axis < 0) return;
  const expected = `${taken[axis]}, so many as ${part} has`;
  throw refuse(operator, 'ERR_FIELD_COMBINATION', `inputWindowSizes[${axis}]`, expected, `${lengths[axis]}`);
}

/**
 * In each dimension, the distance from the first element of the slice to the last one, in elements of the whole
 * tensor.
 */
function spansOf({ inputWindowStrides: strides }: Window, sizes: readonly number[]): number[] {
  return sizes.map((size, axis) => (size - 1) * Math.abs(strides[axis] ?? 1));
}
