/** What a session has to know of an ONNX model: its inputs, outputs and nodes. The weights are skipped, not decoded. */
import { DirectMLError, fieldError, list, shorten } from '../errors.js';
import { field, fieldsOf, numberField, textOf, type Field } from './protobuf.js';

/** An input or output. */
export interface ModelValue {
  readonly name: string;
  /** The number of the data type in onnx.proto; 0 for sequences and maps. */
  readonly elementType: number;
  /** A size, or the name of a dynamic dimension. Undefined if the model does not say how many dimensions there are. */
  readonly dims: readonly (number | string)[] | undefined;
  /** The dynamic dimensions that have no name in the file. */
  readonly unnamed: ReadonlySet<number>;
}

export interface ModelNode {
  readonly name: string;
  readonly opType: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface Model {
  /** The model for onnxruntime: each dynamic dimension of an input has a name, and outputs have fixed sizes or unknown ones. */
  readonly bytes: Uint8Array;
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
  /** The names of the weights. */
  readonly weights: ReadonlySet<string>;
  /** The files that have weights, relative to the model. */
  readonly files: readonly string[];
  readonly nodes: readonly ModelNode[];
}

// The numbers of fields in onnx.proto.
const ofModel = { graph: 7 };
const ofGraph = { node: 1, initializer: 5, input: 11, output: 12 };
const ofNode = { input: 1, output: 2, name: 3, opType: 4 };
const ofTensor = { name: 8, externalData: 13 };
const ofValue = { name: 1, type: 2 };
const ofType = { tensor: 1 };
const ofTensorType = { elementType: 1, shape: 2 };
const ofShape = { dimension: 1 };
const ofDimension = { value: 1, name: 2 };
const ofEntry = { key: 1, value: 2 };

/** @throws {DirectMLError} ERR_INVALID_FILE if the bytes are not an ONNX model. `place` is its file, or the argument. */
export function readModel(bytes: Uint8Array, place: string): Model {
  try {
    return read(bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const details = { cause, why: cause.message };
    throw fieldError(
      'ERR_INVALID_FILE',
      { operator: 'InferenceSession.create', field: place },
      'an ONNX model',
      'other bytes',
      details,
    );
  }
}

/**
 * The sizes of the dynamic dimensions for these inputs, by name.
 *
 * @throws {DirectMLError} ERR_MISSING_BINDING, ERR_DIMENSION_COUNT, ERR_SIZES.
 */
export function dimensionsOf(
  { inputs }: Model,
  feeds: Readonly<Record<string, { readonly dims: readonly number[] } | undefined>>,
): Readonly<Record<string, number>> {
  const sizes = new Map<string, { readonly size: number; readonly from: string }>();
  for (const { name, dims } of inputs) {
    const given = Object.hasOwn(feeds, name) ? feeds[name]?.dims : undefined;
    const place = { operator: 'session.run', field: `feeds[${JSON.stringify(shorten(name))}]` };
    if (given === undefined)
      throw new DirectMLError('ERR_MISSING_BINDING', `session.run: input '${shorten(name)}' is missing in 'feeds'`, place);
    if (dims === undefined) continue;
    if (given.length !== dims.length) throw fieldError('ERR_DIMENSION_COUNT', place, `sizes ${list(dims)}`, list(given));
    for (const [axis, dim] of dims.entries()) {
      const size = given[axis] ?? 0;
      const known = typeof dim === 'number' ? { size: dim, from: undefined } : sizes.get(dim);
      if (known !== undefined && known.size !== size) {
        const why =
          known.from === undefined ? undefined : `'${shorten(String(dim))}' is ${known.size} in input '${shorten(known.from)}'`;
        throw fieldError('ERR_SIZES', place, `sizes ${list(dims)}`, list(given), { why });
      }
      if (typeof dim === 'string') sizes.set(dim, { size, from: name });
    }
  }
  return Object.fromEntries(Array.from(sizes, ([name, { size }]) => [name, size]));
}

function read(model: Uint8Array): Model {
  const graph = [...fieldsOf(model)].find(({ number }) => number === ofModel.graph);
  if (graph === undefined) throw new RangeError('there is no graph');
  const fields = [...fieldsOf(graph.bytes)];
  const contents = (number: number) => fields.filter((part) => part.number === number);
  const weights = new Set<string>();
  const files = new Set<string>();
  for (const { bytes } of contents(ofGraph.initializer)) readWeight(bytes, weights, files);
  const valuesIn = (number: number) => contents(number).map((part) => ({ part, value: readValue(part.bytes) }));
  const [inputs, outputs] = [valuesIn(ofGraph.input), valuesIn(ofGraph.output)];
  return {
    bytes: rewritten(model, graph, inputs, outputs),
    // Older models list their weights among the inputs.
    inputs: inputs.map(({ value }) => value).filter(({ name }) => !weights.has(name)),
    outputs: outputs.map(({ value }) => value),
    weights,
    files: [...files],
    nodes: contents(ofGraph.node).map(({ bytes }) => readNode(bytes)),
  };
}

function readWeight(tensor: Uint8Array, names: Set<string>, files: Set<string>): void {
  for (const { number, bytes } of fieldsOf(tensor)) {
    if (number === ofTensor.name) names.add(textOf(bytes));
    if (number !== ofTensor.externalData) continue;
    const entry = new Map(Array.from(fieldsOf(bytes), (part) => [part.number, textOf(part.bytes)]));
    const file = entry.get(ofEntry.value);
    if (entry.get(ofEntry.key) === 'location' && file !== undefined) files.add(file);
  }
}

function readValue(value: Uint8Array): ModelValue {
  const name = textOf(contentOf(value, ofValue.name) ?? new Uint8Array());
  const tensor = contentOf(value, ofValue.type, ofType.tensor) ?? new Uint8Array();
  const elementType = [...fieldsOf(tensor)].find(({ number }) => number === ofTensorType.elementType)?.value ?? 0;
  const shape = contentOf(tensor, ofTensorType.shape);
  const sizes = shape && Array.from(fieldsOf(shape), ({ bytes }) => readDimension(bytes));
  const unnamed = new Set(sizes?.flatMap((size, axis) => (size === undefined ? axis : [])));
  return { name, elementType, dims: sizes?.map((size, axis) => size ?? `${name}[${axis}]`), unnamed };
}

/** Undefined for a dynamic dimension without a name. */
function readDimension(dimension: Uint8Array): number | string | undefined {
  for (const { number, value, bytes } of fieldsOf(dimension)) {
    // Some programs write -1 for a dynamic dimension.
    if (number === ofDimension.value && value < 2 ** 53) return value;
    if (number === ofDimension.name && bytes.length > 0) return textOf(bytes);
  }
  return undefined;
}

function readNode(node: Uint8Array): ModelNode {
  const fields = [...fieldsOf(node)];
  const texts = (wanted: number) => fields.filter(({ number }) => number === wanted).map(({ bytes }) => textOf(bytes));
  const [[name = ''], [opType = '']] = [texts(ofNode.name), texts(ofNode.opType)];
  return { name, opType, inputs: texts(ofNode.input), outputs: texts(ofNode.output) };
}

/** An input or output, and its place in the graph. */
interface Declared {
  readonly part: Field;
  readonly value: ModelValue;
}

/**
 * onnxruntime sets sizes by the names of dimensions only, so those of inputs without a name get one. Dynamic sizes of outputs are
 * left out: onnxruntime-web refuses wrong ones, which onnxruntime-node only warns of. Nothing is copied if nothing changes.
 */
function rewritten(model: Uint8Array, graph: Field, inputs: readonly Declared[], outputs: readonly Declared[]): Uint8Array {
  const changed = [
    ...inputs.filter(({ value }) => value.unnamed.size > 0),
    ...outputs
      .filter(({ value: { dims = [] } }) => dims.some((dim) => typeof dim === 'string'))
      .map(({ part, value }) => ({ part, value: { ...value, dims: undefined } })),
  ].sort((a, b) => a.part.start - b.part.start);
  if (changed.length === 0) return model;
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { part, value } of changed) {
    parts.push(graph.bytes.subarray(done, part.start), written(part.number, value));
    done = part.end;
  }
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

/** The content of the field with these numbers, from the outside in. The last one counts if there are several. */
function contentOf(message: Uint8Array, ...numbers: readonly number[]): Uint8Array | undefined {
  let content: Uint8Array | undefined = message;
  for (const wanted of numbers) {
    content = content && Array.from(fieldsOf(content)).findLast(({ number }) => number === wanted)?.bytes;
  }
  return content;
}
