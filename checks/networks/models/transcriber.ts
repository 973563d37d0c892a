import { ModelWriter, sums, type Model } from '../model-writer.js';

const [steps, features, hidden, letters] = [24, 40, 64, 29];

/** A recurrent network that gives each frame of speech a letter: layers, an LSTM, and a normalization by its mean. */
export function transcriber(): Model {
  const model = new ModelWriter('recurrent block');
  const frames = model.input('frames', [steps, 1, features]);
  const dense = model.node('Relu', [model.linear(frames, features, hidden)]);
  const weights = [model.weights([1, 4 * hidden, hidden], hidden), model.weights([1, 4 * hidden, hidden], hidden)];
  const [states = ''] = model.nodes('LSTM', [dense, ...weights, model.weights([1, 8 * hidden], hidden)], 3, {
    hidden_size: hidden,
  });
  const rows = model.node('Squeeze', [states, model.integers(1)]);
  const centered = model.node('Sub', [rows, model.node('ReduceMean', [rows, model.integers(-1)])]);
  const letter = model.linear(centered, hidden, letters);
  model.output('letters', model.node('LogSoftmax', [letter], { axis: -1 }));
  return model.finish(sums(features) + steps * sums(hidden, hidden) + sums(hidden, hidden));
}
