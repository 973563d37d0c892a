/**
 * Checks one graph: DirectML's graph against DirectML's operators one by one, these against the reference's kernels, and the
 * reference's graph against its kernels one by one.
 */
import type { Device } from 'node-directml';
import type { Devices } from '../conformance/runner.js';
import { base64 } from '../cases/case.js';
import { shrunk } from '../harness/shrink.js';
import { leavesOf, plainGraph, valueIn, type GraphCase, type PlainGraph } from './graph-case.js';
import { differenceFromKernel, differenceOfOutputs, distanceOfOutputs } from './differences.js';
import { unexplainedIn } from './explain.js';
import { runOneByOne, runWhole } from './run-graph.js';
import { inputFor, smallerGraphs } from './smaller-graphs.js';

interface Failure {
  /** The part that fails: an operator alone, DirectML's graph, the reference's graph, or an exception. */
  readonly part: 'operator' | 'graph' | 'reference' | 'error';
  readonly text: string;
}

/** Resolves to the failure of the graph, or to null. */
export async function checkGraph(devices: Devices, test: GraphCase): Promise<Failure | null> {
  try {
    const plain = plainGraph(test);
    if (test.optimize === 'fast') return await checkFast(devices, test, plain);
    return (await checkDirectML(devices, test, plain)) ?? (await checkReference(devices.reference, test, plain));
  } catch (error) {
    return { part: 'error', text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function checkDirectML(devices: Devices, test: GraphCase, plain: PlainGraph): Promise<Failure | null> {
  const { directml, reference } = devices;
  const leaves = leavesOf(test, plain);
  const values = await runOneByOne(directml, plain, leaves);
  for (const node of plain.nodes) {
    const difference = await differenceFromKernel(reference, node, values);
    if (difference !== null) return { part: 'operator', text: `${node.name} alone is not as the reference: ${difference}` };
  }
  const runs = await runWhole(directml, test, plain, leaves);
  const difference = differenceOfOutputs(plain, values, runs);
  if (difference === null) return null;
  const unexplained = await unexplainedIn(devices, test, plain, runs);
  if (unexplained === null) return null;
  return { part: 'graph', text: `DirectML's graph is not as its operators one by one: ${difference}${unexplained}` };
}

/** The improved graph gives nearly the same numbers as the written one, on both devices. */
async function checkFast(devices: Partial<Devices>, test: GraphCase, plain: PlainGraph): Promise<Failure | null> {
  const leaves = leavesOf(test, plain);
  for (const [name, device] of Object.entries(devices)) {
    const [expected = new Map<string, never>()] = await runWhole(device, { ...test, optimize: false }, plain, leaves);
    const [given = new Map<string, never>()] = await runWhole(device, test, plain, leaves);
    const difference = distanceOfOutputs(plain, expected, given);
    const part = name === 'reference' ? 'reference' : 'graph';
    if (difference !== null) return { part, text: `on ${name}, the improved graph is not as the written one: ${difference}` };
  }
  return null;
}

/** On the reference alone. */
export async function checkReference(reference: Device, test: GraphCase, plain: PlainGraph): Promise<Failure | null> {
  if (test.optimize === 'fast') return checkFast({ reference }, test, plain);
  const leaves = leavesOf(test, plain);
  const values = await runOneByOne(reference, plain, leaves);
  const runs = await runWhole(reference, test, plain, leaves);
  const difference = differenceOfOutputs(plain, values, runs, { anyNan: true });
  if (difference === null) return null;
  return { part: 'reference', text: `the reference's graph is not as its kernels one by one: ${difference}` };
}

/** The smallest graph that fails in the same part. */
export async function smallestFailure(devices: Devices, test: GraphCase, { part }: Failure): Promise<GraphCase> {
  return shrunk(
    test,
    (current) => smallerCases(devices.directml, current),
    async (candidates) => {
      for (const candidate of candidates) {
        if ((await checkGraph(devices, candidate))?.part === part) return candidate;
      }
      return undefined;
    },
  );
}

/** Smaller graphs with their data. Where an input replaces a node, it has the bytes that the node computes. */
async function smallerCases(directml: Device, test: GraphCase): Promise<GraphCase[]> {
  const plain = plainGraph(test);
  const values = await runOneByOne(directml, plain, leavesOf(test, plain));
  const bytes = new Map([...values].map(([name, value]) => [inputFor(name), value]));
  return smallerGraphs(test.graph).map((graph) => {
    const data = Object.keys(graph.inputs).map((name) => [name, test.data[name] ?? base64(valueIn(bytes, name))]);
    return { ...test, graph, data: Object.fromEntries(data) };
  });
}
