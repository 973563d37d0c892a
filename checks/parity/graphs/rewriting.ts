/**
 * The reasons why DirectML refuses some graphs as they are described, but accepts the graphs that the package makes of them. Each
 * reason is tested: a remedy removes it from the description, without any code of the package, and DirectML judges again.
 */
import { writeJson } from '../../cases/case.js';
import {
  isFourBit,
  isReference,
  nameIn,
  readersIn,
  setSlot,
  slotsOf,
  valuesOf,
  type LooseGraph,
} from '../../graphs/loose-graph.js';
import { isTensor, recurrent } from '../../descriptors/candidate.js';
import { freshName, outputsOf } from './edit.js';

/** Changes a graph; one that has nothing to change in this way stays as it is. */
type Change = (graph: LooseGraph) => void;

const changes: readonly (readonly [cause: string, change: Change])[] = [
  ['constants of recurrent operators', disownForRecurrent],
  ['values with memory of their own', outputAll],
  ['tiles in the place of identities', tileIdentities],
  ['4-bit values that are two outputs', outputFourBitsOnce],
  ['another layout of 4-bit tensors', widenFourBits],
];

interface Remedy {
  readonly cause: string;
  readonly graph: LooseGraph;
}

/** The graph without each of the reasons that it has; last, if there are several, without all of them. */
export function remediesOf(graph: LooseGraph): Remedy[] {
  const before = writeJson(graph);
  const remedies: Remedy[] = [];
  const all = structuredClone(graph);
  for (const [cause, change] of changes) {
    const changed = structuredClone(graph);
    change(changed);
    if (writeJson(changed) === before) continue;
    remedies.push({ cause, graph: changed });
    change(all);
  }
  return remedies.length > 1 ? [...remedies, { cause: 'several of these', graph: all }] : remedies;
}

function disownForRecurrent(graph: LooseGraph): void {
  for (const { descriptor, value } of readersIn(graph)) {
    if (value !== undefined && recurrent.includes(descriptor.type)) delete graph.constants[value.name]?.flags;
  }
}

/** Makes every value that is read an output, because DirectML gives outputs their own memory. */
function outputAll(graph: LooseGraph): void {
  const already = new Set(Object.values(graph.outputs).map(nameIn));
  const read = new Set(readersIn(graph).map(({ reference }) => nameIn(reference)));
  for (const { name } of outputsOf(graph)) {
    if (read.has(name) && !already.has(name)) graph.outputs[freshName(graph, 'kept')] = name;
  }
}

/** Replaces identities by tiles without repeats, which make the same copy but are not dropped by DirectML. */
function tileIdentities(graph: LooseGraph): void {
  for (const [name, descriptor] of Object.entries(graph.nodes)) {
    const { type, inputTensor, outputTensor, scaleBias } = descriptor;
    if (type !== 'elementWiseIdentity' || (scaleBias ?? null) !== null || !isTensor(outputTensor)) continue;
    graph.nodes[name] = { type: 'tile', inputTensor, outputTensor, repeats: outputTensor.sizes.map(() => 1) };
  }
}

function outputFourBitsOnce(graph: LooseGraph): void {
  const values = valuesOf(graph);
  const seen = new Set<string>();
  for (const [output, reference] of Object.entries(graph.outputs)) {
    const value = values.get(nameIn(reference));
    if (value === undefined || !isFourBit(value.tensor)) continue;
    if (seen.has(value.name)) delete graph.outputs[output];
    seen.add(value.name);
  }
}

/** Makes 4-bit tensors 8-bit, because DirectML accepts those in any layout. */
function widenFourBits(graph: LooseGraph): void {
  for (const part of [graph.inputs, graph.constants]) for (const tensor of Object.values(part)) widen(tensor);
  for (const descriptor of Object.values(graph.nodes)) {
    for (const slot of slotsOf(descriptor)) {
      if (isTensor(slot.value) || isReference(slot.value)) setSlot(descriptor, slot, widen(slot.value));
    }
  }
  for (const reference of Object.values(graph.outputs)) widen(reference);
}

const eightBits = { int4: 'int8', uint4: 'uint8' } as const;

function widen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || !('dataType' in value)) return value;
  if (value.dataType !== 'int4' && value.dataType !== 'uint4') return value;
  Object.assign(value, { dataType: eightBits[value.dataType] });
  if ('totalTensorSizeInBytes' in value) delete value.totalTensorSizeInBytes;
  return value;
}
