/** The messages of onnx.proto that a model needs, read from its bytes. */
import { bitsOf } from '../tensors/data-types.js';
import { shorten } from '../values/errors.js';
import { spanInBytes } from '../tensors/tensor-size.js';
import { elementTypeName, elementTypeOf, type ElementType } from './element-types.js';
import { bytesFrom } from './make-data.js';
import { bigintsOf, doublesOf, fieldsOf, floatsOf, numbersOf, textOf, type Field } from './protobuf.js';

export interface ModelProto {
  readonly graph: GraphProto;
  /** The version of each domain; `''` is ai.onnx. */
  readonly opsets: ReadonlyMap<string, number>;
  /** By `domain:name`. */
  readonly functions: ReadonlyMap<string, FunctionProto>;
}

export interface GraphProto {
  readonly name: string;
  readonly nodes: readonly NodeProto[];
  readonly initializers: ReadonlyMap<string, TensorProto>;
  readonly inputs: readonly ValueProto[];
  readonly outputs: readonly ValueProto[];
}

export interface FunctionProto {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly NodeProto[];
  readonly opsets: ReadonlyMap<string, number>;
  /** The attributes that a node may leave out. */
  readonly defaults: ReadonlyMap<string, AttributeProto>;
}

export interface NodeProto {
  readonly name: string;
  readonly opType: string;
  readonly domain: string;
  /** An empty name stands for an input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, AttributeProto>;
  /** True if the node before computes it, too. */
  readonly isFolded?: boolean;
}

export interface AttributeProto {
  readonly name: string;
  /** The attribute of the enclosing function that it takes its value from; empty for none. */
  readonly reference: string;
  readonly float: number | undefined;
  readonly int: number | undefined;
  readonly text: string | undefined;
  readonly tensor: TensorProto | undefined;
  readonly graph: GraphProto | undefined;
  readonly floats: readonly number[];
  readonly ints: readonly number[];
  readonly texts: readonly string[];
}

export interface ValueProto {
  readonly name: string;
  readonly kind: 'tensor' | 'sequence' | 'optional' | 'other';
  /** 0 for what is no tensor. */
  readonly elementType: number;
  /** A size, the name of a dimension, or null for one without a name; undefined if the rank is unknown. */
  readonly dims: readonly (number | string | null)[] | undefined;
}

export interface TensorProto {
  readonly name: string;
  readonly elementType: number;
  readonly dims: readonly number[];
  /** Where the elements lie, if that is another file. */
  readonly external: ReadonlyMap<string, string> | null;
  /** The elements of a string tensor. */
  readonly texts: readonly string[];
  /** The elements, packed in little endian. @throws {RangeError} if they are others than the tensor has. */
  readonly bytes: () => Uint8Array;
  /** What the floats at each place of the first dimension are multiplied by when they are loaded. */
  readonly factors?: Float64Array;
}

/** How deep graphs may be in nodes of each other. */
const deepest = 64;

/** @throws {RangeError} if the bytes are no model. */
export function readModel(bytes: Uint8Array): ModelProto {
  const { graph, functions, opsets } = fieldsByNumber(bytes, { graph: 7, opsets: 8, functions: 25 });
  const [own] = graph.slice(-1);
  if (own === undefined) throw new RangeError('there is no graph');
  const read = functions.map((field) => readFunction(field.bytes));
  return { graph: readGraph(own.bytes, 0), opsets: readOpsets(opsets), functions: new Map(read) };
}

function readGraph(bytes: Uint8Array, depth: number): GraphProto {
  if (depth > deepest) throw new RangeError(`there are more than ${deepest} graphs in each other`);
  const fields = fieldsByNumber(bytes, { nodes: 1, name: 2, initializers: 5, inputs: 11, outputs: 12, sparse: 15 });
  if (fields.sparse.length > 0) throw new RangeError('there are sparse weights, which are not supported');
  const initializers = fields.initializers.map((field) => readTensor(field.bytes));
  return {
    name: textIn(fields.name),
    nodes: fields.nodes.map((field) => readNode(field.bytes, depth)),
    initializers: new Map(initializers.map((tensor) => [tensor.name, tensor])),
    inputs: fields.inputs.map((field) => readValue(field.bytes)),
    outputs: fields.outputs.map((field) => readValue(field.bytes)),
  };
}

