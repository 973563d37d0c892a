/**
 * Models in which the value of an input chooses a part of the graph, such as the sample rate or `use_cache_branch`. WebNN has no
 * branches, but where such an input is a constant, onnxruntime replaces the node If by one of them.
 */
import { dataTypes, graphOf, ofGraph, ofModel, ofTensor, ofValue, textsOf, type ModelNode, type ModelValue } from './onnx.js';
import { field, fieldsOf, numberField, partsWith, type Field } from './protobuf.js';

export interface Branches {
  /** The inputs that choose. Each has one element. */
  readonly inputs: readonly string[];
  /** The model with these values, by name, as constants in place of the inputs. */
  readonly choose: (values: ReadonlyMap<string, number>) => Uint8Array;
}

/** The sizes in bytes of elements of the data types that choose. */
const sizes: Readonly<Record<number, number>> = { [dataTypes.int32]: 4, [dataTypes.int64]: 8, [dataTypes.bool]: 1 };

/** Finds the inputs that choose; null if there are none. */
export function readBranches(model: Uint8Array, inputs: readonly ModelValue[], nodes: readonly ModelNode[]): Branches | null {
  const isSmall = ({ elementType, dims }: ModelValue) => elementType in sizes && (dims?.every((dim) => dim === 1) ?? false);
  const choosing = new Map(inputs.filter(isSmall).map((input) => [input.name, input]));
  const conditions = nodes.flatMap(({ opType, inputs: [condition] }) =>
    opType === 'If' && condition !== undefined ? [condition] : [],
  );
  const found = leadingTo(conditions, nodes);
  for (const name of choosing.keys()) if (!found.has(name)) choosing.delete(name);
  if (choosing.size === 0) return null;
  const choose = (values: ReadonlyMap<string, number>) => {
    const graph = graphOf(model);
    const instead = new Map<Field, Uint8Array>();
    for (const part of fieldsOf(graph.bytes)) {
      const input = part.number === ofGraph.input ? choosing.get(textsOf(part.bytes, ofValue.name)[0] ?? '') : undefined;
      if (input !== undefined) instead.set(part, constantOf(input, values.get(input.name) ?? 0));
    }
    const fresh = field(ofModel.graph, ...partsWith(graph.bytes, instead));
    return Buffer.concat(partsWith(model, new Map([[graph, fresh]])));
  };
  return { inputs: [...choosing.keys()], choose };
}

/** The names of the values from which these are computed. */
function leadingTo(values: readonly string[], nodes: readonly ModelNode[]): ReadonlySet<string> {
  const sources = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node.inputs])));
  const found = new Set<string>();
  const open = [...values];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (!found.has(name)) open.push(...(sources.get(name) ?? []));
    found.add(name);
  }
  return found;
}

/** A constant of the graph, with one element. */
function constantOf({ name, elementType, dims = [] }: ModelValue, value: number): Uint8Array {
  const raw = Buffer.alloc(8);
  raw.writeBigInt64LE(BigInt(value));
  return field(
    ofGraph.initializer,
    ...dims.map(() => numberField(ofTensor.dimension, 1)),
    numberField(ofTensor.dataType, elementType),
    field(ofTensor.name, name),
    field(ofTensor.raw, raw.subarray(0, sizes[elementType])),
  );
}
