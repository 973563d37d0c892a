/**
 * Explains a graph that does not give the bits of its operators one by one. Inside a graph, DirectML rounds some operators
 * otherwise, because it chooses the layout of their outputs (docs/differences.md). What follows on such an operator may differ
 * by any amount, so a sum of tolerances along a path would say nothing. Instead, the graph is compiled again in a way that shows
 * the outputs of these operators. Each must be within the operator's tolerance of what the reference makes of the same inputs;
 * and the operators behind it, one by one, must make of these very bits, to the bit, what the graph made.
 */
import type { Device, NodeDesc, OperatorType } from 'node-directml';
import { isFloat } from '#lib/data-types/table.js';
import { bytesPerElement } from '../conformance/case.js';
import { offsetOf, product } from '../conformance/layout.js';
import type { Devices } from '../conformance/runner.js';
import { isExact } from '../conformance/tolerance/row.js';
import { toleranceOf } from '../operators/tolerances.js';
import { differenceOf } from './compare-values.js';
import { differenceFromKernel, differenceOfOutputs, type WorstErrors } from './differences.js';
import {
  leavesOf,
  plainGraph,
  valueIn,
  type Bytes,
  type GraphCase,
  type Layout,
  type PlainGraph,
  type PlainNode,
  type Port,
  type Values,
} from './graph-case.js';
import { fused, repacked, withPackedOutputs } from './fused.js';
import { background, runOneByOne, runWhole } from './run-graph.js';

/** Often seen, with some descriptors, mostly with strides. Any other operator that rounds is tried after these. */
const ROUNDED_OTHERWISE: readonly OperatorType[] = [
  'multiheadAttention',
  'multiheadAttention1',
  'batchNormalization',
  'batchNormalizationTraining',
  'batchNormalizationGrad',
  'batchNormalizationTrainingGrad',
  'meanVarianceNormalization',
  'meanVarianceNormalization1',
  'activationSoftmax1',
  'activationLogSoftmax',
  'activationLogSoftmax1',
];

/** An operator that is rounded otherwise in a graph than alone. */
export interface Rounded {
  readonly type: OperatorType;
  /** The largest share of its tolerance that an element uses. */
  readonly share: number;
}

export interface Explanation {
  readonly rounded: readonly Rounded[];
  /** Null if everything is explained. */
  readonly unexplained: string | null;
}

export async function explain(
  devices: Devices,
  test: GraphCase,
  whole: PlainGraph,
  runs: readonly Values[],
): Promise<Explanation> {
  const alone = await runOneByOne(devices.directml, whole, leavesOf(test, whole));
  const reasons: string[] = [];
  for (const plain of [fused(whole), repacked(fused(whole))]) {
    for (const mayRound of [isSeen, isComputed]) {
      const nodes = plain.nodes.filter((node) => mayRound(node) || !whole.nodes.includes(node));
      if (nodes.length === 0) continue;
      // An output of the graph has the layout that it asks for; other values have the one that DirectML chooses, which a copy shows.
      for (const showing of ['nothing', 'asOutputs', 'asCopies'] as const) {
        const { values, unexplained } = await explainShowing(devices, test, plain, nodes, runs, showing);
        if (unexplained === null) {
          const rounded = nodes.filter((node) => mayRound(node) && !hasSameOutputs(node, values, whole, alone));
          return { rounded: await Promise.all(rounded.map((node) => usedShare(devices.reference, node, values))), unexplained };
        }
        reasons.push(`; ${unexplained}`);
      }
    }
  }
  return { rounded: [], unexplained: reasons.join('') };
}

type Showing = 'nothing' | 'asOutputs' | 'asCopies';

async function explainShowing(
  { directml, reference }: Devices,
  test: GraphCase,
  plain: PlainGraph,
  nodes: readonly PlainNode[],
  runs: readonly Values[],
  showing: Showing,
): Promise<{ readonly values: Values; readonly unexplained: string | null }> {
  const ports = showing === 'nothing' ? [] : portsToShow(plain, nodes);
  const shown = withOutputs(test, ports, showing);
  const shownPlain = plainGraph(shown);
  const leaves = leavesOf(shown, shownPlain);
  const shownRuns = await runWhole(directml, shown, shownPlain, leaves);
  const given = new Map<string, Bytes>(leaves);
  for (const { tensor, value } of ports) {
    const name = `${SHOWN}${value}`;
    given.set(value, relaid(shownPlain.outputs.get(name)?.tensor, shownRuns[0]?.get(name), tensor));
  }
  for (const [name, { tensor, value }] of plain.outputs) {
    const isKnown = nodes.some(({ outputs }) => outputs.some((port) => port.value === value && sameBytes(port.tensor, tensor)));
    if (isKnown && !given.has(value)) given.set(value, relaid(tensor, shownRuns[0]?.get(name), tensor));
  }
  const values = await runOneByOne(directml, plain, given);
  for (const node of nodes) {
    const difference = await differenceFromKernel(reference, node, values);
    if (difference !== null && (await differenceOfPacked(reference, node, values)) !== null)
      return { values, unexplained: `inside the graph, ${node.name} is not as the reference: ${difference}` };
  }
  const behind = differenceOfOutputs(plain, values, shownRuns);
  if (behind !== null) return { values, unexplained: `nor from where it rounds otherwise: ${behind}` };
  const hidden = differenceOfOutputs(plain, values, runs);
  return { values, unexplained: hidden === null ? null : `nor does it give the same with more outputs: ${hidden}` };
}

