/** Attributes of ONNX nodes. */
import { onnx } from 'onnx-proto';

/** A plain number is an integer attribute, a plain list one of integers. */
export type Attribute =
  | number
  | readonly number[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly text: string }
  | { readonly texts: readonly string[] };

export function attributeOf(name: string, value: Attribute): onnx.IAttributeProto {
  const { AttributeType } = onnx.AttributeProto;
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: value };
  if ('float' in value) return { name, type: AttributeType.FLOAT, f: value.float };
  if ('floats' in value) return { name, type: AttributeType.FLOATS, floats: [...value.floats] };
  if ('text' in value) return { name, type: AttributeType.STRING, s: Buffer.from(value.text) };
  if ('texts' in value) return { name, type: AttributeType.STRINGS, strings: value.texts.map((text) => Buffer.from(text)) };
  return { name, type: AttributeType.INTS, ints: [...value] };
}
