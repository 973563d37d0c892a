import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';

/** A convolutional network with batch normalization and every pooling; the number of images is a dynamic dimension. */
export function convolutional(): Model {
  const model = new ModelWriter('convolutional network', { batch: 2 });
  const image = model.input('image', ['batch', 3, 20, 20]);
  const stem = block(model, image, 3, 8);
  const small = model.node('MaxPool', [stem], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] });
  const deep = block(model, small, 8, 16);
  const mean = model.node('AveragePool', [deep], { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 });
  const both = [model.node('GlobalAveragePool', [mean]), model.node('GlobalMaxPool', [mean])];
  const features = model.node('Flatten', [model.node('Concat', both, { axis: 1 })]);
  const logits = model.node('Gemm', [features, model.weights([32, 10], 32), model.weights([10], 10)]);
  model.output('features', features);
  model.output('probabilities', model.node('Softmax', [logits]));
  return model.finish(sums(3 * 9, 8 * 9, 9, 25, 32));
}

function block(model: ModelWriter, x: Value, from: number, to: number): Value {
  const convolution = model.node('Conv', [x, model.weights([to, from, 3, 3], from * 9), model.weights([to], to)], {
    kernel_shape: [3, 3],
    pads: [1, 1, 1, 1],
  });
  return model.node('Relu', [batchNormalization(model, convolution, to)]);
}

/** Adds a batch normalization with random statistics in place of those of a training. */
export function batchNormalization(model: ModelWriter, x: Value, channels: number): Value {
  const between = (low: number, high: number) => model.floatsBetween([channels], low, high);
  return model.node('BatchNormalization', [x, between(0.5, 1.5), between(-0.2, 0.2), between(-0.2, 0.2), between(0.5, 1.5)]);
}
