/** The parts of onnx.proto that are needed here: the numbers of fields and data types, and ways to read them. */
import { field, fieldsOf, partsWith, textOf, type Field } from '../onnx/protobuf.js';

export const ofModel = { graph: 7, opset: 8, functions: 25 };
export const ofOpset = { domain: 1, version: 2 };
export const ofGraph = { node: 1, initializer: 5, input: 11, output: 12 };
export const ofNode = { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 };
export const ofAttribute = { name: 1, tensor: 5, graph: 6, integers: 8, graphs: 11, type: 20 };
export const ofTensor = { dimension: 1, dataType: 2, int64: 7, name: 8, raw: 9, externalData: 13 };
export const ofValue = { name: 1, type: 2 };
export const ofType = { tensor: 1 };
export const ofTensorType = { elementType: 1, shape: 2 };
export const ofShape = { dimension: 1 };
export const ofDimension = { value: 1, name: 2 };
export const ofEntry = { key: 1, value: 2 };

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
  /** The values that it reads, also in the graphs of its branches and loops. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The contents of all fields with this number. */
export function contentsOf(message: Uint8Array, wanted: number): readonly Uint8Array[] {
  return Array.from(fieldsOf(message))
    .filter(({ number }) => number === wanted)
    .map(({ bytes }) => bytes);
}

export function textsOf(message: Uint8Array, wanted: number): readonly string[] {
  return contentsOf(message, wanted).map(textOf);
}

/** The content of the field with these numbers, from the outside in. The last one counts if there are several. */
export function contentOf(message: Uint8Array, ...numbers: readonly number[]): Uint8Array | undefined {
  let content: Uint8Array | undefined = message;
  for (const wanted of numbers) {
    content = content && Array.from(fieldsOf(content)).findLast(({ number }) => number === wanted)?.bytes;
  }
  return content;
}

/** The text of a field. The last one counts if there are several; empty if there is none. */
export function textIn(message: Uint8Array, wanted: number): string {
  return textOf(contentOf(message, wanted) ?? new Uint8Array());
}

/** The graphs in the attributes of a node. */
export function graphsOf(node: Uint8Array): readonly Uint8Array[] {
  return contentsOf(node, ofNode.attribute).flatMap((attribute) => [
    ...contentsOf(attribute, ofAttribute.graph),
    ...contentsOf(attribute, ofAttribute.graphs),
  ]);
}

/** How deep graphs may be in nodes of each other. onnxruntime itself refuses more than 100 messages in each other. */
const deepest = 64;

/** The values that a node reads, also in its graphs. @throws {RangeError} if they are too deep in each other. */
export function readsOf(node: Uint8Array, depth = 0): readonly string[] {
  if (depth > deepest) throw new RangeError(`there are more than ${deepest} graphs in each other`);
  return [...textsOf(node, ofNode.input), ...graphsOf(node).flatMap((graph) => readsOfGraph(graph, depth))];
}

/** The values of other graphs that a graph reads. */
function readsOfGraph(graph: Uint8Array, depth: number): readonly string[] {
  const names = (part: number, name: number) => contentsOf(graph, part).flatMap((bytes) => textsOf(bytes, name));
  const own = new Set([
    ...names(ofGraph.input, ofValue.name),
    ...names(ofGraph.initializer, ofTensor.name),
    ...names(ofGraph.node, ofNode.output),
  ]);
  const nodes = contentsOf(graph, ofGraph.node);
  const read = [...nodes.flatMap((node) => readsOf(node, depth + 1)), ...names(ofGraph.output, ofValue.name)];
  return read.filter((name) => !own.has(name));
}

/** The graph of a model. @throws {RangeError} if there is none. */
export function graphOf(model: Uint8Array): Field {
  const graph = [...fieldsOf(model)].find(({ number }) => number === ofModel.graph);
  if (graph === undefined) throw new RangeError('there is no graph');
  return graph;
}

/** The model with other bytes instead of some fields of its graph. */
export function withParts(model: Uint8Array, graph: Field, instead: ReadonlyMap<Field, Uint8Array>): Uint8Array {
  return Buffer.concat(partsWith(model, new Map([[graph, field(ofModel.graph, ...partsWith(graph.bytes, instead))]])));
}
