/** Mutations of what a graph has: nodes that lead nowhere, inputs that nothing reads, names, and outputs. */
import type { Random } from '../../random.js';
import type { GraphMutation, LooseGraph, Mistake } from './candidate.js';
import { addCopy, copyable, freshName, leavesOf, outputsOf, pickFrom } from './edit.js';
import { valuesOf } from './values.js';

const CODE = 'ERR_INVALID_GRAPH';

export const brokenStructure: readonly GraphMutation[] = [
  { rule: 'pruned: nodes that lead to no output', expected: ['pruned'], change: deadNodes },
  { rule: 'pruned: an output less', expected: ['pruned', 'valid', 'rewritten'], change: lessOutputs },
  { rule: 'a node that leads to no output is wrong', expected: ['invalid'], change: wrongDeadNode },
  { rule: 'an input that nothing reads', expected: ['stricter', 'invalid'], change: unusedInput },
  { rule: 'valid: a constant that nothing reads', expected: ['valid', 'rewritten'], change: unusedConstant },
  { rule: 'valid: a value is one more output', expected: ['valid', 'rewritten'], change: outputTwice },
  { rule: 'rewritten: an output that is an input or constant', expected: ['rewritten'], change: leafOutput },
  { rule: 'an output that is a 4-bit input', expected: ['invalid'], change: fourBitOutput },
  { rule: 'rewritten: an output that is a sequence', expected: ['rewritten'], change: sequenceOutput },
  { rule: 'no outputs', expected: ['invalid'], change: noOutputs },
  { rule: 'no nodes and no outputs', expected: ['invalid'], change: nothing },
  { rule: 'rewritten: no nodes', expected: ['rewritten'], change: noNodes },
  { rule: 'an output has the name of an input', expected: ['stricter', 'invalid'], change: outputNamedAsInput },
  { rule: 'a constant has the name of an input', expected: ['stricter', 'invalid'], change: constantNamedAsInput },
  { rule: 'a node has the name of an input', expected: ['stricter', 'invalid'], change: nodeNamedAsInput },
  { rule: 'a constant has the name of an output of a node', expected: ['stricter', 'invalid'], change: constantNamedAsValue },
  { rule: 'a name that is empty or too long', expected: ['stricter', 'invalid'], change: badName },
];

function deadNodes(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, [...outputsOf(graph), ...leavesOf(graph)], copyable);
  if (value === undefined) return null;
  let last = addCopy(graph, value);
  for (let more = random.int(0, 2); more > 0; more--) last = addCopy(graph, valuesOf(graph).get(last) ?? value);
  return 'changed';
}

function lessOutputs(random: Random, graph: LooseGraph): 'changed' | null {
  const names = Object.keys(graph.outputs);
  if (names.length < 2) return null;
  delete graph.outputs[random.pick(names)];
  return 'changed';
}

function wrongDeadNode(random: Random, graph: LooseGraph): Mistake | null {
  const value = pickFrom(random, [...outputsOf(graph), ...leavesOf(graph)], copyable);
  if (value === undefined) return null;
  const [node = ''] = addCopy(graph, value).split('.');
  const descriptor = graph.nodes[node];
  if (descriptor === undefined) return null;
  descriptor['repeats'] = [2];
  return { code: 'ERR_SIZES', field: `nodes.${node}.` };
}

function unusedInput(random: Random, graph: LooseGraph): Mistake {
  const name = freshName(graph, 'unused');
  graph.inputs[name] = { dataType: 'float32', sizes: [random.int(1, 9)] };
  return { code: CODE, field: `inputs.${name}` };
}

function unusedConstant(random: Random, graph: LooseGraph): 'changed' {
  graph.constants[freshName(graph, 'unused')] = { dataType: 'float32', sizes: [random.int(1, 9)] };
  return 'changed';
}

function outputTwice(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, outputsOf(graph));
  if (value === undefined) return null;
  for (let times = random.int(1, 3); times > 0; times--) graph.outputs[freshName(graph, 'o')] = value.name;
  return 'changed';
}

