/** Runs a graph on a device: as a whole, and its nodes one by one, each as an operator of its own. */
import type { Device, DirectMLBuffer, Tensor, TensorDesc } from 'node-directml';
import { toJsonValue } from '#lib/graph/json-values.js';
import { BACKGROUND, background } from '../cases/run-case.js';
import { withoutEqualDefaults } from '../cases/defaults.js';
import {
  byField,
  bytesFor,
  valueIn,
  type Bytes,
  type GraphCase,
  type Layout,
  type PlainGraph,
  type Values,
} from './graph-case.js';
import { isGraph } from './loose-graph.js';

/** The number of bytes after each tensor of a graph that nothing may write to. */
const GUARD = 64;

/** A fault of a graph other than a wrong number. */
class GraphFault extends Error {}

/**
 * Dispatches the nodes one after the other, without waiting. Nodes read the given values in place of computed outputs. Resolves to
 * the given values and all other outputs of nodes.
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
    for (const node of nodes) {
      const bindings = byField([...node.inputs, ...node.outputs], (port) => {
        const { tensor, value } = port;
        const isInput = node.inputs.includes(port);
        const buffer = isInput ? valueIn(buffers, value) : newBuffer(background(tensor.totalTensorSizeInBytes));
        if (!isInput && !given.has(value)) buffers.set(value, buffer);
        return device.createTensor(withoutFlags(tensor), { buffer });
      });
      // Fields that equal their default are left out, so that the default itself is tested.
      const compiled = await device.compile(withoutEqualDefaults(node.descriptor));
      disposables.push(compiled);
      compiled.dispatch(bindings);
    }
    const computed = nodes.flatMap(({ outputs }) => outputs.filter(({ value }) => !given.has(value)));
    const read = computed.map(async ({ tensor, value }): Promise<[string, Bytes]> => [
      value,
      new Uint8Array(await valueIn(buffers, value).read(0, tensor.totalTensorSizeInBytes)),
    ]);
    return new Map([...given, ...(await Promise.all(read))]);
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}

/**
 * Compiles the graph and dispatches it twice in a row, into different outputs. Resolves to the bytes of both runs, by name.
 *
 * @throws {GraphFault} if an input or a byte after an output was written
 */
export async function runWhole(
  device: Device,
  { graph, optimize }: GraphCase,
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
    // Half of the shared constants are tensors of the program, the others are uploaded for the graph.
    const shared = new Map(
      [...plain.constants].filter(([name], i) => i % 2 === 0 && graph.constants[name]?.ownership === 'shared'),
    );
    const constants = mapValues(shared, (tensor, name) => guarded(tensor, bytesFor(tensor, valueIn(leaves, name))));
    const given = Object.fromEntries([...constants].map(([name, { tensor }]): [string, Tensor] => [name, tensor]));
    const compiled = await device.compileGraph(descriptor, { constants: given, optimize });
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
    for (const [name, { before, buffer }] of [...inputs, ...constants]) {
      const isSame = Buffer.compare(new Uint8Array(await buffer.read()), before) === 0;
      if (!isSame) throw new GraphFault(`${name} was written, which is an input or a constant`);
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

function withoutFlags(tensor: Layout): TensorDesc {
  return { ...tensor, flags: 'none' };
}
