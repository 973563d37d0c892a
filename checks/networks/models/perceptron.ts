import { ModelWriter, sums, type Model } from '../model-writer.js';

/** A multilayer perceptron: three Gemm, one with a transposed matrix, and three activations. */
export function perceptron(): Model {
  const model = new ModelWriter('multilayer perceptron');
  const x = model.input('x', [8, 32]);
  const first = model.node('Gemm', [x, model.weights([32, 64], 32), model.weights([64], 64)]);
  const second = model.node('Gemm', [model.node('Relu', [first]), model.weights([64, 64], 64), model.weights([64], 64)], {
    transB: 1,
    alpha: { float: 0.5 },
  });
  const logits = model.node('Gemm', [model.node('Tanh', [second]), model.weights([64, 10], 64), model.weights([10], 10)]);
  model.output('probabilities', model.node('Softmax', [logits], { axis: -1 }));
  return model.finish(sums(32, 64, 64));
}