function leafOutput(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, leavesOf(graph), copyable);
  if (value === undefined) return null;
  graph.outputs[freshName(graph, 'o')] = value.name;
  return 'changed';
}

/** No operator can copy such an input into an output. */
function fourBitOutput(random: Random, graph: LooseGraph): Mistake {
  const input = freshName(graph, 'input');
  const output = freshName(graph, 'o');
  graph[random.pick(['inputs', 'constants'] as const)][input] = { dataType: random.pick(['int4', 'uint4'] as const), sizes: [9] };
  graph.outputs[output] = input;
  return { code: 'ERR_DATA_TYPE', field: `outputs.${output}` };
}

function sequenceOutput(random: Random, graph: LooseGraph): 'changed' {
  const node = freshName(graph, 'sequence');
  const outputTensor = { dataType: 'float32', sizes: [random.int(1, 9)] };
  graph.nodes[node] = { type: 'fillValueSequence', outputTensor, valueDataType: 'float32', valueStart: 1, valueDelta: 2 };
  graph.outputs[freshName(graph, 'o')] = `${node}.outputTensor`;
  return 'changed';
}

function noOutputs(_random: Random, graph: LooseGraph): Mistake {
  graph.outputs = {};
  return { code: CODE, field: 'outputs' };
}

function nothing(random: Random, graph: LooseGraph): 'changed' {
  graph.nodes = {};
  graph.outputs = {};
  if (random.chance(0.5)) graph.inputs = {};
  return 'changed';
}

function noNodes(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, leavesOf(graph), copyable);
  if (value === undefined) return null;
  graph.nodes = {};
  graph.outputs = { [freshName(graph, 'o')]: value.name };
  for (const part of [graph.inputs, graph.constants])
    for (const name of Object.keys(part)) if (name !== value.name) delete part[name];
  return 'changed';
}

function outputNamedAsInput(random: Random, graph: LooseGraph): Mistake | null {
  const name = pickFrom(random, Object.keys(graph.inputs));
  const value = pickFrom(random, outputsOf(graph));
  if (name === undefined || value === undefined) return null;
  graph.outputs[name] = value.name;
  return { code: CODE, field: `outputs.${name}` };
}

function constantNamedAsInput(random: Random, graph: LooseGraph): Mistake | null {
  const name = pickFrom(random, Object.keys(graph.inputs));
  if (name === undefined) return null;
  graph.constants[name] = { dataType: 'float32', sizes: [random.int(1, 9)] };
  return { code: CODE, field: `constants.${name}` };
}

function nodeNamedAsInput(random: Random, graph: LooseGraph): Mistake | null {
  const name = pickFrom(random, [...Object.keys(graph.inputs), ...Object.keys(graph.constants)]);
  if (name === undefined || graph.nodes[name] !== undefined) return null;
  graph.nodes[name] = {
    type: 'fillValueConstant',
    outputTensor: { dataType: 'float32', sizes: [4] },
    valueDataType: 'float32',
    value: 1,
  };
  graph.outputs[freshName(graph, 'o')] = `${name}.outputTensor`;
  return { code: CODE, field: `nodes.${name}` };
}

function constantNamedAsValue(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, outputsOf(graph));
  if (value === undefined) return null;
  const copy = structuredClone(value.tensor);
  graph.constants[value.name] = copy;
  return 'changed';
}

function badName(random: Random, graph: LooseGraph): Mistake | null {
  const name = random.pick(['', 'x'.repeat(1_001)]);
  const part = random.pick(['inputs', 'constants', 'nodes', 'outputs'] as const);
  const value = pickFrom(random, outputsOf(graph), copyable);
  if (value === undefined) return null;
  if (part === 'outputs') graph.outputs[name] = value.name;
  else if (part === 'nodes')
    graph.nodes[name] = {
      type: 'tile',
      inputTensor: value.name,
      repeats: value.tensor.sizes.map(() => 1),
      outputTensor: structuredClone(value.tensor),
    };
  else graph[part][name] = { dataType: 'float32', sizes: [4] };
  if (part === 'nodes') graph.outputs[freshName(graph, 'o')] = `${name}.outputTensor`;
  return { code: CODE, field: part };
}
