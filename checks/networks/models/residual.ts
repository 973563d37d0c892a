import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';
import { batchNormalization } from './convolutional.js';

/** Two residual blocks: one that halves the image, with a convolution beside it, and one that keeps it. */
export function residual(): Model {
  const model = new ModelWriter('residual block');
  const image = model.input('image', [1, 8, 14, 14]);
  const shortcut = batchNormalization(model, convolution(model, image, [16, 8, 1, 1], 2), 16);
  const halved = join(model, branch(model, image, 8, 2), shortcut);
  model.output('y', join(model, branch(model, halved, 16, 1), halved));
  return model.finish(sums(8 * 9, 16 * 9, 16 * 9, 16 * 9));
}

function branch(model: ModelWriter, x: Value, from: number, stride: number): Value {
  const inner = model.node('Relu', [batchNormalization(model, convolution(model, x, [16, from, 3, 3], stride), 16)]);
  return batchNormalization(model, convolution(model, inner, [16, 16, 3, 3], 1), 16);
}

function join(model: ModelWriter, a: Value, b: Value): Value {
  return model.node('Relu', [model.node('Add', [a, b])]);
}

function convolution(
  model: ModelWriter,
  x: Value,
  shape: readonly [to: number, from: number, height: number, width: number],
  stride: number,
): Value {
  const [, from, height, width] = shape;
  const pad = (height - 1) / 2;
  const attributes = { kernel_shape: [height, width], strides: [stride, stride], pads: [pad, pad, pad, pad] };
  return model.node('Conv', [x, model.weights(shape, from * height * width)], attributes);
}
