import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';
import { batchNormalization } from './convolutional.js';

const [channels, narrow, size] = [64, 16, 28];

/** Two blocks of a ResNet: few channels between many, each convolution with batch normalization. */
export function bottleneck(): Model {
  const model = new ModelWriter('convolutional residual block');
  const image = model.input('image', [1, channels, size, size]);
  model.output('y', block(model, block(model, image)));
  return model.finish(2 * sums(channels, narrow * 9, narrow));
}

function block(model: ModelWriter, x: Value): Value {
  const layer = (value: Value, from: number, to: number, width: number): Value => {
    const pad = (width - 1) / 2;
    const weights = model.weights([to, from, width, width], from * width ** 2);
    const attributes = { kernel_shape: [width, width], pads: [pad, pad, pad, pad] };
    return batchNormalization(model, model.node('Conv', [value, weights], attributes), to);
  };
  const first = model.node('Relu', [layer(x, channels, narrow, 1)]);
  const second = model.node('Relu', [layer(first, narrow, narrow, 3)]);
  return model.node('Relu', [model.node('Add', [layer(second, narrow, channels, 1), x])]);
}
