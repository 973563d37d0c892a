/** Small ONNX models, written node by node. */
import { onnx } from 'onnx-proto';

type Type = keyof typeof types;
const types = {
  ...{ float32: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11 },
  ...{ uint32: 12, uint64: 13 },
} as const;

/** A node as text and attributes: `['Add', 'a b', 'sum', { axis: 1 }]`. */
export type NodeLine = readonly [
  opType: string,
  inputs: string,
  outputs: string,
  attributes?: Readonly<Record<string, Attribute>>,
];
/** A whole number is an integer; text is a string; a list has integers; a graph is that of a branch or a loop. */
export type Attribute =
  | (number | string | readonly number[] | SmallGraph)
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly texts: readonly string[] }
  | { readonly tensor: Weight };
/** Inputs and outputs as text: `'float32 x [2,n]; int64 k []'`. The type `?` is left to the reader. */
export interface SmallGraph {
  readonly inputs?: string;
  readonly outputs: string;
  readonly nodes: readonly NodeLine[];
  readonly weights?: Readonly<Record<string, Weight>>;
}
/** Elements of float16 are their bits. */
export type Weight = readonly [type: Type, dims: readonly number[], elements: readonly number[]];

/** The bytes of a model. */
export function smallModel(graph: SmallGraph, opset = 21, functions: readonly onnx.IFunctionProto[] = []): Uint8Array {
  const opsetImport = [
    { domain: '', version: opset },
    { domain: 'com.microsoft', version: 1 },
    { domain: 'ai.onnx.ml', version: 3 },
    ...functions.map(({ domain = null }) => ({ domain, version: 1 })),
  ];
  return onnx.ModelProto.encode({ irVersion: 10, opsetImport, graph: graphOf(graph), functions: [...functions] }).finish();
}

function graphOf({ inputs = '', outputs, nodes, weights = {} }: SmallGraph): onnx.IGraphProto {
  return {
    name: 'small',
    input: valuesOf(inputs),
    output: valuesOf(outputs),
    node: nodes.map(nodeOf),
    initializer: Object.entries(weights).map(([name, weight]) => weightOf(name, weight)),
  };
}

export function nodeOf([opType, inputs, outputs, attributes = {}]: NodeLine): onnx.INodeProto {
  const [domain = '', type = ''] = opType.includes(':') ? opType.split(':') : ['', opType];
  const namesOf = (text: string) => (text === '' ? [] : text.split(' ').map((name) => (name === '-' ? '' : name)));
  const attribute = Object.entries(attributes).map(([name, value]) => attributeOf(name, value));
  return { name: `${type} of ${outputs}`, opType: type, domain, input: namesOf(inputs), output: namesOf(outputs), attribute };
}

function attributeOf(name: string, value: Attribute): onnx.IAttributeProto {
  const { AttributeType } = onnx.AttributeProto;
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: value };
  if (typeof value === 'string') return { name, type: AttributeType.STRING, s: Buffer.from(value) };
  if ('float' in value) return { name, type: AttributeType.FLOAT, f: value.float };
  if ('floats' in value) return { name, type: AttributeType.FLOATS, floats: [...value.floats] };
  if ('texts' in value) return { name, type: AttributeType.STRINGS, strings: value.texts.map((text) => Buffer.from(text)) };
  if ('tensor' in value) return { name, type: AttributeType.TENSOR, t: weightOf(name, value.tensor) };
  if ('nodes' in value) return { name, type: AttributeType.GRAPH, g: graphOf(value) };
  return { name, type: AttributeType.INTS, ints: [...value] };
}

function valuesOf(text: string): onnx.IValueInfoProto[] {
  if (text === '') return [];
  return text.split('; ').map((line) => {
    const [type = '', name = '', sizes] = line.split(' ');
    if (type === '?') return { name };
    const elemType = types[type as Type];
    const dims = sizes === undefined ? undefined : sizes.slice(1, -1).split(',').filter(Boolean);
    const shape = dims && { dim: dims.map((dim) => (/^\d+$/.test(dim) ? { dimValue: Number(dim) } : { dimParam: dim })) };
    return { name, type: { tensorType: { elemType, ...(shape && { shape }) } } };
  });
}

function weightOf(name: string, [type, dims, elements]: Weight): onnx.ITensorProto {
  return { name, dataType: types[type], dims: [...dims], rawData: new Uint8Array(arrayOf(type, elements).buffer) };
}

export function arrayOf(type: Type, elements: readonly number[]) {
  switch (type) {
    case 'float32':
      return Float32Array.from(elements);
    case 'float64':
      return Float64Array.from(elements);
    case 'int64':
      return BigInt64Array.from(elements, BigInt);
    case 'int32':
      return Int32Array.from(elements);
    case 'float16':
    case 'uint16':
      return Uint16Array.from(elements);
    case 'int8':
      return Int8Array.from(elements);
    case 'int16':
      return Int16Array.from(elements);
    case 'uint32':
      return Uint32Array.from(elements);
    case 'uint64':
      return BigUint64Array.from(elements, BigInt);
    default:
      return Uint8Array.from(elements);
  }
}
