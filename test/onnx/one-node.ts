/** Models of one node, or of a few. */
import { Tensor, type Device } from 'node-directml';
import { loadOnnx } from 'node-directml/onnx';
import { inputOf } from '../../checks/onnx/computed.js';
import { smallModel, type Attribute, type NodeLine, type Weight } from '../../checks/networks/small-model.js';

export type Attributes = Readonly<Record<string, Attribute>>;
export type Inputs = readonly (Weight | null)[];

export interface OneNode {
  /** An operator, or nodes. */
  readonly operator: string | readonly NodeLine[];
  readonly attributes: Attributes;
  /** In their order, `in0`, `in1` and so on. Null for one that is left out. */
  readonly inputs: Inputs;
  readonly opset?: number;
  readonly outputs?: string;
}

/** The output `y`. */
export async function compute(device: Device, given: OneNode): Promise<Tensor> {
  const { operator, attributes, inputs, opset = 21, outputs = 'y' } = given;
  const names = inputs.map((input, i) => (input === null ? '-' : `in${i}`));
  const declared = inputs.flatMap((input, i) => (input === null ? [] : `${input[0]} in${i} [${input[1].join()}]`));
  const nodes: readonly NodeLine[] = typeof operator === 'string' ? [[operator, names.join(' '), outputs, attributes]] : operator;
  using model = await loadOnnx(device, smallModel({ inputs: declared.join('; '), outputs: '? y', nodes }, opset));
  const all = inputs.flatMap((input, i) => (input === null ? [] : [[`in${i}`, inputOf(device, input)] as const]));
  const { y } = await model.run(Object.fromEntries(all));
  if (!(y instanceof Tensor)) throw new Error('y is no tensor');
  return y;
}
