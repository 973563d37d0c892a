import { ModelWriter, sums, type Model, type Value } from '../model-writer.js';

/** The number of elements of each vector, and the number of heads into which it is split. */
interface Sizes {
  readonly width: number;
  readonly heads: number;
}

/** Attention of four heads, masked by integers as language models get them; sentences and words are dynamic dimensions. */
export function attention(): Model {
  const model = new ModelWriter('attention block', { batch: 2, length: 9 });
  const x = model.input('x', ['batch', 'length', 32]);
  const mask = model.tokens('mask', ['batch', 'length'], 2);
  const isMasked = model.node('Equal', [mask, model.integers(0)]);
  const masked = model.node('Unsqueeze', [isMasked, model.integers(1, 2)]);
  const y = addAttention(model, x, { width: 32, heads: 4 }, masked);
  model.output('y', model.node('Add', [x, y]));
  return model.finish(sums(32, 8, 9, 32));
}

/** Adds attention that ignores the words for which `isMasked`, of the shape [sentences, 1, 1, words], is true. Null for none. */
export function addAttention(model: ModelWriter, x: Value, { width, heads }: Sizes, isMasked: Value | null): Value {
  const head = width / heads;
  const split = (perm: readonly number[]): Value => {
    const parts = model.node('Reshape', [model.linear(x, width, width), model.integers(0, 0, heads, head)]);
    return model.node('Transpose', [parts], { perm });
  };
  const [queries, keys, values] = [split([0, 2, 1, 3]), split([0, 2, 3, 1]), split([0, 2, 1, 3])];
  const scores = model.node('Div', [model.node('MatMul', [queries, keys]), model.float(Math.sqrt(head))]);
  const masked = isMasked === null ? scores : model.node('Where', [isMasked, model.float(-1e9), scores]);
  const weights = model.node('Softmax', [masked], { axis: -1 });
  const joined = model.node('Transpose', [model.node('MatMul', [weights, values])], { perm: [0, 2, 1, 3] });
  return model.linear(model.node('Reshape', [joined, model.integers(0, 0, width)]), width, width);
}
