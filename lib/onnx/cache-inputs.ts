/** Finds the caches of keys and values in a model, which may have room behind the elements in use. */
import { readsOf, type GraphProto, type NodeProto, type TensorProto } from './proto.js';

/** The inputs and outputs of a model that grow. */
export interface Growing {
  /** Inputs with keys or values, [batch, heads, length, size]. */
  readonly pasts: readonly string[];
  /** Outputs with the same and the new ones. */
  readonly presents: ReadonlySet<string>;
  /** The mask, whose last dimension is the length; or the number of keys; null if the model has neither. */
  readonly total: string | null;
  readonly isMask: boolean;
  /** True if an input of their own tells attentions the length of the caches. */
  readonly isTold: boolean;
}

/** The input and the output that MultiHeadAttention gets: the length of the caches before and after the run. */
export const [lengthBefore, lengthAfter] = ['node-directml: past length', 'node-directml: present length'];
const none: TensorProto = {
  ...{ name: lengthBefore, elementType: 6, dims: [0], external: null, texts: [] },
  bytes: () => new Uint8Array(),
};

/** Null unless all caches of the model grow in the same way, and nothing else reads their length. */
export function growingOf(graph: GraphProto): Growing | null {
  const attentions = graph.nodes.filter(hasCache);
  const isTold = attentions[0]?.opType === 'MultiHeadAttention';
  const inputs = new Set(graph.inputs.map(({ name }) => name));
  for (const name of graph.initializers.keys()) inputs.delete(name);
  const pasts = attentions.flatMap((node) => node.inputs.slice(pastsAt(node), pastsAt(node) + 2));
  const presents = attentions.flatMap((node) => node.outputs.slice(1, 3));
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const readersOf = (name: string) => graph.nodes.filter((node) => readsOf(node).includes(name));
  const isOfOne = (name: string) => readersOf(name).filter(({ opType }) => !isTold || opType !== 'Shape').length === 1;
  const areOwn =
    pasts.every((name) => inputs.has(name) && isOfOne(name)) &&
    presents.every((name) => outputs.has(name) && readersOf(name).length === 0);
  const areAlike = new Set(attentions.map(({ opType }) => opType)).size === 1;
  if (!areAlike || presents.length !== 2 * attentions.length || !areOwn) return null;
  const own = { pasts, presents: new Set(presents), isTold };
  for (const total of inputs) {
    for (const role of ['total', 'mask'] as const) {
      const found = new Set<NodeProto>();
      const isOnlyFor = endsIn(graph, total, role, found);
      if (isOnlyFor && (isTold ? found.size > 0 : found.size === attentions.length))
        return { ...own, total, isMask: role === 'mask' };
    }
  }
  return isTold ? { ...own, total: null, isMask: false } : null;
}

/** The first of the two inputs with keys and values of earlier runs. */
function pastsAt({ opType }: NodeProto): number {
  return opType === 'MultiHeadAttention' ? 6 : 3;
}

/** True for an attention that appends to keys of earlier runs. */
function hasCache(node: NodeProto): boolean {
  const isMultiHead = node.domain === 'com.microsoft' && node.opType === 'MultiHeadAttention';
  return isCounted(node) || (isMultiHead && (node.inputs[6] ?? '') !== '' && (node.outputs[1] ?? '') !== '');
}

/** True for an attention that has the number of keys as an input. */
function isCounted({ domain, opType }: NodeProto): boolean {
  return domain === 'com.microsoft' && opType === 'GroupQueryAttention';
}

type Role = 'mask' | 'bias' | 'shape' | 'total';

/** These compute each element of a bias from the mask. */
const toBias = Object.fromEntries(
  ['Unsqueeze', 'Sub', 'Mul', 'Add', 'Where', 'Equal', 'Expand'].map((name): [string, Role] => [name, 'bias']),
);

/** What a node makes of the mask, of its shape, and of its length; undefined if more keys could change the node's result. */
const follows: Readonly<Record<Role, Readonly<Record<string, Role | 'sum'>>>> = {
  mask: { Cast: 'mask', ReduceSum: 'sum', Shape: 'shape', ...toBias },
  bias: { Cast: 'bias', ...toBias },
  shape: { Gather: 'total' },
  total: { Cast: 'total', Squeeze: 'total', Unsqueeze: 'total', Reshape: 'total' },
};

/**
 * True if zeros behind the mask, or a larger total, change nothing but the number of keys that attentions get. Adds these
 * attentions to `found`.
 */
function endsIn(graph: GraphProto, name: string, role: Role, found: Set<NodeProto>): boolean {
  if (graph.outputs.some((output) => output.name === name)) return false;
  return graph.nodes
    .filter((node) => readsOf(node).includes(name))
    .every((node) => {
      const at = node.inputs.indexOf(name);
      if (hasCache(node)) {
        found.add(node);
        return isCounted(node) ? role === 'total' && at === 6 : role !== 'total' && (at === 4 || at === 5);
      }
      const made = follows[role][node.opType];
      const next = at === 0 || (at > 0 && made === 'bias') ? made : undefined;
      if (next === 'sum') return isAlong(graph, node, 1, 'axes');
      if (next === undefined || (next === 'total' && role === 'shape' && !isAlong(graph, node, 1))) return false;
      return endsIn(graph, node.outputs[0] ?? '', next, found);
    });
}

/** True if a node's second input, or its attribute, is this axis of two. */
function isAlong(graph: GraphProto, node: NodeProto, axis: number, attribute = ''): boolean {
  const name = node.inputs[1] ?? '';
  const made = graph.nodes.find(({ opType, outputs }) => opType === 'Constant' && outputs[0] === name);
  const tensor = graph.initializers.get(name) ?? made?.attributes.get('value')?.tensor;
  const bytes = tensor?.bytes();
  const given =
    bytes?.length === 8
      ? Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true))
      : node.attributes.get(attribute)?.ints[0];
  return given === axis || given === axis - 2;
}

/** The graph whose MultiHeadAttention is told how many places of the caches are in use. */
export function withLength(graph: GraphProto, { pasts, isTold }: Growing): GraphProto {
  if (!isTold) return graph;
  const first = graph.nodes.find(hasCache);
  const nodes = graph.nodes.map((node): NodeProto => {
    const isShape = node.opType === 'Shape' && pasts.includes(node.inputs[0] ?? '');
    if (isShape) return { ...node, domain: 'node-directml', inputs: [node.inputs[0] ?? '', lengthBefore] };
    if (!hasCache(node)) return node;
    const inputs = [...node.inputs, '', ''].slice(0, 10);
    return {
      ...node,
      inputs: [...inputs, lengthBefore],
      outputs: node === first ? [...node.outputs, '', lengthAfter] : node.outputs,
    };
  });
  const value = { kind: 'tensor', elementType: none.elementType, dims: [null] } as const;
  return {
    ...{ name: graph.name, nodes, initializers: new Map(graph.initializers).set(lengthBefore, none) },
    inputs: [...graph.inputs, { ...value, name: lengthBefore }],
    outputs: [...graph.outputs, { ...value, name: lengthAfter }],
  };
}
