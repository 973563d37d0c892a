/** The nodes of an ONNX graph, and their attributes. */
import { onnx } from 'onnx-proto';

/** A plain number is an integer attribute, a plain list one of integers. */
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

/** A value of the graph, by its name. */
export type Value = string;

/** What writers of ONNX graphs have in common: a list of nodes that grows. */
export class NodeList {
  protected readonly nodeList: onnx.INodeProto[] = [];

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
