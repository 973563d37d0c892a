import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';
import { addAttention } from './attention.js';

const [words, width, hidden] = [64, 128, 512];

/** A layer of a transformer as PyTorch writes it for opsets without LayerNormalization and Gelu: each of many nodes. */
export function transformer(): Model {
  const model = new ModelWriter('transformer block');
  const x = model.input('x', [1, words, width]);
  const attended = addAttention(model, normalization(model, x), { width, heads: 4 }, null);
  const sum = model.node('Add', [x, attended]);
  const inner = gelu(model, model.linear(normalization(model, sum), width, hidden));
  model.output('y', model.node('Add', [sum, model.linear(inner, hidden, width)]));
  return model.finish(sums(width, width, width / 4, words, width, width, width, hidden));
}

function normalization(model: ModelWriter, x: Value): Value {
  const mean = (value: Value) => model.node('ReduceMean', [value, model.integers(-1)]);
  const distance = model.node('Sub', [x, mean(x)]);
  const variance = mean(model.node('Pow', [distance, model.float(2)]));
  const deviation = model.node('Sqrt', [model.node('Add', [variance, model.float(1e-5)])]);
  const scaled = model.node('Mul', [model.node('Div', [distance, deviation]), model.floatsBetween([width], 0.5, 1.5)]);
  return model.node('Add', [scaled, model.floatsBetween([width], -0.2, 0.2)]);
}

function gelu(model: ModelWriter, x: Value): Value {
  const error = model.node('Erf', [model.node('Div', [x, model.float(Math.SQRT2)])]);
  return model.node('Mul', [model.node('Mul', [x, model.node('Add', [error, model.float(1)])]), model.float(0.5)]);
}