/** All names that a node reads, also in its graphs. */
export function readsOf({ inputs, attributes }: NodeProto): readonly string[] {
  const inner = [...attributes.values()].flatMap(({ graph }) =>
    graph === undefined ? [] : [...graph.nodes.flatMap(readsOf), ...graph.outputs.map(({ name }) => name)],
  );
  return [...inputs, ...inner];
}

function readFunction(bytes: Uint8Array): readonly [key: string, FunctionProto] {
  const numbers = { name: 1, inputs: 4, outputs: 5, nodes: 7, opsets: 9, domain: 10, defaults: 11 };
  const fields = fieldsByNumber(bytes, numbers);
  const defaults = fields.defaults.map((field) => readAttribute(field.bytes, 0));
  return [
    `${textIn(fields.domain)}:${textIn(fields.name)}`,
    {
      inputs: textsOf(fields.inputs),
      outputs: textsOf(fields.outputs),
      nodes: fields.nodes.map((field) => readNode(field.bytes, 0)),
      opsets: readOpsets(fields.opsets),
      defaults: new Map(defaults.map((attribute) => [attribute.name, attribute])),
    },
  ];
}

function readOpsets(fields: readonly Field[]): ReadonlyMap<string, number> {
  const read = fields.map(({ bytes }) => fieldsByNumber(bytes, { domain: 1, version: 2 }));
  return new Map(read.map(({ domain, version }) => [domainIn(domain), version.at(-1)?.value ?? 1]));
}

function readNode(bytes: Uint8Array, depth: number): NodeProto {
  const fields = fieldsByNumber(bytes, { inputs: 1, outputs: 2, name: 3, opType: 4, attributes: 5, domain: 7 });
  const attributes = fields.attributes.map((field) => readAttribute(field.bytes, depth));
  return {
    name: textIn(fields.name),
    opType: textIn(fields.opType),
    domain: domainIn(fields.domain),
    inputs: textsOf(fields.inputs),
    outputs: textsOf(fields.outputs),
    attributes: new Map(attributes.map((attribute) => [attribute.name, attribute])),
  };
}

function readAttribute(bytes: Uint8Array, depth: number): AttributeProto {
  const numbers = { name: 1, float: 2, int: 3, text: 4, tensor: 5, graph: 6, floats: 7, ints: 8, texts: 9, reference: 21 };
  const fields = fieldsByNumber(bytes, numbers);
  const [tensor, graph] = [fields.tensor.at(-1), fields.graph.at(-1)];
  return {
    name: textIn(fields.name),
    reference: textIn(fields.reference),
    float: fields.float.flatMap(floatsOf).at(-1),
    int: fields.int.at(-1)?.value,
    text: fields.text.length === 0 ? undefined : textIn(fields.text),
    tensor: tensor && readTensor(tensor.bytes),
    graph: graph && readGraph(graph.bytes, depth + 1),
    floats: fields.floats.flatMap(floatsOf),
    ints: fields.ints.flatMap(numbersOf),
    texts: textsOf(fields.texts),
  };
}

function readValue(bytes: Uint8Array): ValueProto {
  const { name, type } = fieldsByNumber(bytes, { name: 1, type: 2 });
  const kinds = { tensor: 1, sequence: 4, optional: 9 };
  const { tensor, sequence, optional } = fieldsByNumber(type.at(-1)?.bytes ?? new Uint8Array(), kinds);
  const { elementType, shape } = fieldsByNumber(tensor.at(-1)?.bytes ?? new Uint8Array(), { elementType: 1, shape: 2 });
  const sizes = shape.at(-1);
  return {
    name: textIn(name),
    kind: tensor.length > 0 ? 'tensor' : sequence.length > 0 ? 'sequence' : optional.length > 0 ? 'optional' : 'other',
    elementType: elementType.at(-1)?.value ?? 0,
    dims: sizes && fieldsByNumber(sizes.bytes, { dims: 1 }).dims.map((field) => readDimension(field.bytes)),
  };
}

