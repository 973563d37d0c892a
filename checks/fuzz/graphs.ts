/** Random graphs of small operators, and memory for a dispatch of a compiled one. */
import { minimumTensorSizeInBytes, Value, type OperatorDescriptor, type TensorDesc } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { spanInBytes } from '#lib/tensors/tensor-size.js';
import { isTensor } from '../cases/layout.js';
import { bytesFor, REGIONS } from '../descriptors/dispatch-cases.js';
import type { Random } from '../harness/random.js';
import { call } from './malformed/values.js';
import { anyDescriptor, bindingsIn, layoutOf, runsEverywhere, type Layout, type LooseBindings } from './operators.js';
import type { HeldCompiledGraph, HeldGraph, World } from './world.js';

/** A graph with more results does not grow. */
export const MOST_RESULTS = 24;
/** Names that code without care mistakes for something else. */
const ODD_NAMES = ['__proto__', 'constructor', 'then', 'toString', 'layer.1', 'a b', '\0', '\ud800', 'x'.repeat(1000)];
/** Data types that elementWiseIdentity does not support, at least not on every device. */
const NOT_COPIED: readonly string[] = ['int4', 'uint4', 'float64'];

/**
 * A name that the graph does not have yet. An odd name is not drawn for an uncertain graph, which may already have it from a
 * malformed call.
 */
export function freshName(random: Random, { names, isUncertain }: HeldGraph): string {
  const odd = random.pick(ODD_NAMES);
  const name = random.chance(0.2) && !isUncertain && !names.has(odd) ? odd : `value ${names.size}`;
  names.add(name);
  return name;
}

/** Adds a random operator. True if it runs everywhere. */
export function addNode(random: Random, world: World, held: HeldGraph): boolean {
  const node = anyNode(random, world, held);
  const outputs = call(held.value.add, held.value, [node]);
  const results = Object.values(Object(outputs))
    .flat()
    .filter((value): value is Value => value instanceof Value);
  held.results.push(...results);
  held.values.push(...results, ...results.flatMap((value) => (random.chance(0.2) ? [viewOf(random, value)] : [])));
  return runsEverywhere(node);
}

/** A random operator, whose inputs are values of the graph, and new inputs and constants. */
export function anyNode(random: Random, world: World, held: HeldGraph): Pick<OperatorDescriptor, 'type'> {
  const descriptor = anyDescriptor(random);
  const given = new Map<string, unknown>(Object.entries(descriptor));
  for (const { name, role } of operatorTable[descriptor.type].fields) {
    const tensors = given.get(name);
    const valueOf = (tensor: unknown) => (isTensor(tensor) ? pickValue(random, world, held, tensor, name === REGIONS) : tensor);
    if (role === 'input') given.set(name, Array.isArray(tensors) ? tensors.map(valueOf) : valueOf(tensors));
    else if (role === 'output' && random.chance(0.2) && canInfer(descriptor.type)) given.delete(name);
  }
  return { type: descriptor.type, ...Object.fromEntries(given) };
}

/** True if the operator has one output, all of whose parts but the strides are inferred. */
function canInfer(type: string): boolean {
  return type.startsWith('elementWiseA') || type === 'activationRelu';
}

/** A value of the graph that can be read as this tensor, or a new input or constant. */
function pickValue(random: Random, world: World, held: HeldGraph, tensor: TensorDesc, isRegion: boolean): Value {
  const { dataType, sizes, strides } = layoutIn(tensor);
  const size = minimumTensorSizeInBytes(dataType, sizes, strides);
  const fits = (value: Value) =>
    value.dataType === dataType && minimumTensorSizeInBytes(dataType, value.sizes, value.strides) === size;
  const found = isRegion || random.chance(0.3) ? [] : held.values.filter(fits);
  return found.length === 0 ? newLeaf(random, world, held, tensor, isRegion) : random.pick(found).view({ sizes, strides });
}