/** Like `differenceFromKernel`, if DirectML computes packed outputs and copies them into the layouts that the graph asks for. */
function differenceOfPacked(reference: Device, node: PlainNode, values: Values): Promise<string | null> {
  const packed = withPackedOutputs(node);
  const given = new Map(values);
  for (const [i, { tensor, value }] of node.outputs.entries()) {
    const to = packed.outputs[i]?.tensor ?? tensor;
    given.set(value, relaid(tensor, values.get(value), to));
  }
  return differenceFromKernel(reference, packed, given);
}

const SHOWN = 'shown ';

function isSeen({ descriptor }: PlainNode): boolean {
  if (ROUNDED_OTHERWISE.includes(descriptor.type)) return true;
  return descriptor.type === 'gemm' && /softmax/i.test(descriptor.fusedActivation?.type ?? '');
}

/** True if the operator rounds at all. */
function isComputed({ descriptor, outputs }: PlainNode): boolean {
  return outputs.some(({ path, tensor }) => isFloat(tensor.dataType) && !isExact(toleranceOf({ descriptor, data: {} }, path)));
}

/** The outputs of these nodes that others read. One that nothing reads stays hidden: the operator may be computed otherwise then. */
function portsToShow(plain: PlainGraph, nodes: readonly PlainNode[]): Port[] {
  const read = new Set(plain.nodes.flatMap(({ inputs }) => inputs.map(({ value }) => value)));
  return nodes.flatMap(({ outputs }) => outputs.filter(({ value }) => read.has(value)));
}

function withOutputs({ graph, data }: GraphCase, ports: readonly Port[], showing: Showing): GraphCase {
  const copies = ports.map(({ tensor: { dataType, sizes }, value }): [string, NodeDesc] => {
    const repeats = sizes.map(() => 1);
    return [`${SHOWN}${value}`, { type: 'tile', inputTensor: value, repeats, outputTensor: { dataType, sizes } }];
  });
  const outputs = ports.map(({ value }) => [
    `${SHOWN}${value}`,
    showing === 'asOutputs' ? value : `${SHOWN}${value}.outputTensor`,
  ]);
  const nodes = showing === 'asOutputs' ? graph.nodes : { ...graph.nodes, ...Object.fromEntries(copies) };
  return { graph: { ...graph, nodes, outputs: { ...graph.outputs, ...Object.fromEntries(outputs) } }, data };
}

/** The elements of a value in another layout. */
function relaid(from: Layout | undefined, bytes: Bytes | undefined, to: Layout): Bytes {
  if (from === undefined || bytes === undefined) throw new RangeError('an output that is not there');
  if (sameBytes(from, to) && (from.strides ?? null) === null && (to.strides ?? null) === null) return bytes;
  const width = bytesPerElement(to.dataType);
  const laid = background(to.totalTensorSizeInBytes);
  for (let element = 0; element < product(to.sizes); element++) {
    const at = offsetOf(from, element) * width;
    laid.set(bytes.subarray(at, at + width), offsetOf(to, element) * width);
  }
  return laid;
}

function sameBytes(a: Layout, b: Layout): boolean {
  return a.totalTensorSizeInBytes === b.totalTensorSizeInBytes;
}

/** True if the node gives the same elements as in the graph whose values are `alone`. */
function hasSameOutputs({ outputs }: PlainNode, values: Values, { nodes }: PlainGraph, alone: Values): boolean {
  const before = new Map(nodes.flatMap((node) => node.outputs.map((port) => [port.value, port.tensor])));
  return outputs.every(({ tensor, value }) => {
    const expected = relaid(before.get(value), alone.get(value), tensor);
    return differenceOf(tensor, expected, valueIn(values, value)) === null;
  });
}

async function usedShare(reference: Device, node: PlainNode, values: Values): Promise<Rounded> {
  const worst: WorstErrors = new Map();
  await differenceFromKernel(reference, node, values, { worst });
  return { type: node.descriptor.type, share: Math.max(0, ...[...worst.values()].map(({ share }) => share)) };
}
