/** The nodes and constants of an ONNX model. */
import { onnx } from 'onnx-proto';
import type { TensorDesc } from 'node-directml';

type DataType = TensorDesc['dataType'];

/** A plain number is an integer attribute; a plain list is an attribute of integers. */
export type Attribute =
  | number
  | readonly number[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly text: string }
  | { readonly texts: readonly string[] };

function attributeOf(name: string, value: Attribute): onnx.IAttributeProto {
  const { AttributeType } = onnx.AttributeProto;
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: value };
  if ('float' in value) return { name, type: AttributeType.FLOAT, f: value.float };
  if ('floats' in value) return { name, type: AttributeType.FLOATS, floats: [...value.floats] };
  if ('text' in value) return { name, type: AttributeType.STRING, s: Buffer.from(value.text) };
  if ('texts' in value) return { name, type: AttributeType.STRINGS, strings: value.texts.map((text) => Buffer.from(text)) };
  return { name, type: AttributeType.INTS, ints: [...value] };
}

/** The name of a value in the graph. */
export type Value = string;

/** Base class for writers of ONNX models: collects nodes and constants. */
export class ModelNodes {
  protected readonly nodeList: onnx.INodeProto[] = [];
  readonly #constants: onnx.ITensorProto[] = [];

  protected elementType(dataType: DataType): number {
    const name = dataType === 'float32' ? 'FLOAT' : dataType === 'float64' ? 'DOUBLE' : dataType.toUpperCase();
    const type: unknown = Reflect.get(onnx.TensorProto.DataType, name);
    if (typeof type !== 'number') throw new TypeError(`ONNX has no ${name}`);
    return type;
  }

  constant(dataType: DataType, sizes: readonly number[], { buffer, byteOffset, byteLength }: ArrayBufferView): Value {
    const name = `constant${this.#constants.length}`;
    const rawData = new Uint8Array(buffer, byteOffset, byteLength);
    this.#constants.push({ name, dataType: this.elementType(dataType), dims: [...sizes], rawData });
    return name;
  }

  /** Adds a constant list of int64, the form in which operators take axes and sizes. */
  integers(...values: readonly number[]): Value {
    return this.constant('int64', [values.length], BigInt64Array.from(values, BigInt));
  }

  protected encoded(
    { irVersion, version }: { readonly irVersion: number; readonly version: number },
    graph: Pick<onnx.IGraphProto, 'name' | 'input' | 'output'>,
  ): Uint8Array {
    const opsetImport = [{ domain: '', version }];
    const whole = { ...graph, node: this.nodeList, initializer: this.#constants };
    return onnx.ModelProto.encode({ irVersion, opsetImport, graph: whole }).finish();
  }

  /** Adds an operator with one output. */
  node(opType: string, inputs: readonly (Value | null)[], attributes: Readonly<Record<string, Attribute>> = {}): Value {
    const [output = ''] = this.nodes(opType, inputs, 1, attributes);
    return output;
  }

  /** Adds an operator with several outputs. */
  nodes(
    opType: string,
    inputs: readonly (Value | null)[],
    outputs: number,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): Value[] {
    const name = `${opType}${this.nodeList.length}`;
    const names = Array.from({ length: outputs }, (_, i) => `${name}_${i}`);
    this.nodeList.push({
      name,
      opType,
      input: inputs.map((input) => input ?? ''),
      output: names,
      attribute: Object.entries(attributes).map(([attribute, value]) => attributeOf(attribute, value)),
    });
    return names;
  }
}
