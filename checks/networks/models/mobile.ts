import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';
import { batchNormalization } from './convolutional.js';

const [channels, squeezed] = [16, 4];

/** A block of a network for phones: depthwise convolution, HardSwish, and channels weighted by what the whole image shows. */
export function mobile(): Model {
  const model = new ModelWriter('depthwise convolutions');
  const image = model.input('image', [1, 3, 15, 15]);
  const wide = model.node('Clip', [pointwise(model, image, 3, channels), model.float(0), model.float(6)]);
  const depthwise = model.node('Conv', [wide, model.weights([channels, 1, 3, 3], 9)], {
    group: channels,
    strides: [2, 2],
    auto_pad: { text: 'SAME_UPPER' },
  });
  const x = model.node('HardSwish', [batchNormalization(model, depthwise, channels)]);
  const mean = model.node('ReduceMean', [x, model.integers(2, 3)], { keepdims: 1 });
  const narrow = model.node('LeakyRelu', [pointwise(model, mean, channels, squeezed)], { alpha: { float: 0.1 } });
  const gate = model.node('HardSigmoid', [pointwise(model, narrow, squeezed, channels)]);
  model.output('y', pointwise(model, model.node('Mul', [x, gate]), channels, 8));
  return model.finish(sums(3, 9, 64, channels, squeezed, channels));
}

function pointwise(model: ModelWriter, x: Value, from: number, to: number): Value {
  return model.node('Conv', [x, model.weights([to, from, 1, 1], from), model.weights([to], to)]);
}
