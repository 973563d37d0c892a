/** Mutations of the parts of a graph: nodes that lead nowhere, inputs that nothing reads, names, and outputs. */
import type { LooseGraph, NamedValue } from '../../../graphs/loose-graph.js';
import { anyGraph, mutation, type GraphMutation } from '../candidate.js';
import { addCopy, copyable, freshName, leavesOf, outputsOf } from '../edit.js';

const CODE = 'ERR_INVALID_GRAPH';

export const structureMutations: readonly GraphMutation[] = [
  mutation('pruned: nodes that lead to no output', ['pruned'], copyable, (value, random, graph) => {
    let last = addCopy(graph, value);
    for (let more = random.int(0, 2); more > 0; more--) last = addCopy(graph, last);
    return 'changed';
  }),
  mutation('pruned: an output less', ['pruned', 'valid', 'rewritten'], spareOutputs, (name, _random, graph) => {
    delete graph.outputs[name];
    return 'changed';
  }),
  mutation('a node that leads to no output is wrong', ['invalid'], copyable, (value, _random, graph) => {
    const { node } = addCopy(graph, value);
    Object.assign(graph.nodes[node ?? ''] ?? {}, { repeats: [2] });
    return { code: 'ERR_SIZES', field: `nodes.${node}.` };
  }),
  mutation('an input that nothing reads', ['stricter', 'invalid'], anyGraph, (graph, random) => {
    const name = freshName(graph, 'unused');
    graph.inputs[name] = { dataType: 'float32', sizes: [random.int(1, 9)] };
    return { code: CODE, field: `inputs.${name}` };
  }),
  mutation('valid: a constant that nothing reads', ['valid', 'rewritten'], anyGraph, (graph, random) => {
    graph.constants[freshName(graph, 'unused')] = { dataType: 'float32', sizes: [random.int(1, 9)] };
    return 'changed';
  }),
  mutation('valid: a value is one more output', ['valid', 'rewritten'], outputsOf, (value, random, graph) => {
    for (let times = random.int(1, 3); times > 0; times--) graph.outputs[freshName(graph, 'o')] = value.name;
    return 'changed';
  }),
  mutation('rewritten: an output that is an input or constant', ['rewritten'], copyableLeaves, (leaf, _random, graph) => {
    graph.outputs[freshName(graph, 'o')] = leaf.name;
    return 'changed';
  }),
  // No operator can copy a 4-bit input into an output.
  mutation('an output that is a 4-bit input', ['invalid'], anyGraph, (graph, random) => {
    const [input, output] = [freshName(graph, 'input'), freshName(graph, 'o')];
    const part = graph[random.pick(['inputs', 'constants'] as const)];
    part[input] = { dataType: random.pick(['int4', 'uint4'] as const), sizes: [9] };
    graph.outputs[output] = input;
    return { code: 'ERR_DATA_TYPE', field: `outputs.${output}` };
  }),
  mutation('rewritten: an output that is a sequence', ['rewritten'], anyGraph, (graph, random) => {
    const node = freshName(graph, 'sequence');
    const outputTensor = { dataType: 'float32', sizes: [random.int(1, 9)] };
    graph.nodes[node] = { type: 'fillValueSequence', outputTensor, valueDataType: 'float32', valueStart: 1, valueDelta: 2 };
    graph.outputs[freshName(graph, 'o')] = `${node}.outputTensor`;
    return 'changed';
  }),
  mutation('no outputs', ['invalid'], anyGraph, (graph) => {
    graph.outputs = {};
    return { code: CODE, field: 'outputs' };
  }),
  mutation('no nodes and no outputs', ['invalid'], anyGraph, (graph, random) => {
    Object.assign(graph, { nodes: {}, outputs: {}, ...(random.chance(0.5) ? { inputs: {} } : {}) });
    return 'changed';
  }),
  mutation('rewritten: no nodes', ['rewritten'], copyableLeaves, (leaf, _random, graph) => {
    graph.nodes = {};
    graph.outputs = { [freshName(graph, 'o')]: leaf.name };
    for (const part of [graph.inputs, graph.constants])
      for (const name of Object.keys(part)) if (name !== leaf.name) delete part[name];
    return 'changed';
  }),
  mutation('an output has the name of an input', ['stricter', 'invalid'], inputNames, (name, random, graph) => {
    const values = outputsOf(graph);
    if (values.length === 0) return null;
    graph.outputs[name] = random.pick(values).name;
    return { code: CODE, field: `outputs.${name}` };
  }),
  mutation('a constant has the name of an input', ['stricter', 'invalid'], inputNames, (name, random, graph) => {
    graph.constants[name] = { dataType: 'float32', sizes: [random.int(1, 9)] };
    return { code: CODE, field: `constants.${name}` };
  }),
  mutation('a node has the name of an input', ['stricter', 'invalid'], leavesOf, ({ name }, _random, graph) => {
    if (graph.nodes[name] !== undefined) return null;
    const outputTensor = { dataType: 'float32', sizes: [4] };
    graph.nodes[name] = { type: 'fillValueConstant', outputTensor, valueDataType: 'float32', value: 1 };
    graph.outputs[freshName(graph, 'o')] = `${name}.outputTensor`;
    return { code: CODE, field: `nodes.${name}` };
  }),
  mutation('a constant has the name of an output of a node', ['stricter', 'invalid'], outputsOf, (value, _random, graph) => {
    graph.constants[value.name] = structuredClone(value.tensor);
    return 'changed';
  }),
  mutation('a name that is empty or too long', ['stricter', 'invalid'], copyable, (value, random, graph) => {
    const name = random.pick(['', 'x'.repeat(1_001)]);
    const part = random.pick(['inputs', 'constants', 'nodes', 'outputs'] as const);
    if (part === 'outputs') graph.outputs[name] = value.name;
    else if (part === 'nodes') {
      const { dataType, sizes } = value.tensor;
      const fields = { inputTensor: value.name, repeats: sizes.map(() => 1), outputTensor: { dataType, sizes } };
      graph.nodes[name] = { type: 'tile', ...fields };
      graph.outputs[freshName(graph, 'o')] = `${name}.outputTensor`;
    } else graph[part][name] = { dataType: 'float32', sizes: [4] };
    return { code: CODE, field: part };
  }),
];

function inputNames({ inputs }: LooseGraph): string[] {
  return Object.keys(inputs);
}

function spareOutputs({ outputs }: LooseGraph): string[] {
  return Object.keys(outputs).slice(1);
}

function copyableLeaves(graph: LooseGraph): NamedValue[] {
  return copyable(graph).filter(({ node }) => node === null);
}
