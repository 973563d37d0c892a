/** Runs a graph on a device: as a whole, and its nodes one by one, each as an operator of its own. */
import type { Device, DirectMLBuffer, Tensor, TensorDesc } from 'node-directml';
import { toJsonValue } from '#lib/graph/json-values.js';
import { withoutEqualDefaults } from '../support/defaults.js';
import {
  bytesFor,
  valueIn,
  type Bytes,
  type GraphCase,
  type Layout,
  type PlainGraph,
  type Port,
  type Values,
} from './graph-case.js';
import { isGraph } from './loose-graph.js';

/** The bytes of outputs before the dispatch, so that bytes that nothing writes are the same everywhere. */
const BACKGROUND = 0xa5;
/** In bytes, memory behind each tensor of a graph that nothing may write. */
const GUARD = 64;

/** A fault of a graph that is no wrong number. */
export class GraphFault extends Error {}

/**
 * Dispatches the nodes one after the other, without waiting. Nodes read values that are given instead of the outputs that are
 * computed. Returns the given values and all other outputs of nodes.
 */
export async function runOneByOne(device: Device, plain: PlainGraph, given: Values): Promise<Map<string, Bytes>> {
  const nodes = plain.nodes.filter(({ outputs }) => outputs.some(({ value }) => !given.has(value)));
  const disposables: { dispose(): void }[] = [];
  const newBuffer = (bytes: Bytes): DirectMLBuffer => {
    const buffer = device.createBuffer(Math.ceil(bytes.length / 16) * 16);
    disposables.push(buffer);
    buffer.write(bytes);
    return buffer;
  };
  try {
    const buffers = mapValues(given, newBuffer);
    const computed = new Map<string, number>();
    const bind = ({ tensor }: Port, buffer: DirectMLBuffer) => device.createTensor(withoutFlags(tensor), { buffer });
    for (const node of nodes) {
      const inputs = node.inputs.map((port) => bind(port, bufferOf(buffers, port.value)));
      const outputs = node.outputs.map((port) => {
        const size = port.tensor.totalTensorSizeInBytes;
        const buffer = newBuffer(background(size));
        if (given.has(port.value)) return bind(port, buffer);
        buffers.set(port.value, buffer);
        computed.set(port.value, size);
        return bind(port, buffer);
      });
      // What a default gives is left out, so that it is the default that runs.
      const compiled = await device.compile(withoutEqualDefaults(node.descriptor));
      disposables.push(compiled);
      compiled.dispatch(byField([...node.inputs, ...node.outputs], [...inputs, ...outputs]));
    }
    const read = [...computed].map(async ([name, size]): Promise<[string, Bytes]> => [
      name,
      new Uint8Array(await bufferOf(buffers, name).read(0, size)),
    ]);
    return new Map([...given, ...(await Promise.all(read))]);
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}

function bufferOf(buffers: ReadonlyMap<string, DirectMLBuffer>, value: string): DirectMLBuffer {
  const buffer = buffers.get(value);
  if (buffer === undefined) throw new RangeError(`no buffer ${value}`);
  return buffer;
}

/** The bindings of an operator: a tensor for each port. */
function byField(ports: readonly Port[], tensors: readonly Tensor[]): Record<string, Tensor | Tensor[]> {
  const bindings: Record<string, Tensor | Tensor[]> = {};
  for (const [i, tensor] of tensors.entries()) {
    const { field = '', isArray = false } = ports[i] ?? {};
    const others = bindings[field];
    bindings[field] = isArray ? [...(Array.isArray(others) ? others : []), tensor] : tensor;
  }
  return bindings;
}

/**
 * Compiles the graph and dispatches it twice in a row, into other outputs. Returns the bytes of both, by name.
 *
 * @throws {GraphFault} if an input or a byte behind an output was written.
 */
export async function runWhole(
  device: Device,
  { graph }: GraphCase,
  plain: PlainGraph,
  leaves: Values,
): Promise<readonly Values[]> {
  const disposables: { dispose(): void }[] = [];
  const guarded = (tensor: Layout, bytes: Bytes): Guarded => {
    const all = new Uint8Array(Math.ceil(bytes.length / 16) * 16 + GUARD).fill(BACKGROUND);
    all.set(bytes);
    const buffer = device.createBuffer(all.length);
    disposables.push(buffer);
    buffer.write(all);
    return { before: all, buffer, tensor: device.createTensor(withoutFlags(tensor), { buffer }) };
  };
  try {
    // As JSON has it, with strings for the numbers that JSON lacks.
    const descriptor = toJsonValue(graph);
    if (!isGraph(descriptor)) throw new TypeError('no graph');
    const compiled = await device.compileGraph(descriptor);
    disposables.push(compiled);
    const inputs = mapValues(plain.inputs, (tensor, name) => guarded(tensor, bytesFor(tensor, valueIn(leaves, name))));
    const runs = [1, 2].map(() =>
      mapValues(plain.outputs, ({ tensor }) => guarded(tensor, background(tensor.totalTensorSizeInBytes))),
    );
    for (const outputs of runs) {
      const bound = [...inputs, ...outputs].map(([name, { tensor }]): [string, Tensor] => [name, tensor]);
      compiled.dispatch(Object.fromEntries(bound));
    }
    const results = await Promise.all(runs.map((outputs) => readOutputs(plain, outputs)));
    for (const [name, { before, buffer }] of inputs) {
      const isSame = Buffer.compare(new Uint8Array(await buffer.read()), before) === 0;
      if (!isSame) throw new GraphFault(`the input ${name} was written`);
    }
    return results;
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}

/** A tensor with bytes behind it that nothing may write. */
interface Guarded {
  readonly before: Bytes;
  readonly buffer: DirectMLBuffer;
  readonly tensor: Tensor;
}

async function readOutputs(plain: PlainGraph, outputs: ReadonlyMap<string, Guarded>): Promise<Values> {
  const results = new Map<string, Bytes>();
  for (const [name, { buffer }] of outputs) {
    const size = plain.outputs.get(name)?.tensor.totalTensorSizeInBytes ?? 0;
    const bytes = new Uint8Array(await buffer.read());
    if (bytes.subarray(size).some((byte) => byte !== BACKGROUND))
      throw new GraphFault(`bytes behind the output ${name} were written`);
    results.set(name, bytes.slice(0, size));
  }
  return results;
}

function mapValues<From, To>(map: ReadonlyMap<string, From>, to: (value: From, name: string) => To): Map<string, To> {
  return new Map([...map].map(([name, value]) => [name, to(value, name)]));
}

/** The bytes of an output before the dispatch. */
export function background(size: number): Bytes {
  return new Uint8Array(size).fill(BACKGROUND);
}

function withoutFlags(tensor: Layout): TensorDesc {
  return { ...tensor, flags: 'none' };
}
