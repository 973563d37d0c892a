/** Batch normalization after a convolution with constant filters: other filters and another bias compute both. */
import { foldedChannels } from '../graph/improve/batch-normalization.js';
import { tensorPlace } from '../files/file-reader.js';
import { copyOfBytes } from '../tensors/bytes.js';
import type { Place } from '../values/errors.js';
import { bytesFrom } from './make-data.js';
import { readsOf, type ModelProto, type NodeProto, type TensorProto } from './proto.js';
import { ownBytes } from './weights.js';

/** Its number in onnx.proto. */
const float32 = 1;

/**
 * The model with such convolutions. The batch normalizations stay, but do nothing.
 *
 * @throws {DirectMLError} ERR_INVALID_FILE.
 */
export function folded(model: ModelProto, place: Place): ModelProto {
  const { graph } = model;
  const names = [...graph.nodes.flatMap(readsOf), ...graph.outputs.map(({ name }) => name)];
  const readers = new Map<string, number>();
  for (const name of names) readers.set(name, (readers.get(name) ?? 0) + 1);
  const initializers = new Map(graph.initializers);
  /** The floats of a weight that lies in the model. */
  const floatsOf = (name: string | undefined): Float32Array | null => {
    const tensor = name === undefined ? undefined : graph.initializers.get(name);
    if (tensor?.elementType !== float32 || tensor.external !== null) return null;
    return new Float32Array(copyOfBytes(ownBytes(tensor, tensorPlace(place, tensor.name))).buffer);
  };
  const nodes = [...graph.nodes];
  const convolutions = new Map<string, number>();
  for (const [i, node] of graph.nodes.entries()) {
    const [input = '', ...parameters] = node.inputs;
    const at = convolutions.get(input);
    const convolution = at === undefined ? undefined : nodes[at];
    if (isOf(node, 'Conv')) convolutions.set(node.outputs[0] ?? '', i);
    if (at === undefined || convolution === undefined || !isInference(node) || readers.get(input) !== 1) continue;
    const [x = '', filterName = '', biasName = ''] = convolution.inputs;
    const filter = graph.initializers.get(filterName);
    const name = `${input}.bias`;
    if (filter?.elementType !== float32 || readers.get(filterName) !== 1 || readers.has(name)) continue;
    const count = filter.dims[0] ?? 0;
    const [scale, bias, mean, variance] = parameters.map(floatsOf);
    const before = biasName === '' ? new Float32Array(count) : floatsOf(biasName);
    if (!scale || !bias || !mean || !variance || !before) continue;
    const epsilon = node.attributes.get('epsilon')?.float ?? 1e-5;
    const channels = foldedChannels({ scale, bias, mean, variance, before, epsilon });
    if (channels?.factors.length !== count) continue;
    const biasTensor: TensorProto = {
      ...{ name, elementType: float32, dims: [count], external: null, texts: [] },
      bytes: () => bytesFrom('float32', channels.addends),
    };
    initializers.set(name, biasTensor).set(filterName, { ...filter, factors: channels.factors });
    nodes[at] = { ...convolution, inputs: [x, filterName, name] };
    nodes[i] = { ...node, inputs: [input], isFolded: true };
  }
  return { ...model, graph: { ...graph, nodes, initializers } };
}

function isOf({ opType, domain }: NodeProto, type: string): boolean {
  return opType === type && domain === '';
}

function isInference(node: NodeProto): boolean {
  const isTraining = node.attributes.get('training_mode')?.int === 1 || node.outputs.some((name, i) => i > 0 && name !== '');
  return isOf(node, 'BatchNormalization') && !isTraining && node.attributes.get('spatial')?.int !== 0;
}
