/** What a session has to know of an ONNX model: its inputs, outputs and nodes. The weights are skipped, not decoded. */
import { DirectMLError, fieldError, list, shorten } from '../errors.js';
import { readBranches, type Branches } from './branches.js';
import { redeclared } from './declarations.js';
import {
  contentOf,
  contentsOf,
  graphOf,
  ofDimension,
  ofEntry,
  ofGraph,
  ofNode,
  ofTensor,
  ofTensorType,
  ofType,
  ofValue,
  readsOf,
  textIn,
  textsOf,
  type ModelNode,
  type ModelValue,
} from './onnx.js';
import { fieldsOf, textOf } from '../onnx/protobuf.js';
import { rewriteSlices, type Rewritten } from './rewrite.js';

export interface Model {
  /**
   * The model for onnxruntime: each dynamic dimension of an input has a name, outputs have fixed sizes or unknown ones, and there
   * are no inputs that nothing reads.
   */
  readonly bytes: Uint8Array;
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
  /** The names of the inputs that `bytes` has. */
  readonly used: ReadonlySet<string>;
  /** The inputs whose values choose parts of the graph. Null if there are none. */
  readonly branches: Branches | null;
  /** The names of the weights. */
  readonly weights: ReadonlySet<string>;
  /** The files with weights as the model names them, each with the name of one of its weights. */
  readonly files: ReadonlyMap<string, string>;
  readonly nodes: readonly ModelNode[];
  /** The nodes that others have replaced in `bytes`. */
  readonly rewritten: readonly Rewritten[];
}

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

function read(original: Uint8Array): Model {
  const { bytes: model, rewritten } = rewriteSlices(original);
  const graph = graphOf(model);
  const fields = [...fieldsOf(graph.bytes)];
  const contents = (number: number) => fields.filter((part) => part.number === number);
  const weights = new Set<string>();
  const files = new Map<string, string>();
  for (const { bytes } of contents(ofGraph.initializer)) readWeight(bytes, weights, files);
  const valuesIn = (number: number) => contents(number).map((part) => ({ part, value: readValue(part.bytes) }));
  const [inputs, outputs] = [valuesIn(ofGraph.input), valuesIn(ofGraph.output)];
  // Older models list their weights among the inputs.
  const own = inputs.map(({ value }) => value).filter(({ name }) => !weights.has(name));
  const nodes = contents(ofGraph.node).map(({ bytes }) => readNode(bytes));
  const used = new Set([...nodes.flatMap(({ inputs: read }) => read), ...outputs.map(({ value }) => value.name)]);
  const bytes = redeclared(model, graph, [...inputs, ...outputs], (name) => used.has(name) || weights.has(name));
  return {
    bytes,
    inputs: own,
    used: new Set(own.map(({ name }) => name).filter((name) => used.has(name))),
    branches: readBranches(bytes, own, nodes),
    outputs: outputs.map(({ value }) => value),
    weights,
    files,
    nodes,
    rewritten,
  };
}

function readWeight(tensor: Uint8Array, names: Set<string>, files: Map<string, string>): void {
  const name = textIn(tensor, ofTensor.name);
  names.add(name);
  for (const entry of contentsOf(tensor, ofTensor.externalData)) {
    if (textIn(entry, ofEntry.key) === 'location') files.set(textIn(entry, ofEntry.value), name);
  }
}

function readValue(value: Uint8Array): ModelValue {
  const name = textIn(value, ofValue.name);
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
    if (number === ofDimension.value && value >= 0) return value;
    if (number === ofDimension.name && bytes.length > 0) return textOf(bytes);
  }
  return undefined;
}

function readNode(node: Uint8Array): ModelNode {
  const [name, opType] = [textIn(node, ofNode.name), textIn(node, ofNode.opType)];
  return { name, opType, inputs: readsOf(node), outputs: textsOf(node, ofNode.output) };
}
