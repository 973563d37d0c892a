import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';
import { batchNormalization } from './convolutional.js';

const [low, high, size] = [8, 16, 32];

/** A small U-Net: down by pooling, up by a transposed convolution, and what was before beside it. */
export function unet(): Model {
  const model = new ModelWriter('U-Net');
  const image = model.input('image', [1, 3, size, size]);
  const fine = layers(model, image, 3, low);
  const coarse = layers(model, model.node('MaxPool', [fine], { kernel_shape: [2, 2], strides: [2, 2] }), low, high);
  const weights = [model.weights([high, low, 2, 2], high), model.weights([low], low)];
  const up = model.node('ConvTranspose', [coarse, ...weights], { kernel_shape: [2, 2], strides: [2, 2] });
  const both = layers(model, model.node('Concat', [fine, up], { axis: 1 }), 2 * low, low);
  const classes = model.node('Conv', [both, model.weights([2, low, 1, 1], low), model.weights([2], 2)], { kernel_shape: [1, 1] });
  model.output('classes', model.node('Softmax', [classes], { axis: 1 }));
  return model.finish(sums(27, low * 9, low * 9, high * 9, high, 2 * low * 9, low * 9, low));
}

function layers(model: ModelWriter, x: Value, from: number, to: number): Value {
  const layer = (value: Value, channels: number): Value => {
    const weights = model.weights([to, channels, 3, 3], channels * 9);
    const convolved = model.node('Conv', [value, weights], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
    return model.node('Relu', [batchNormalization(model, convolved, to)]);
  };
  return layer(layer(x, from), to);
}