function readDimension(bytes: Uint8Array): number | string | null {
  const { value, name } = fieldsByNumber(bytes, { value: 1, name: 2 });
  const size = value.at(-1)?.value;
  // Some programs write -1 for a dynamic dimension.
  if (size !== undefined && size >= 0) return size;
  return name.length === 0 || textIn(name) === '' ? null : textIn(name);
}

/** @throws {RangeError} if the bytes are no tensor. */
export function readTensor(bytes: Uint8Array): TensorProto {
  const numbers = {
    ...{ dims: 1, dataType: 2, floats: 4, int32s: 5, texts: 6, int64s: 7, name: 8, raw: 9, doubles: 10, uint64s: 11 },
    ...{ external: 13, location: 14 },
  };
  const fields = fieldsByNumber(bytes, numbers);
  const elementType = fields.dataType.at(-1)?.value ?? 0;
  const dims = fields.dims.flatMap(numbersOf);
  const name = textIn(fields.name);
  const wrong = dims.find((size) => !(size >= 0 && size < 2 ** 53));
  if (wrong !== undefined) throw new RangeError(`tensor '${shorten(name)}' has a size of ${wrong}`);
  const entries = fields.external.map((field) => fieldsByNumber(field.bytes, { key: 1, value: 2 }));
  const isExternal = fields.location.at(-1)?.value === 1;
  return {
    name,
    elementType,
    dims,
    external: isExternal ? new Map(entries.map(({ key, value }) => [textIn(key), textIn(value)])) : null,
    texts: textsOf(fields.texts),
    bytes() {
      const type = elementTypeOf(elementType);
      if (type === undefined) throw new RangeError(`tensor '${shorten(name)}' has the data type ${elementTypeName(elementType)}`);
      const size = spanInBytes(type.dataType, dims, null);
      const raw = fields.raw.at(-1)?.bytes;
      const data = raw !== undefined && raw.length > 0 ? raw : encoded(type, fields);
      if (data.length !== size) throw new RangeError(`tensor '${shorten(name)}' has ${data.length} bytes instead of ${size}`);
      return data;
    },
  };
}

type TypedFields = Readonly<Record<'floats' | 'int32s' | 'int64s' | 'doubles' | 'uint64s', readonly Field[]>>;

/** Elements that are not in `raw_data`. int32_data also holds smaller integers, bits of float16, and pairs of 4-bit integers. */
function encoded({ dataType }: ElementType, { floats, int32s, int64s, doubles, uint64s }: TypedFields): Uint8Array {
  if (dataType === 'float32') return bytesFrom(dataType, floats.flatMap(floatsOf));
  if (dataType === 'float64') return bytesFrom(dataType, doubles.flatMap(doublesOf));
  if (dataType === 'int64') return bytesFrom(dataType, int64s.flatMap(bigintsOf));
  if (dataType === 'uint64') return bytesFrom(dataType, uint64s.flatMap(bigintsOf));
  if (dataType === 'uint32') return bytesFrom(dataType, uint64s.flatMap(numbersOf));
  const bits = dataType === 'float16' ? 'uint16' : bitsOf(dataType) < 8 ? 'uint8' : dataType;
  return bytesFrom(bits, int32s.flatMap(numbersOf));
}

/** The fields with these numbers, by the names given to them. */
function fieldsByNumber<Name extends string>(
  bytes: Uint8Array,
  numbers: Readonly<Record<Name, number>>,
): Readonly<Record<Name, readonly Field[]>> {
  const found = new Map<number, Field[]>(Object.values<number>(numbers).map((number) => [number, []]));
  for (const field of fieldsOf(bytes)) found.get(field.number)?.push(field);
  const entries = Object.entries<number>(numbers).map(([name, number]) => [name, found.get(number) ?? []]);
  return Object.fromEntries(entries) as Record<Name, Field[]>;
}

/** The last one counts if there are several; empty if there is none. */
function textIn(fields: readonly Field[]): string {
  return textOf(fields.at(-1)?.bytes ?? new Uint8Array());
}

function domainIn(fields: readonly Field[]): string {
  const name = textIn(fields);
  return name === 'ai.onnx' ? '' : name;
}

function textsOf(fields: readonly Field[]): readonly string[] {
  return fields.map(({ bytes }) => textOf(bytes));
}
