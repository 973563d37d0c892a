import { ModelWriter, type Model, type Value } from '../model-writer.js';

/**
 * A network whose weights and activations have 8 bits, with one scale per channel of a filter. All scales are powers of 2, so sums
 * of products are as exact in float32 as in the integers of the wasm provider, and both providers round the same numbers.
 */
export function quantized(): Model {
  const model = new ModelWriter('quantized network');
  const image = requantized(model, model.input('image', [1, 3, 12, 12]), 2 ** -7, 128);
  const filters = weights(model, [8, 3, 3, 3], 0);
  const bias = model.node('DequantizeLinear', [model.bytesBetween('int8', [8], -100, 100), model.floats([8], () => 2 ** -9)], {
    axis: 0,
  });
  const convolved = model.node('Conv', [image, filters, bias], { pads: [1, 1, 1, 1], strides: [2, 2] });
  const x = requantized(model, model.node('Relu', [convolved]), 2 ** -4, 3);
  const pooled = requantized(model, model.node('MaxPool', [x], { kernel_shape: [2, 2], strides: [2, 2] }), 2 ** -4, 3);
  const flat = requantized(model, model.node('Flatten', [pooled]), 2 ** -4, 3);
  const product = requantized(model, model.node('MatMul', [flat, weights(model, [72, 10], 1)]), 2 ** -2, 120);
  model.output('scores', product);
  return model.finish(0);
}

/** Quantizes to 8 bits and back. */
function requantized(model: ModelWriter, x: Value, scale: number, zeroPoint: number): Value {
  const parameters = [model.float(scale), model.bytesBetween('uint8', [], zeroPoint, zeroPoint)];
  return model.node('DequantizeLinear', [model.node('QuantizeLinear', [x, ...parameters]), ...parameters]);
}

/** 8-bit weights with a scale for each index along the axis. */
function weights(model: ModelWriter, shape: readonly number[], axis: number): Value {
  const channels = shape[axis] ?? 1;
  const scales = model.floats([channels], () => 2 ** -model.random.int(7, 9));
  const zeroPoints = model.bytesBetween('int8', [channels], 0, 0);
  return model.node('DequantizeLinear', [model.bytesBetween('int8', shape, -127, 127), scales, zeroPoints], { axis });
}
