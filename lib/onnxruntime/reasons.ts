/** Says why a node runs on the CPU, as far as that can be known: onnxruntime does not tell. */
import { typeNameOf } from './metadata.js';
import type { ModelNode, ModelValue } from './onnx.js';

/** The operators that onnxruntime-web 1.30.0 converts to WebNN, by its docs/webnn-operators.md. */
export const convertedOperators: ReadonlySet<string> = new Set(
  `
  Abs Add And ArgMax ArgMin AveragePool BatchNormalization Cast Ceil Clip Concat Conv ConvInteger ConvTranspose Cos
  CumSum Div DepthToSpace DequantizeLinear Dropout DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand Flatten Floor
  Gather GatherBlockQuantized GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalMaxPool GlobalLpPool Greater
  GreaterOrEqual GroupQueryAttention GRU HardSigmoid HardSwish Identity InstanceNormalization IsNaN IsInf
  LayerNormalization LeakyRelu Less LessOrEqual Log LpNormalization LpPool LRN LSTM MatMul MatMulInteger MatMulNBits Max
  MaxPool Min Mul MultiHeadAttention Neg Not Or Pad Pow PRelu QuantizeLinear Reciprocal Round ReduceL1 ReduceL2
  ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize
  RotaryEmbedding ScatterElements ScatterND Shape SimplifiedLayerNormalization Sigmoid Sign SkipLayerNormalization
  SkipSimplifiedLayerNormalization Softplus Softsign Sin Slice Softmax Split Sqrt Squeeze Sub Tan Tanh Tile Transpose
  Trilu Unsqueeze Where Xor
`
    .trim()
    .split(/\s+/),
);

/** The data types of ONNX that WebNN does not have. */
const missingTypes: readonly unknown[] = ['int16', 'uint16', 'float64', 'string'];

/**
 * Why a node of the model runs on the CPU.
 *
 * @param inputs The inputs of the model by name.
 * @param sizes The sizes of their dynamic dimensions by name.
 */
export function reasonFor(
  { opType, inputs: names }: Pick<ModelNode, 'opType' | 'inputs'>,
  inputs: ReadonlyMap<string, ModelValue>,
  sizes: Readonly<Record<string, number>>,
): string {
  if (opType === '') return 'onnxruntime added it';
  if (!convertedOperators.has(opType)) return `${opType} is none of the operators that onnxruntime-web 1.30 converts to WebNN`;
  for (const name of names) {
    const input = inputs.get(name);
    if (input === undefined) continue;
    const type = typeNameOf(input.elementType);
    if (missingTypes.includes(type)) return `its input '${name}' is ${String(type)}, which WebNN does not have`;
    const dims = input.dims?.map((dim) => (typeof dim === 'number' ? dim : sizes[dim]));
    if (dims?.includes(0)) return `its input '${name}' is empty, and WebNN has no empty tensors`;
  }
  return 'onnxruntime does not say';
}
