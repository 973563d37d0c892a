import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';
import { addAttention } from './attention.js';

const width = 32;

/** A small BERT: embeddings of words and places, and an encoder layer with layer normalization and Gelu. */
export function encoder(): Model {
  const model = new ModelWriter('transformer encoder', { batch: 2 });
  const ids = model.tokens('input_ids', ['batch', 7], 50);
  const mask = model.tokens('attention_mask', ['batch', 7], 2);
  const words = model.node('Gather', [model.weights([50, width], 3), ids]);
  const x = normalization(model, model.node('Add', [words, model.weights([7, width], 3)]));
  const isMasked = model.node('Unsqueeze', [model.node('Equal', [mask, model.integers(0)]), model.integers(1, 2)]);
  const attended = normalization(model, model.node('Add', [x, addAttention(model, x, { width, heads: 4 }, isMasked)]));
  const inner = model.node('Gelu', [model.linear(attended, width, 2 * width)]);
  const hidden = normalization(model, model.node('Add', [attended, model.linear(inner, 2 * width, width)]));
  const first = model.node('Gather', [hidden, model.integers(0)], { axis: 1 });
  model.output('last_hidden_state', hidden);
  model.output('pooler_output', model.node('Tanh', [model.linear(first, width, width)]));
  return model.finish(sums(width, width, 8, 7, width, width, width, 2 * width, width, width));
}

function normalization(model: ModelWriter, x: Value): Value {
  const inputs = [x, model.floatsBetween([width], 0.5, 1.5), model.floatsBetween([width], -0.2, 0.2)];
  return model.node('LayerNormalization', inputs, { axis: -1, epsilon: { float: 1e-5 } });
}
