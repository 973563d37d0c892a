/** The coordinates of all elements that are not zero, in the order of the elements. */
import { readNumbers, writeNumbers } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

/** Rows past the count keep what they held: DirectML promises nothing about them. */
export const nonzeroCoordinates: Kernel<'nonzeroCoordinates'> = (_operator, tensors) => {
  const { inputTensor: input, outputCountTensor: count, outputCoordinatesTensor: output } = tensors;
  const { sizes } = input;
  const width = output.sizes[output.sizes.length - 1] ?? 1;
  const coordinates = readNumbers(output);
  let row = 0;
  readNumbers(input).forEach((value, element) => {
    if (value === 0) return;
    let rest = element;
    for (let back = 1; back <= width; back++) {
      const size = sizes[sizes.length - back] ?? 1;
      coordinates[row * width + width - back] = rest % size;
      rest = Math.floor(rest / size);
    }
    row += 1;
  });
  writeNumbers(count, Float64Array.of(row));
  writeNumbers(output, coordinates);
};