function newLeaf(random: Random, world: World, held: HeldGraph, tensor: TensorDesc, isRegion: boolean): Value {
  const { value: graph, owner } = held;
  const name = freshName(random, held);
  if (isRegion) held.regions.add(name);
  const make = random.pick<() => Value>([
    () => graph.input(name, tensor),
    () => graph.constant(tensor, dataOf(random, tensor, isRegion), { name }),
    () => {
      const value = owner.device.createTensor(tensor, dataOf(random, tensor, isRegion));
      if (random.chance(0.5)) world.keep(random, world.tensors, { value, owner, isGone: false });
      return graph.constant(value, { name });
    },
  ]);
  const value = make();
  held.values.push(value);
  return value;
}

function dataOf(random: Random, tensor: TensorDesc, isRegion: boolean): ArrayBuffer {
  return bytesFor(random, isRegion)(dataSizeOf(tensor)).slice().buffer;
}

/** The size of a tensor's data in bytes. */
export function dataSizeOf(tensor: TensorDesc): number {
  const { dataType, sizes, strides } = layoutIn(tensor);
  return spanInBytes(dataType, sizes, strides);
}

/** Takes strides only from the tensor itself, because Object.prototype may have strides at the moment. */
function layoutIn(tensor: TensorDesc) {
  const { dataType, sizes } = tensor;
  return { dataType, sizes, strides: (Object.hasOwn(tensor, 'strides') ? tensor.strides : null) ?? null };
}

/** A view of the value with the same elements in another layout. */
function viewOf(random: Random, value: Value): Value {
  const { dataType, sizes, strides } = value;
  if (NOT_COPIED.includes(dataType)) return value;
  return random.pick<() => Value>([
    () => (strides === null ? value.reshape([sizes.reduce((all, size) => all * size, 1)]) : value.view({})),
    () => value.transpose(),
    () => (sizes.length < 8 ? value.broadcastTo([2, ...sizes]) : value),
  ])();
}

/** Picks values of the graph as outputs, by name; null if the graph has no results. */
export function pickOutputs(random: Random, { results, values, names }: HeldGraph): Readonly<Record<string, Value>> | null {
  const copied = values.filter(({ dataType }) => !NOT_COPIED.includes(dataType));
  if (results.length === 0) return null;
  const outputs = new Map<string, Value>();
  for (let i = random.int(1, 4); i > 0; i--) {
    const name = random.chance(0.2) ? random.pick(ODD_NAMES) : `output ${i}`;
    const picked = random.pick(random.chance(0.3) && copied.length > 0 ? copied : results);
    if (!names.has(name)) outputs.set(name, random.chance(0.2) ? viewOf(random, picked) : picked);
  }
  return outputs.size === 0 ? null : Object.fromEntries(outputs);
}

/** Creates memory for one dispatch of a compiled graph and fills it with data. */
export function bindGraph(random: Random, world: World, { value, owner, regions }: HeldCompiledGraph) {
  const read = layoutOf(Object.entries(value.inputs));
  const written = layoutOf(Object.entries(value.outputs), read.sizeInBytes);
  const buffer = owner.device.createBuffer(written.sizeInBytes);
  world.keep(random, world.buffers, { value: buffer, owner, isGone: false });
  for (const { name, places } of read.fields) {
    for (const { offset, size } of places) buffer.write(bytesFor(random, regions.has(name))(size), offset);
  }
  const bind = (layout: Layout, descs: typeof value.inputs) => {
    const ranges = Object.entries(bindingsIn(layout, buffer)).map(([name, range]): [string, LooseBindings[string]] => {
      const desc = descs[name];
      if (desc === undefined || !('buffer' in range) || random.chance(0.6)) return [name, range];
      return [name, owner.device.createTensor(desc, { buffer, offset: range.offset })];
    });
    return Object.fromEntries(ranges);
  };
  const inputs = bind(read, value.inputs);
  const outputs = bind(written, value.outputs);
  return { inputs, outputs, all: { ...inputs, ...outputs }, buffer };
}

/** Data of all constants of a compiled graph. */
export function constantsOf(random: Random, { constants, regions }: HeldCompiledGraph): Record<string, ArrayBuffer> {
  return Object.fromEntries(
    [...constants].map(([name, size]) => [name, bytesFor(random, regions.has(name))(size).slice().buffer]),
  );
}
