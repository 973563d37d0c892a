/** Lowers operators that move elements. */
import { sizesOf } from '../ml-operand.js';
import type { Lowerings } from './step.js';

type Shaping = ('reshape' | 'expand' | 'transpose' | 'concat' | 'split') | ('slice' | 'pad' | 'tile' | 'reverse' | 'triangular');

export const shaping: Lowerings<Shaping> = {
  reshape: (step, input) => step.reshape(input, step.sizes),
  expand: (step, input) => input.broadcastTo(step.sizes),
  transpose: (step, input, { permutation }) => (step.isScalar ? input : input.transpose(permutation ?? undefined)),
  concat: (step, inputs, axis) => step.join(inputs, axis),
  split: (step, input, _splits, { axis }) => {
    const outputTensors = step.outputs.map(({ shape }) => ({ sizes: sizesOf(shape) }));
    return step.add({ type: 'split', inputTensor: step.packed(input), outputTensors, axis }).outputTensors;
  },
  slice: (step, input, starts, sizes, { strides = sizes.map(() => 1) }) => {
    if (step.isScalar) return input;
    return step.slice(input, starts, sizes, strides);
  },
  pad: (step, input, startPadding, endPadding, { mode, value }) => {
    if (step.isScalar) return input;
    const paddingValue = step.number(value);
    return step.add({ type: 'padding1', inputTensor: input, paddingMode: mode, paddingValue, startPadding, endPadding })
      .outputTensor;
  },
  tile: (step, input, repeats) => {
    if (step.isScalar) return input;
    return step.add({ type: 'tile', inputTensor: step.packed(input), repeats }).outputTensor;
  },
  reverse: (step, input, { axes = [...input.sizes.keys()] }) => {
    if (step.isScalar) return input;
    const strides = input.sizes.map((_, axis) => (axes.includes(axis) ? -1 : 1));
    return step.slice(
      input,
      input.sizes.map(() => 0),
      input.sizes,
      strides,
    );
  },
  triangular: (step, input, { upper, diagonal }) => {
    const [height = 1, width = 1] = step.sizes.slice(-2);
    const mask = new Uint8Array(height * width);
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const isKept = upper ? column - row >= diagonal : column - row <= diagonal;
        mask[row * width + column] = isKept ? 1 : 0;
      }
    }
    const conditionTensor = step.mask([height, width], mask).broadcastTo(step.sizes);
    const bTensor = step.fill(step.dataType, step.sizes, 0);
    return step.add({ type: 'elementWiseIf', conditionTensor, aTensor: input, bTensor }).outputTensor;
  },
};
