/**
 * `unfold` copies each sliding window of the images into a column, with zeros where it reaches into the padding. `fold` adds up
 * the columns' elements where their windows overlap.
 */
import { dilatedSize, positionCount } from '../../descriptors/dilated-window.js';
import { bitsOf, isFloat, wideRangeOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { Resolved } from '../../descriptors/resolved.js';
import { clearElements, moveElements, readNumbers, writeTruncated } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import { productOf } from '../../tensors/tensor-size.js';
import { integersOf, writeIntegers } from '../../compute/integers.js';

export const unfold: Kernel<'unfold'> = (operator, { inputTensor: input, outputTensor: output }) => {
  clearElements(output);
  for (const [image, column] of pairs(operator, input.sizes, output.sizes)) moveElements(input, image, output, column, 1);
};

export const fold: Kernel<'fold'> = (operator, { inputTensor: input, outputTensor: output }) => {
  if (isFloat(input.dataType)) {
    const values = readNumbers(input);
    const sums = new Float32Array(output.elementCount);
    for (const [image, column] of pairs(operator, output.sizes, input.sizes)) {
      sums[image] = (sums[image] ?? 0) + (values[column] ?? 0);
    }
    writeTruncated(output, sums);
  } else {
    const values = integersOf(input);
    const sums = new Array<bigint>(output.elementCount).fill(0n);
    for (const [image, column] of pairs(operator, output.sizes, input.sizes)) {
      sums[image] = (sums[image] ?? 0n) + (values[column] ?? 0n);
    }
    writeIntegers(
      output,
      sums.map((sum) => saturate(output.dataType, sum)),
    );
  }
};

/** 8-bit and 16-bit types are added in 32 bits and saturate when they are written; wider ones wrap around. */
function saturate(dataType: DataType, sum: bigint): bigint {
  if (bitsOf(dataType) >= 32) return sum;
  const { low, high } = wideRangeOf(dataType);
  return sum < low ? low : sum > high ? high : sum;
}

/**
 * All pairs of an image element and a column element that stands for it, as element numbers. The pairs of one image element come
 * in the order of its windows, in which DirectML adds them in float32.
 */
function* pairs(
  operator: Resolved<'unfold' | 'fold'>,
  images: readonly number[],
  columns: readonly number[],
): Generator<readonly [image: number, column: number]> {
  const { windowSizes: window, strides, dilations, startPadding: start, endPadding: end } = operator;
  const space = images.slice(2);
  const planes = (images[0] ?? 1) * (images[1] ?? 1);
  const windowSize = productOf(window);
  const positions = columns[2] ?? 1;
  const grid = space.map((size, i) => {
    const padded = size + (start[i] ?? 0) + (end[i] ?? 0);
    return positionCount(padded, dilatedSize(window[i] ?? 1, dilations[i] ?? 1), strides[i] ?? 1);
  });
  for (let inWindow = windowSize - 1; inWindow >= 0; inWindow--) {
    const offset = coordinatesOf(inWindow, window);
    for (let position = 0; position < positions; position++) {
      const corner = coordinatesOf(position, grid);
      let element = 0;
      let inside = true;
      for (let i = 0; i < space.length; i++) {
        const at = (corner[i] ?? 0) * (strides[i] ?? 1) + (offset[i] ?? 0) * (dilations[i] ?? 1) - (start[i] ?? 0);
        inside &&= at >= 0 && at < (space[i] ?? 1);
        element = element * (space[i] ?? 1) + at;
      }
      if (!inside) continue;
      for (let plane = 0; plane < planes; plane++) {
        yield [plane * productOf(space) + element, (plane * windowSize + inWindow) * positions + position];
      }
    }
  }
}

function coordinatesOf(element: number, sizes: readonly number[]): number[] {
  const coordinates = sizes.map(() => 0);
  let rest = element;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    coordinates[axis] = rest % (sizes[axis] ?? 1);
    rest = Math.floor(rest / (sizes[axis] ?? 1));
  }
  return coordinates;
}
