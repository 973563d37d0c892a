/**
 * Rewrites what onnxruntime-web's WebNN provider leaves on the CPU: a Slice of opset 9 has its limits in attributes, one of opset
 * 10 in inputs. That needs opset 10 for the whole model, so a model with any operator that might mean something else then stays
 * as it is, as does a model of another opset.
 */
import { partOfBytes } from '../data-types/bytes.js';
import { graphsOf, ofAttribute, ofGraph, ofModel, ofNode, ofOpset, ofTensor, textIn } from './onnx.js';
import { field, fieldsOf, numberField, partsWith, type Field } from '../onnx/protobuf.js';

/** A node that was rewritten. */
export interface Rewritten {
  readonly name: string;
  readonly opType: string;
  readonly why: string;
}

/** AttributeProto.TENSOR, TensorProto.INT64. */
const [tensorType, int64] = [4, 7];

/** Operators that mean the same in opset 9 and in opset 10. The new attributes of pools have the old meaning by default. */
const unchanged = new Set(
  (
    'Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization Cast Ceil Clip Concat Constant ' +
    'ConstantOfShape Conv ConvTranspose Cos Cosh DepthToSpace Div Elu Equal Erf Exp Expand Flatten Floor GRU Gather Gemm ' +
    'GlobalAveragePool GlobalMaxPool Greater HardSigmoid Identity InstanceNormalization IsNaN LRN LSTM LeakyRelu Less Log ' +
    'LogSoftmax LpNormalization MatMul Max MaxPool Mean Min Mul Neg Not OneHot Or PRelu Pad Pow Reciprocal ReduceL1 ReduceL2 ' +
    'ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Selu Shape ' +
    'Sigmoid Sign Sin Sinh Size Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze Sub Sum Tan Tanh Tile Transpose ' +
    'Unsqueeze Where Xor'
  ).split(' '),
);

/** Begins the names of added values. */
const ownNames = 'node-directml/';

/** The model with its Slices of opset 9 rewritten; the same bytes if nothing is. @throws {RangeError} as `fieldsOf`. */
export function rewriteSlices(model: Uint8Array): { readonly bytes: Uint8Array; readonly rewritten: readonly Rewritten[] } {
  const nothing = { bytes: model, rewritten: [] };
  const fields = [...fieldsOf(model)];
  const versions = fields.filter(({ number, bytes }) => number === ofModel.opset && isOnnx(textIn(bytes, ofOpset.domain)));
  const [graph, ...others] = fields.filter(({ number }) => number === ofModel.graph || number === ofModel.functions);
  const [opset, ...further] = versions;
  if (graph === undefined || opset === undefined || others.length + further.length > 0 || versionOf(opset) !== 9) return nothing;
  const nodes = Array.from(fieldsOf(graph.bytes)).filter(({ number }) => number === ofGraph.node);
  const isSafe = nodes.every(({ bytes }) => isUnchanged(bytes));
  const slices = nodes.filter(({ bytes }) => textIn(bytes, ofNode.opType) === 'Slice');
  if (!isSafe || slices.length === 0 || Buffer.from(model.buffer, model.byteOffset, model.byteLength).includes(ownNames))
    return nothing;
  const rewritten = slices.map((slice, i) => rewrite(slice.bytes, `${ownNames}${i}/`));
  if (!rewritten.every((written) => written !== undefined)) return nothing;
  const nodesInstead = new Map(slices.map((slice, i) => [slice, rewritten[i] ?? slice.bytes]));
  const fieldsInstead = [
    [graph, field(ofModel.graph, ...partsWith(graph.bytes, nodesInstead))],
    [opset, field(ofModel.opset, numberField(ofOpset.version, 10))],
  ] as const;
  return {
    bytes: Buffer.concat(partsWith(model, new Map(fieldsInstead))),
    rewritten: slices.map(({ bytes }) => ({
      name: textIn(bytes, ofNode.name),
      opType: 'Slice',
      why: 'onnxruntime-web computes Slice of opset 9 on the CPU; this is Slice of opset 10',
    })),
  };
}

