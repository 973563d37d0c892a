import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';

const [length, hidden] = [10, 12];

/**
 * Two GRU layers, one of them in both directions, and a forecast from the last states. `linear_before_reset` is not set: the
 * WebNN provider of onnxruntime-web 1.30 misspells it, and takes 0 for 1.
 */
export function forecaster(): Model {
  const model = new ModelWriter('GRU forecaster');
  const series = model.input('series', [length, 2, 3]);
  const [states = ''] = layer(model, series, 3, 'forward');
  const [, last = ''] = layer(model, model.node('Squeeze', [states, model.integers(1)]), hidden, 'bidirectional');
  const both = model.node('Transpose', [last], { perm: [1, 0, 2] });
  const features = model.node('Reshape', [both, model.integers(2, 2 * hidden)]);
  model.output('forecast', model.linear(features, 2 * hidden, 4));
  return model.finish(length * sums(3, hidden) + length * sums(hidden, hidden) + sums(2 * hidden));
}

function layer(model: ModelWriter, x: Value, from: number, direction: 'forward' | 'bidirectional'): Value[] {
  const directions = direction === 'forward' ? 1 : 2;
  const weights = [
    model.weights([directions, 3 * hidden, from], from),
    model.weights([directions, 3 * hidden, hidden], hidden),
    model.weights([directions, 6 * hidden], hidden),
  ];
  return model.nodes('GRU', [x, ...weights], 2, { hidden_size: hidden, direction: { text: direction } });
}
