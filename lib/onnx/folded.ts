/** Batch normalization after a convolution with constant filters: other filters and another bias compute both. */
import { foldedChannels } from '../graph/improve/batch-normalization.js';
import { tensorPlace } from '../files/file-reader.js';
import { copyOfBytes } from '../tensors/bytes.js';
import type { Place } from '../values/errors.js';
import { bytesFrom } from './make-data.js';
import { readsOf, type GraphProto, type ModelProto, type NodeProto } from './proto.js';
import { ownBytes } from './weights.js';

/** Its number in onnx.proto. */
const float32 = 1;

/** A convolution, and the batch normalization that alone reads its output: their places among the nodes. */
interface Pair {
  readonly convolution: number;
  readonly normalization: number;
  /** The name of the new bias. */
  readonly bias: string;
}

/**
 * The model with such convolutions. The batch normalizations stay, but do nothing.
 *
 * @throws {DirectMLError} ERR_INVALID_FILE.
 */
export function folded(model: ModelProto, place: Place): ModelProto {
  const { graph } = model;
  const nodes = [...graph.nodes];
  const initializers = new Map(graph.initializers);
  for (const { convolution, normalization, bias } of pairsOf(graph)) {
    const [before, after] = [nodes[convolution], nodes[normalization]];
    const [x = '', filterName = ''] = before?.inputs ?? [];
    const filter = graph.initializers.get(filterName);
    if (before === undefined || after === undefined || filter === undefined) continue;
    const [count = 0] = filter.dims;
    const channels = channelsOf(graph, before, after, place);
    if (channels?.factors.length !== count) continue;
    initializers.set(filterName, { ...filter, factors: channels.factors });
    initializers.set(bias, {
      ...{ name: bias, elementType: float32, dims: [count], external: null, texts: [] },
      bytes: () => bytesFrom('float32', channels.addends),
    });
    nodes[convolution] = { ...before, inputs: [x, filterName, bias] };
    nodes[normalization] = { ...after, inputs: [before.outputs[0] ?? ''], isFolded: true };
  }
  return { ...model, graph: { ...graph, nodes, initializers } };
}

/** Those whose filters nothing else reads. */
function pairsOf({ nodes, outputs, initializers }: GraphProto): readonly Pair[] {
  const readers = new Map<string, number>();
  for (const name of [...nodes.flatMap(readsOf), ...outputs.map((each) => each.name)]) {
    readers.set(name, (readers.get(name) ?? 0) + 1);
  }
  const convolutions = new Map<string, number>();
  return nodes.flatMap((node, normalization) => {
    if (isOf(node, 'Conv')) convolutions.set(node.outputs[0] ?? '', normalization);
    const [input = ''] = node.inputs;
    const convolution = isInference(node) && readers.get(input) === 1 ? convolutions.get(input) : undefined;
    if (convolution === undefined) return [];
    const [, filter = ''] = nodes[convolution]?.inputs ?? [];
    const bias = `${input}.bias`;
    const isFree = initializers.get(filter)?.elementType === float32 && readers.get(filter) === 1 && !readers.has(bias);
    return isFree ? [{ convolution, normalization, bias }] : [];
  });
}

/** What both nodes compute for each channel. Null if the parameters are not floats that lie in the model, or not finite. */
function channelsOf(graph: GraphProto, convolution: NodeProto, normalization: NodeProto, place: Place) {
  const floatsOf = (name: string | undefined): Float32Array | null => {
    const tensor = name === undefined ? undefined : graph.initializers.get(name);
    if (tensor?.elementType !== float32 || tensor.external !== null) return null;
    return new Float32Array(copyOfBytes(ownBytes(tensor, tensorPlace(place, tensor.name))).buffer);
  };
  const [scale, bias, mean, variance] = normalization.inputs.slice(1).map(floatsOf);
  if (!scale || !bias || !mean || !variance) return null;
  const [, , biasName = ''] = convolution.inputs;
  const before = biasName === '' ? new Float32Array(scale.length) : floatsOf(biasName);
  const epsilon = normalization.attributes.get('epsilon')?.float ?? 1e-5;
  return before && foldedChannels({ scale, bias, mean, variance, before, epsilon });
}

function isOf({ opType, domain }: NodeProto, type: string): boolean {
  return opType === type && domain === '';
}

function isInference(node: NodeProto): boolean {
  const isTraining = node.attributes.get('training_mode')?.int === 1 || node.outputs.some((name, i) => i > 0 && name !== '');
  return isOf(node, 'BatchNormalization') && !isTraining && node.attributes.get('spatial')?.int !== 0;
}
