/** Declares the inputs and outputs of a model as onnxruntime-web needs them. */
import { ofDimension, ofGraph, ofShape, ofTensorType, ofType, ofValue, withParts, type ModelValue } from './onnx.js';
import { field, numberField, type Field } from '../onnx/protobuf.js';

/** An input or output, and its place in the graph. */
interface Declared {
  readonly part: Field;
  readonly value: ModelValue;
}

/**
 * onnxruntime sets sizes by the names of dimensions only, so those of inputs without a name get one. Dynamic sizes of outputs are
 * left out: onnxruntime-web refuses wrong ones, which onnxruntime-node only warns of. So are inputs that nothing reads, which it
 * gives to a graph that does not have them. Nothing is copied if nothing changes.
 */
export function redeclared(
  model: Uint8Array,
  graph: Field,
  values: readonly Declared[],
  isUsed: (input: string) => boolean,
): Uint8Array {
  const instead = new Map<Field, Uint8Array>();
  for (const { part, value } of values) {
    const isInput = part.number === ofGraph.input;
    const isDynamic = value.dims?.some((dim) => typeof dim === 'string') ?? false;
    if (isInput && !isUsed(value.name)) instead.set(part, new Uint8Array());
    else if (isInput ? value.unnamed.size > 0 : isDynamic)
      instead.set(part, written(part.number, isInput ? value : { ...value, dims: undefined }));
  }
  if (instead.size === 0) return model;
  return withParts(model, graph, instead);
}

function written(number: number, { name, elementType, dims }: ModelValue): Uint8Array {
  const sizes = dims?.map((dim) =>
    field(ofShape.dimension, typeof dim === 'number' ? numberField(ofDimension.value, dim) : field(ofDimension.name, dim)),
  );
  const shape = sizes === undefined ? [] : [field(ofTensorType.shape, ...sizes)];
  const tensor = field(ofType.tensor, numberField(ofTensorType.elementType, elementType), ...shape);
  return field(number, field(ofValue.name, name), field(ofValue.type, tensor));
}
