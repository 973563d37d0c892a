/**
 * DirectML's fusion of nodes. It drops an identity after an operator, and lets the operator write in the layout of the identity's
 * output; with another layout, another shader may compute it, which rounds differently. And it replaces the product of x and
 * sigmoid(x) by activationSwish. It fuses nothing else.
 */
import { sizeInBytes } from '../cases/layout.js';
import { count } from '../harness/report.js';
import { byField, type Layout, type PlainGraph, type PlainNode, type Port } from './graph-case.js';

/** The graph with one node for each group of nodes that DirectML may compute as one. */
export function fused(plain: PlainGraph): PlainGraph {
  return withSwishes(withoutIdentities(plain));
}

/**
 * The graph with packed values inside. DirectML chooses the layout of a value that only nodes read. As observed, it may choose a
 * packed one if all readers read the value as it is written.
 */
export function repacked(plain: PlainGraph): PlainGraph {
  const layouts = new Map(plain.nodes.flatMap((node) => node.outputs.map((port) => [port.value, layoutOf(port)])));
  const kept = new Set([...plain.outputs.values()].map(({ value }) => value));
  for (const { inputs } of plain.nodes)
    for (const port of inputs) if (layouts.get(port.value) !== layoutOf(port)) kept.add(port.value);
  const nodes = plain.nodes.map((node) => {
    const change = (ports: readonly Port[]) =>
      ports.map((port) =>
        layouts.has(port.value) && !kept.has(port.value) ? { ...port, tensor: packedTensor(port.tensor) } : port,
      );
    return withPorts(node, change(node.inputs), change(node.outputs));
  });
  return { ...plain, nodes };
}

/** The node with packed outputs. */
export function withPackedOutputs(node: PlainNode): PlainNode {
  const packed = node.outputs.map((port) => ({ ...port, tensor: packedTensor(port.tensor) }));
  return withPorts(node, node.inputs, packed);
}

function packedTensor({ dataType, sizes }: Layout): Layout {
  return { dataType, sizes, totalTensorSizeInBytes: sizeInBytes(dataType, sizes, null) };
}

/** How often nodes and outputs use each value. */
function usesIn({ nodes, outputs }: PlainGraph): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { value } of [...nodes.flatMap(({ inputs }) => inputs), ...outputs.values()]) count(uses, value);
  return uses;
}

/** Drops identities that are the only reader of a node's output; the node writes their output instead. */
function withoutIdentities(plain: PlainGraph): PlainGraph {
  const uses = usesIn(plain);
  let { nodes } = plain;
  for (const identity of plain.nodes) {
    const [read] = identity.inputs;
    const [written] = identity.outputs;
    if (!isCopy(identity) || read === undefined || written === undefined || uses.get(read.value) !== 1) continue;
    const before = nodes.find(({ outputs }) => outputs.some(({ value }) => value === read.value));
    const port = before?.outputs.find(({ value }) => value === read.value);
    if (before === undefined || port === undefined || layoutOf(port) !== layoutOf(read)) continue;
    const merged = writing(before, port, written);
    nodes = nodes.filter((node) => node !== identity).map((node) => (node === before ? merged : node));
  }
  return { ...plain, nodes };
}

/** Replaces each product of a value and its sigmoid by activationSwish, if nothing else reads the sigmoid. */
function withSwishes(plain: PlainGraph): PlainGraph {
  const uses = usesIn(plain);
  const isReadOnce = (port: Port | undefined) => uses.get(port?.value ?? '') === 1;
  const dropped = new Set<PlainNode>();
  const nodes = plain.nodes.map((product): PlainNode => {
    if (product.descriptor.type !== 'elementWiseMultiply') return product;
    const isRead = (port: Port | undefined) => product.inputs.some(({ value }) => value === port?.value);
    const sigmoid = plain.nodes.find(
      ({ descriptor, inputs, outputs }) =>
        descriptor.type === 'activationSigmoid' && isRead(inputs[0]) && isRead(outputs[0]) && isReadOnce(outputs[0]),
    );
    const [output] = product.outputs;
    const read = product.inputs.find(({ value }) => value === sigmoid?.inputs[0]?.value);
    if (sigmoid === undefined || read === undefined || output === undefined) return product;
    dropped.add(sigmoid);
    const [inputTensor, outputTensor] = [read.tensor, output.tensor];
    const descriptor = { type: 'activationSwish', inputTensor, outputTensor, sigmoidInputScale: 1 } as const;
    return {
      name: product.name,
      descriptor,
      inputs: [{ ...read, field: 'inputTensor', path: 'inputTensor' }],
      outputs: [output],
    };
  });
  return { ...plain, nodes: nodes.filter((node) => !dropped.has(node)) };
}

function isCopy({ descriptor }: PlainNode): boolean {
  return descriptor.type === 'elementWiseIdentity' && !descriptor.scaleBias;
}

function layoutOf({ tensor: { sizes, strides } }: Port): string {
  return JSON.stringify([sizes, strides]);
}

/** The node with another tensor for one of its outputs. */
function writing(node: PlainNode, port: Port, { tensor, value }: Port): PlainNode {
  const outputs = node.outputs.map((other) => (other === port ? { ...port, tensor, value } : other));
  return withPorts(node, node.inputs, outputs);
}

function withPorts(node: PlainNode, inputs: readonly Port[], outputs: readonly Port[]): PlainNode {
  const tensors = byField([...inputs, ...outputs], ({ tensor }) => tensor);
  return { ...node, descriptor: Object.assign({ ...node.descriptor }, tensors), inputs, outputs };
}