/** A node of ONNX's own operators without graphs in it, which means the same in opset 10. */
function isUnchanged(node: Uint8Array): boolean {
  return unchanged.has(textIn(node, ofNode.opType)) && isOnnx(textIn(node, ofNode.domain)) && graphsOf(node).length === 0;
}

/** The two names of the domain of ONNX's own operators. */
function isOnnx(domain: string): boolean {
  return domain === '' || domain === 'ai.onnx';
}

/** The node with inputs instead of attributes, after constants for these; undefined for a node that is not as it should be. */
function rewrite(node: Uint8Array, prefix: string): Uint8Array | undefined {
  const fields = [...fieldsOf(node)];
  const limits = new Map<string, Uint8Array>();
  const kept: Uint8Array[] = [];
  for (const { number, bytes, start, end } of fields) {
    const name = number === ofNode.attribute ? textIn(bytes, ofAttribute.name) : '';
    if (name === '') kept.push(partOfBytes(node, start, end));
    else if (!limits.has(name)) limits.set(name, bytes);
    else return undefined;
  }
  const names = ['starts', 'ends', ...(limits.has('axes') ? ['axes'] : [])];
  const lists = names.map((name) => integersOf(limits.get(name)));
  const hasOneInput = fields.filter(({ number }) => number === ofNode.input).length === 1;
  const [count] = lists.map((list) => list?.count);
  if (!hasOneInput || limits.size !== names.length || lists.some((list) => list === undefined || list.count !== count))
    return undefined;
  const constants = lists.map((list, i) => constant(`${prefix}${names[i] ?? ''}`, list));
  const inputs = names.map((name) => field(ofNode.input, prefix + name));
  return Buffer.concat([...constants, field(ofGraph.node, ...kept, ...inputs)]);
}

interface Integers {
  readonly count: number;
  /** As varints, so that all 64 bits stay as they are. */
  readonly varints: Uint8Array;
}

function constant(name: string, { count, varints }: Integers = { count: 0, varints: new Uint8Array() }): Uint8Array {
  const value = [numberField(ofTensor.dimension, count), numberField(ofTensor.dataType, int64), field(ofTensor.int64, varints)];
  const attribute = [
    field(ofAttribute.name, 'value'),
    field(ofAttribute.tensor, ...value),
    numberField(ofAttribute.type, tensorType),
  ];
  return field(ofGraph.node, field(ofNode.output, name), field(ofNode.opType, 'Constant'), field(ofNode.attribute, ...attribute));
}

/** The bytes that begin a field with one of the integers, and one with all of them. */
const [tagOfOne, tagOfAll] = [8 * ofAttribute.integers, 8 * ofAttribute.integers + 2];

/** The integers of an attribute: one field with all, or a field for each. Undefined for other bytes. */
function integersOf(attribute: Uint8Array | undefined): Integers | undefined {
  if (attribute === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for (const { number, bytes, start, end } of fieldsOf(attribute)) {
    if (number !== ofAttribute.integers) continue;
    if (attribute[start] === tagOfOne) parts.push(partOfBytes(attribute, start + 1, end));
    else if (attribute[start] === tagOfAll) parts.push(bytes);
    else return undefined;
  }
  const varints = Buffer.concat(parts);
  const isWhole = varints.length > 0 && (varints.at(-1) ?? 128) < 128;
  return isWhole ? { count: countOf(varints), varints } : undefined;
}

/** A varint ends with a byte below 128. */
function countOf(varints: Uint8Array): number {
  return varints.reduce((count, byte) => count + Number(byte < 128), 0);
}

function versionOf({ bytes }: Field): number | undefined {
  return Array.from(fieldsOf(bytes)).findLast(({ number }) => number === ofOpset.version)?.value;
}
