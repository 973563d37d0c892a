/** Writes ONNX models of one node, so that the same file can be given to different runtimes. */

/** An input or an output. */
export interface NodeTensor {
  readonly dataType: 'float32' | 'int64';
  readonly sizes: readonly number[];
}

export interface OneNode {
  readonly opType: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
  readonly inputs: Readonly<Record<string, NodeTensor>>;
  /** It has the name `y`. */
  readonly output: NodeTensor;
}

/** By their numbers in onnx.proto: TensorProto.DataType, and AttributeProto.AttributeType. */
const elementTypes = { float32: 1, int64: 7 } as const;
const attributeTypes = { int: 2, ints: 7 } as const;

/** A ModelProto. */
export function modelOf({ opType, attributes = {}, inputs, output }: OneNode): Uint8Array {
  const names = Object.keys(inputs).flatMap((name) => text(1, name));
  const node = [...names, ...text(2, 'y'), ...text(4, opType), ...Object.entries(attributes).flatMap(attributeOf)];
  const values = Object.entries(inputs).flatMap(([name, tensor]) => valueOf(11, name, tensor));
  const graph = [...message(1, node), ...text(2, 'one node'), ...values, ...valueOf(12, 'y', output)];
  // ir_version, graph, and the version of opset_import.
  return Uint8Array.from([...integer(1, 8), ...message(7, graph), ...message(8, integer(2, 17))]);
}

function attributeOf([name, value]: [string, number | readonly number[]]): number[] {
  const content =
    typeof value === 'number'
      ? [...integer(3, value), ...integer(20, attributeTypes.int)]
      : [...value.flatMap((each) => integer(8, each)), ...integer(20, attributeTypes.ints)];
  return message(5, [...text(1, name), ...content]);
}

/** A ValueInfoProto with the type of a tensor. */
function valueOf(field: number, name: string, { dataType, sizes }: NodeTensor): number[] {
  const shape = message(
    2,
    sizes.flatMap((size) => message(1, integer(1, size))),
  );
  return message(field, [...text(1, name), ...message(2, message(1, [...integer(1, elementTypes[dataType]), ...shape]))]);
}

/** Fields of protocol buffers: a number and a kind, then a number, or a length and bytes. */
function integer(field: number, value: number): number[] {
  return [...varint(field * 8), ...varint(value)];
}

function message(field: number, content: readonly number[]): number[] {
  return [...varint(field * 8 + 2), ...varint(content.length), ...content];
}

function text(field: number, value: string): number[] {
  return message(field, [...Buffer.from(value)]);
}

/** Seven bits in a byte, the lowest first; the highest bit says that more follow. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
