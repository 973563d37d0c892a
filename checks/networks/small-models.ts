/** Small ONNX models. */
import { onnx } from 'onnx-proto';
import { Tensor } from 'onnxruntime-web/webgpu';
import { ModelWriter, sums, type Model } from './model-writer.js';

export type { Model };

const width = 16;

/** Adds two inputs that share both dimensions, and computes a layer. The sizes are those of the feeds; the weights are the same. */
export const sharedDimensions = once((batch: number, length: number): Model => {
  const model = new ModelWriter('shared dimensions', { batch, length });
  const words = model.weights([50, width], 1);
  const weights = model.weights([width, width], width);
  const ids = model.tokens('ids', ['batch', 'length'], 50);
  const mask = model.input('mask', ['batch', 'length']);
  const scaled = model.node('Mul', [model.node('Gather', [words, ids]), model.node('Unsqueeze', [mask, model.integers(2)])]);
  model.output('y', model.node('MatMul', [scaled, weights]));
  return model.finish(sums(width, width));
});

/** A layer of an input whose dynamic dimensions have no names. */
export const unnamedDimensions = once((rows: number, columns: number): Model => {
  const model = new ModelWriter('unnamed dimensions', { '': rows, ' ': columns });
  const weights = model.weights([4, 3], 4);
  model.output('y', model.node('MatMul', [model.input('x', ['', ' ', 4]), weights]));
  const { bytes, ...rest } = model.finish(sums(4));
  const decoded = onnx.ModelProto.decode(bytes);
  for (const dim of decoded.graph?.input?.[0]?.type?.tensorType?.shape?.dim ?? [])
    if (dim.dimParam?.trim() === '') dim.dimParam = null;
  return { ...rest, bytes: onnx.ModelProto.encode(decoded).finish() };
});

/** The model with an output that is said to have one dynamic dimension. */
export function wrongOutput({ bytes, ...rest }: Model): Model {
  const decoded = onnx.ModelProto.decode(bytes);
  const [output] = decoded.graph?.output ?? [];
  const type = { tensorType: { elemType: onnx.TensorProto.DataType.FLOAT, shape: { dim: [{ dimParam: 'rows' }] } } };
  if (output) output.type = onnx.TypeProto.fromObject(type);
  return { ...rest, bytes: onnx.ModelProto.encode(decoded).finish() };
}

/** A layer with 1 MiB of weights. */
export const largeLayer = once((rows: number): Model => {
  const model = new ModelWriter('large layer', { rows });
  const weights = model.weights([512, 512], 512);
  model.output('y', model.node('MatMul', [model.input('x', ['rows', 512]), weights]));
  return model.finish(sums(512));
});

/** DirectML has no Det, so JavaScript computes a node in the middle. */
export function withDeterminant(): Model {
  const model = new ModelWriter('determinant');
  const x = model.node('Sigmoid', [model.input('x', [5, 3, 3])]);
  model.output('y', model.node('Exp', [model.node('Det', [x])]));
  return model.finish(sums(30));
}

/** A model with an operator that no runtime has. */
export function withoutOperator(): Model {
  return nodeModel({ name: 'odd', opType: 'Odd', input: ['x'], output: ['y'] });
}

/** A model with random numbers, which DirectML has in another order, so that only onnxruntime computes it. */
export function withRandomNumbers(): Model {
  return nodeModel(
    { name: 'random', opType: 'RandomUniformLike', input: ['x'], output: ['r'] },
    { name: 'zero', opType: 'Sub', input: ['r', 'r'], output: ['z'] },
    { name: 'sum', opType: 'Add', input: ['x', 'z'], output: ['y'] },
  );
}

/** Nodes from `x` to `y`, which have three floats. */
function nodeModel(...node: onnx.INodeProto[]): Model {
  const type = { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 3 }] } } };
  const graph = { name: 'g', node, input: [{ name: 'x', type }], output: [{ name: 'y', type }] };
  const bytes = onnx.ModelProto.encode({ irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph }).finish();
  return { bytes, feeds: { x: new Tensor('float32', [1, 2, 3], [3]) }, dimensions: {}, tolerance: 0 };
}

/** Makes each model once, so that its results on onnxruntime's wasm are computed once. */
function once<Sizes extends readonly number[]>(make: (...sizes: Sizes) => Model): (...sizes: Sizes) => Model {
  const made = new Map<string, Model>();
  return (...sizes) => {
    const model = made.get(sizes.join()) ?? make(...sizes);
    made.set(sizes.join(), model);
    return model;
  };
}

/** `y = x + w`, whose four weights are in other files at these paths, with further entries of their external data. */
export function withExternalWeights(...locations: readonly (string | readonly onnx.IStringStringEntryProto[])[]): Uint8Array {
  const type = { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 4 }] } } };
  const entries = locations.map((location) => (typeof location === 'string' ? [{ key: 'location', value: location }] : location));
  const last = entries.length - 1;
  const value = (i: number) => (i < 0 ? 'x' : i === last ? 'y' : `sum${i}`);
  const graph = {
    name: 'external weights',
    initializer: entries.map((externalData, i) => ({
      ...{ name: `w${i}`, dataType: 1, dims: [4] },
      ...{ dataLocation: onnx.TensorProto.DataLocation.EXTERNAL, externalData: [...externalData] },
    })),
    node: entries.map((_, i) => ({ opType: 'Add', input: [value(i - 1), `w${i}`], output: [value(i)] })),
    input: [{ name: 'x', type }],
    output: [{ name: 'y', type }],
  };
  return onnx.ModelProto.encode({ irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph }).finish();
}
