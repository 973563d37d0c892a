/** Makes models that onnxruntime-web takes. */
import { ofDimension, ofGraph, ofModel, ofShape, ofTensorType, ofType, ofValue, type ModelValue } from './onnx.js';
import { field, numberField, type Field } from './protobuf.js';

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
export function rewritten(
  model: Uint8Array,
  graph: Field,
  values: readonly Declared[],
  isUsed: (input: string) => boolean,
): Uint8Array {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { part, value } of values.toSorted((a, b) => a.part.start - b.part.start)) {
    const isInput = part.number === ofGraph.input;
    const isDropped = isInput && !isUsed(value.name);
    const isDynamic = value.dims?.some((dim) => typeof dim === 'string') ?? false;
    if (!isDropped && !(isInput ? value.unnamed.size > 0 : isDynamic)) continue;
    parts.push(graph.bytes.subarray(done, part.start));
    if (!isDropped) parts.push(written(part.number, isInput ? value : { ...value, dims: undefined }));
    done = part.end;
  }
  if (parts.length === 0) return model;
  const fresh = field(ofModel.graph, ...parts, graph.bytes.subarray(done));
  return Buffer.concat([model.subarray(0, graph.start), fresh, model.subarray(graph.end)]);
}

function written(number: number, { name, elementType, dims }: ModelValue): Uint8Array {
  const sizes = dims?.map((dim) =>
    field(ofShape.dimension, typeof dim === 'number' ? numberField(ofDimension.value, dim) : field(ofDimension.name, dim)),
  );
  const shape = sizes === undefined ? [] : [field(ofTensorType.shape, ...sizes)];
  const tensor = field(ofType.tensor, numberField(ofTensorType.elementType, elementType), ...shape);
  return field(number, field(ofValue.name, name), field(ofValue.type, tensor));
}
