/**
 * Explains a graph whose bits differ from those of its operators one by one. Inside a graph, DirectML rounds some operators
 * differently, because it chooses the layout of their outputs (docs/differences.md). The nodes after such an operator may differ by
 * any amount, so a sum of tolerances along a path would mean nothing. Instead, the graph is compiled again in a way that shows the
 * outputs of these operators. Each output must be within its operator's tolerance of the reference's for the same inputs; and from
 * these very bits, the operators after it must compute one by one exactly what the graph computed.
 */
import type { Device } from 'node-directml';
import { isFloat } from '#lib/tensors/data-types.js';
import { relaid } from '../cases/layout.js';
import { background } from '../cases/run-case.js';
import type { Devices } from '../conformance/runner.js';
import { isExact } from '../tolerance/row.js';
import { toleranceOf } from '../operators/tolerances.js';
import { differenceFromKernel, differenceOfOutputs } from './differences.js';
import {
  leavesOf,
  plainGraph,
  type Bytes,
  type GraphCase,
  type Layout,
  type PlainGraph,
  type PlainNode,
  type Port,
  type Values,
} from './graph-case.js';
import { fused, repacked, withPackedOutputs } from './fused.js';
import { runOneByOne, runWhole } from './run-graph.js';

/**
 * Operators that often round differently, with some descriptors, mostly with strides. All other operators that round are tried
 * after these.
 */
const ROUNDED_OTHERWISE =
  /^(multiheadAttention|batchNormalization|meanVarianceNormalization1?$|activationSoftmax1|activationLogSoftmax)/;

/** Resolves to null if everything is explained, else to the reasons why it is not. */
export async function unexplainedIn(
  devices: Devices,
  test: GraphCase,
  whole: PlainGraph,
  runs: readonly Values[],
): Promise<string | null> {
  const reasons: string[] = [];
  for (const plain of [fused(whole), repacked(fused(whole))]) {
    for (const mayRound of [isSeen, isComputed]) {
      const nodes = plain.nodes.filter((node) => mayRound(node) || !whole.nodes.includes(node));
      if (nodes.length === 0) continue;
      // An output of the graph has the layout that it asks for; other values have the one that DirectML chooses, which a copy
      // shows.
      for (const showing of ['nothing', 'asOutputs', 'asCopies'] as const) {
        const unexplained = await unexplainedShowing(devices, test, plain, nodes, runs, showing);
        if (unexplained === null) return null;
        reasons.push(`; ${unexplained}`);
      }
    }
  }
  return reasons.join('');
}

type Showing = 'nothing' | 'asOutputs' | 'asCopies';

async function unexplainedShowing(
  { directml, reference }: Devices,
  test: GraphCase,
  plain: PlainGraph,
  nodes: readonly PlainNode[],
  runs: readonly Values[],
  showing: Showing,
): Promise<string | null> {
  const ports = showing === 'nothing' ? [] : portsToShow(plain, nodes);
  const shown = withOutputs(test, ports, showing);
  const shownPlain = plainGraph(shown);
  const leaves = leavesOf(shown, shownPlain);
  const shownRuns = await runWhole(directml, shown, shownPlain, leaves);
  const given = new Map<string, Bytes>(leaves);
  for (const { tensor, value } of ports) {
    const name = `${SHOWN}${value}`;
    given.set(value, bytesIn(tensor, shownPlain.outputs.get(name)?.tensor, shownRuns[0]?.get(name)));
  }
  for (const [name, { tensor, value }] of plain.outputs) {
    const isKnown = nodes.some(({ outputs }) => outputs.some((port) => port.value === value && sameBytes(port.tensor, tensor)));
    if (isKnown && !given.has(value)) given.set(value, bytesIn(tensor, tensor, shownRuns[0]?.get(name)));
  }
  const values = await runOneByOne(directml, plain, given);
  for (const node of nodes) {
    const difference = await differenceFromKernel(reference, node, values);
    if (difference !== null && (await differenceOfPacked(reference, node, values)) !== null)
      return `inside the graph, ${node.name} is not as the reference: ${difference}`;
  }
  const behind = differenceOfOutputs(plain, values, shownRuns);
  if (behind !== null) return `nor from where it rounds otherwise: ${behind}`;
  const hidden = differenceOfOutputs(plain, values, runs);
  return hidden === null ? null : `nor does it give the same with more outputs: ${hidden}`;
}

/** Like `differenceFromKernel`, if DirectML computes packed outputs and copies them into the layouts that the graph asks for. */
function differenceOfPacked(reference: Device, node: PlainNode, values: Values): Promise<string | null> {
  const packed = withPackedOutputs(node);
  const given = new Map(values);
  for (const [i, { tensor, value }] of node.outputs.entries()) {
    const to = packed.outputs[i]?.tensor ?? tensor;
    given.set(value, bytesIn(to, tensor, values.get(value)));
  }
  return differenceFromKernel(reference, packed, given);
}

const SHOWN = 'shown ';

function isSeen({ descriptor }: PlainNode): boolean {
  if (ROUNDED_OTHERWISE.test(descriptor.type)) return true;
  return descriptor.type === 'gemm' && /softmax/i.test(descriptor.fusedActivation?.type ?? '');
}

/** True if the operator rounds at all. */
function isComputed({ descriptor, outputs }: PlainNode): boolean {
  return outputs.some(({ path, tensor }) => isFloat(tensor.dataType) && !isExact(toleranceOf({ descriptor, data: {} }, path)));
}

/**
 * The outputs of these nodes that other nodes read. An output that nothing reads stays hidden, because showing it may change how
 * the operator is computed.
 */
function portsToShow(plain: PlainGraph, nodes: readonly PlainNode[]): Port[] {
  const read = new Set(plain.nodes.flatMap(({ inputs }) => inputs.map(({ value }) => value)));
  return nodes.flatMap(({ outputs }) => outputs.filter(({ value }) => read.has(value)));
}

function withOutputs({ graph, ...others }: GraphCase, ports: readonly Port[], showing: Showing): GraphCase {
  const nodes = { ...graph.nodes };
  const outputs = { ...graph.outputs };
  for (const { tensor, value } of ports) {
    const name = `${SHOWN}${value}`;
    outputs[name] = showing === 'asOutputs' ? value : `${name}.outputTensor`;
    if (showing === 'asOutputs') continue;
    const { dataType, sizes } = tensor;
    nodes[name] = { type: 'tile', inputTensor: value, repeats: sizes.map(() => 1), outputTensor: { dataType, sizes } };
  }
  return { ...others, graph: { ...graph, nodes, outputs } };
}

/** The bytes of a value in another layout. */
function bytesIn(to: Layout, from: Layout | undefined, bytes: Bytes | undefined): Bytes {
  if (from === undefined || bytes === undefined) throw new RangeError('an output that is not there');
  if (sameBytes(from, to) && (from.strides ?? null) === null && (to.strides ?? null) === null) return bytes;
  return relaid(from, bytes, to, background(to.totalTensorSizeInBytes));
}

function sameBytes(a: Layout, b: Layout): boolean {
  return a.totalTensorSizeInBytes === b.totalTensorSizeInBytes;
}
