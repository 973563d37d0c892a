/**
 * Models in which the value of an input chooses a part of the graph, such as the sample rate or `use_cache_branch`. WebNN has no
 * branches, but where such an input is a constant, onnxruntime replaces the node If by one of them.
 */
import { partOfBytes } from '../data-types/bytes.js';
import { typeNameOf } from './metadata.js';
import { graphOf, ofGraph, ofTensor, ofValue, textIn, withParts, type ModelNode, type ModelValue } from './onnx.js';
import { field, fieldsOf, numberField, type Field } from '../onnx/protobuf.js';

export interface Branches {
  /** The inputs that choose. Each has one element. */
  readonly inputs: readonly string[];
  /** The model with these values, by name, as constants in place of the inputs. */
  readonly choose: (values: ReadonlyMap<string, bigint>) => Uint8Array;
}

/** The sizes in bytes of elements of the data types that choose. */
const sizes: Readonly<Record<string, number>> = { int32: 4, int64: 8, bool: 1 };

/** Finds the inputs that choose; null if there are none. */
export function readBranches(model: Uint8Array, inputs: readonly ModelValue[], nodes: readonly ModelNode[]): Branches | null {
  const conditions = nodes.flatMap(({ opType, inputs: [condition] }) =>
    opType === 'If' && condition !== undefined ? [condition] : [],
  );
  const found = leadingTo(conditions, nodes);
  const isSmall = (input: ModelValue) => sizeOf(input) !== undefined && (input.dims?.every((dim) => dim === 1) ?? false);
  const choosing = new Map(inputs.filter((input) => found.has(input.name) && isSmall(input)).map((input) => [input.name, input]));
  if (choosing.size === 0) return null;
  const choose = (values: ReadonlyMap<string, bigint>) => {
    const graph = graphOf(model);
    const instead = new Map<Field, Uint8Array>();
    for (const part of fieldsOf(graph.bytes)) {
      const input = part.number === ofGraph.input ? choosing.get(textIn(part.bytes, ofValue.name)) : undefined;
      if (input !== undefined) instead.set(part, constantOf(input, values.get(input.name) ?? 0n));
    }
    return withParts(model, graph, instead);
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

/** The size of an element in bytes; undefined if its data type cannot choose. */
function sizeOf({ elementType }: ModelValue): number | undefined {
  return sizes[typeNameOf(elementType) ?? ''];
}

/** A constant of the graph, with one element. */
function constantOf(input: ModelValue, value: bigint): Uint8Array {
  const { name, elementType, dims = [] } = input;
  const raw = Buffer.alloc(8);
  raw.writeBigInt64LE(value);
  return field(
    ofGraph.initializer,
    ...dims.map(() => numberField(ofTensor.dimension, 1)),
    numberField(ofTensor.dataType, elementType),
    field(ofTensor.name, name),
    field(ofTensor.raw, partOfBytes(raw, 0, sizeOf(input))),
  );
}
