import { ModelWriter, sums, type Model } from '../model-writer.js';

const [length, width, hidden, tags] = [6, 12, 16, 5];

/** An LSTM that reads the words of sentences in both directions and gives each a tag. */
export function tagger(): Model {
  const model = new ModelWriter('LSTM tagger', { sentences: 3 });
  const ids = model.tokens('words', ['sentences', length], 40);
  const words = model.node('Transpose', [model.node('Gather', [model.floatsBetween([40, width], -2, 2), ids])], {
    perm: [1, 0, 2],
  });
  const weights = [
    model.weights([2, 4 * hidden, width], width),
    model.weights([2, 4 * hidden, hidden], hidden),
    model.weights([2, 8 * hidden], hidden),
  ];
  const [states = ''] = model.nodes('LSTM', [words, ...weights], 3, {
    hidden_size: hidden,
    direction: { text: 'bidirectional' },
  });
  const bySentence = model.node('Transpose', [states], { perm: [2, 0, 1, 3] });
  const features = model.node('Reshape', [bySentence, model.integers(0, 0, 2 * hidden)]);
  const scores = model.node('MatMul', [features, model.floatsBetween([2 * hidden, tags], -1, 1)]);
  model.output('scores', scores);
  model.output('tags', model.node('ArgMax', [scores], { axis: -1, keepdims: 0 }), 'int64');
  return model.finish(length * sums(width, hidden) + sums(2 * hidden));
}
