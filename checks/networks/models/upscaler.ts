import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';

/** A network that enlarges an image: Resize in both modes, ConvTranspose, InstanceNormalization, PRelu and Pad. */
export function upscaler(): Model {
  const model = new ModelWriter('upscaling network');
  const image = model.input('image', [1, 4, 6, 5]);
  const padded = model.node('Pad', [image, model.integers(0, 0, 1, 1, 0, 0, 1, 1)], { mode: { text: 'reflect' } });
  const convolved = model.node('Conv', [padded, model.weights([6, 4, 3, 3], 36)]);
  const between = (low: number, high: number) => model.floatsBetween([6], low, high);
  const normalized = model.node('InstanceNormalization', [convolved, between(0.5, 1.5), between(-0.2, 0.2)]);
  const x = model.node('PRelu', [normalized, model.floatsBetween([6, 1, 1], 0, 0.3)]);
  const weights = [model.weights([6, 4, 4, 4], 24), model.weights([4], 4)];
  const learned = model.node('ConvTranspose', [x, ...weights], { strides: [2, 2], pads: [1, 1, 1, 1] });
  const linear = resize(model, image, { mode: 'linear', coordinate_transformation_mode: 'half_pixel' });
  const nearest = resize(model, image, {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
  const sum = model.node('Add', [model.node('Add', [learned, linear]), nearest]);
  model.output('large', model.node('Sigmoid', [sum]));
  return model.finish(sums(36, 30, 24, 4));
}

function resize(model: ModelWriter, x: Value, modes: Readonly<Record<string, string>>): Value {
  const scales = model.floats([4], drawFrom([1, 1, 2, 2]));
  const attributes = Object.fromEntries(Object.entries(modes).map(([name, text]) => [name, { text }]));
  return model.node('Resize', [x, null, scales], attributes);
}

/** Returns a function that gives the numbers one after the other. */
function drawFrom(numbers: readonly number[]): () => number {
  const rest = numbers.values();
  return () => rest.next().value ?? 0;
}
