/** Makes a graph that fails smaller, as long as both sides say the same about it. */
import type { LooseGraph } from './candidate.js';
import { freshName, namesRead, readersIn } from './edit.js';
import { judgeGraphs, type JudgedGraph } from './judge.js';
import { setSlot, slotsOf } from './values.js';

export async function shrunk(failed: JudgedGraph): Promise<JudgedGraph> {
  for (let smallest = failed; ;) {
    const smaller = smallerThan(smallest.graph).map((graph) => ({ ...failed, graph }));
    const judged = await judgeGraphs(smaller);
    const [next] = judged.filter((one) => isSame(one, failed)).sort((a, b) => lengthOf(a) - lengthOf(b));
    if (next === undefined) return smallest;
    smallest = next;
  }
}

function isSame(one: JudgedGraph, failed: JudgedGraph): boolean {
  const answers = ({ outcome, theirs, lowered, ours }: JudgedGraph) => [outcome, theirs, lowered, ours?.code, ours?.expected];
  return String(answers(one)) === String(answers(failed));
}

function lengthOf({ graph }: JudgedGraph): number {
  return JSON.stringify(graph).length;
}

/** Graphs with one output less, or one output only, or an input in place of what a node reads. */
function smallerThan(graph: LooseGraph): LooseGraph[] {
  const names = Object.keys(graph.outputs);
  const kept =
    names.length < 2 ? [] : [...names.map((name) => [name]), ...names.map((name) => names.filter((other) => other !== name))];
  const withFewerOutputs = kept.map((left): LooseGraph => {
    const outputs = Object.entries(graph.outputs).filter(([name]) => left.includes(name));
    return { ...structuredClone(graph), outputs: structuredClone(Object.fromEntries(outputs)) };
  });
  const cut = readersIn(graph).flatMap(({ value, tensor, node, slot }): LooseGraph[] => {
    if (value?.node === undefined || value.node === null) return [];
    const changed = structuredClone(graph);
    const input = freshName(changed, 'cut');
    changed.inputs[input] = structuredClone(tensor);
    const reader = changed.nodes[node];
    if (reader !== undefined) setSlot(reader, slot, input);
    return [changed];
  });
  for (const changed of [...withFewerOutputs, ...cut]) prune(changed);
  return [...withFewerOutputs, ...cut];
}

/** Removes nodes that nothing reads, and then inputs and constants that nothing reads. */
function prune(graph: LooseGraph): void {
  for (let before = -1; before !== Object.keys(graph.nodes).length;) {
    before = Object.keys(graph.nodes).length;
    const read = namesRead(graph);
    for (const [node, descriptor] of Object.entries(graph.nodes)) {
      if (!slotsOf(descriptor, 'output').some(({ path }) => read.has(`${node}.${path}`))) delete graph.nodes[node];
    }
  }
  const read = namesRead(graph);
  for (const part of [graph.inputs, graph.constants])
    for (const name of Object.keys(part)) if (!read.has(name)) delete part[name];
}
