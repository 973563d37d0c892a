import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';

const [words, width, texts] = [16, 96, 1024];

/** The mean of the words of a question, with the length 1, and the texts that are most like it. */
export function search(): Model {
  const model = new ModelWriter('embedding and search');
  const ids = model.tokens('words', [1, words], 500);
  const vectors = model.node('Gather', [model.weights([500, width], 3), ids]);
  const mean = model.node('ReduceMean', [vectors, model.integers(1)], { keepdims: 0 });
  const hidden = model.node('Tanh', [model.linear(mean, width, width)]);
  const scores = model.node('MatMul', [unit(model, hidden), model.weights([width, texts], width)]);
  const [best = '', places = ''] = model.nodes('TopK', [scores, model.integers(8)], 2);
  model.output('best', best);
  model.output('places', places, 'int64');
  return model.finish(sums(words, width, width, width));
}

function unit(model: ModelWriter, x: Value): Value {
  const length = model.node('Sqrt', [model.node('ReduceSum', [model.node('Mul', [x, x]), model.integers(-1)])]);
  return model.node('Div', [x, model.node('Max', [length, model.float(1e-12)])]);
}
