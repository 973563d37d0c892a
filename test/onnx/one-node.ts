/** Models of one node, or of a few. */
import { Tensor, type DataType, type Device, type OperatorType } from 'node-directml';
import { loadOnnx, type OnnxModel } from 'node-directml/onnx';
import { inputOf } from '../../checks/onnx/computed.js';
import { smallModel, type Attribute, type NodeLine, type Weight } from '../../checks/networks/small-model.js';

export type Attributes = Readonly<Record<string, Attribute>>;
/** A tensor that the run has, or the model; null for one that is left out. */
export type Input = Weight | { readonly constant: Weight } | null;

export interface OneNode {
  /** An operator, or nodes. */
  readonly operator: string | readonly NodeLine[];
  readonly attributes: Attributes;
  /** In their order, `in0`, `in1` and so on. */
  readonly inputs: readonly Input[];
  readonly opset?: number;
  readonly outputs?: string;
}

/** The model, whose output is `y`. */
export function modelOf(device: Device, given: OneNode): Promise<OnnxModel> {
  const { operator, attributes, inputs, opset = 21, outputs = 'y' } = given;
  const names = inputs.map((input, i) => (input === null ? '-' : `in${i}`));
  const declared = feedsOf(inputs).map(([name, [type, dims]]) => `${type} ${name} [${dims.join()}]`);
  const constants = inputs.flatMap((input, i) => (isConstant(input) ? [[`in${i}`, input.constant] as const] : []));
  const nodes: readonly NodeLine[] = typeof operator === 'string' ? [[operator, names.join(' '), outputs, attributes]] : operator;
  const graph = { inputs: declared.join('; '), outputs: '? y', nodes, weights: Object.fromEntries(constants) };
  return loadOnnx(device, smallModel(graph, opset));
}

/** The inputs of the run by name. */
function feedsOf(inputs: OneNode['inputs']): readonly (readonly [name: string, Weight])[] {
  return inputs.flatMap((input, i) => (input === null || isConstant(input) ? [] : [[`in${i}`, input] as const]));
}

/** Runs the model. Returns `y`. */
export async function compute(device: Device, given: OneNode): Promise<Tensor> {
  using model = await modelOf(device, given);
  const feeds = feedsOf(given.inputs).map(([name, weight]) => [name, inputOf(device, weight)] as const);
  const { y } = await model.run(Object.fromEntries(feeds));
  if (!(y instanceof Tensor)) throw new Error('y is no tensor');
  return y;
}

function isConstant(input: Input): input is { readonly constant: Weight } {
  return input !== null && 'constant' in input;
}

/** The operators of the graph that a model becomes, in their order. Its inputs have known sizes. */
export function operatorsOf(device: Device, model: OnnxModel): readonly OperatorType[] {
  const graph = device.createGraph();
  const values = model.inputs.map(({ name, type, dims = [] }) => {
    const dataType = type === 'bool' ? 'uint8' : (type as DataType);
    return [name, graph.input(name, { dataType, sizes: dims.length === 0 ? [1] : dims.map(Number) })] as const;
  });
  const { nodes } = graph.toDescriptor(model(Object.fromEntries(values)));
  return Object.values(nodes).map(({ type }) => type);
}

/** Makes inputs of a data type, whose elements are all 1. */
export function ofOnes(type: Weight[0]): (...dims: readonly number[]) => Weight {
  return (...dims) => [type, dims, new Array<number>(dims.reduce((count, size) => count * size, 1)).fill(1)];
}
