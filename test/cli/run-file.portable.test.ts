/** `node-directml run`: what files may leave out, and whole messages about wrong ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../checks/harness/run-cli.js';

/** The exit code, and what is printed about a file. */
async function run(content: unknown, ...args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
  const path = join(folder, 'file.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  try {
    const { code, out, error } = await runCli(['run', path, '--backend', 'reference', ...args], { width: 1000 });
    const [first = ''] = error.split('\n');
    return `${code} ${first.replace('node-directml: ', '').replace(path, 'FILE')}${out.split('\n').slice(1, -1).join('\n')}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tensor = (sizes: number[], data: unknown, dataType = 'float32') => ({ dataType, sizes, data });
const vector = { dataType: 'float32', sizes: [2] };
const [a, b] = [tensor([2, 2], [1, 2, 3, 4]), tensor([1, 2], [10, 100])];
const descriptor = { type: 'gemm', transB: 'transpose' };
const graph = {
  inputs: { x: vector },
  constants: { one: vector },
  nodes: { sum: { type: 'elementWiseAdd', aTensor: 'x', bTensor: 'one' } },
  outputs: { y: 'sum.outputTensor' },
};
const negated = (given: string) => ({
  nodes: { n: { type: 'elementWiseNegate', inputTensor: given } },
  outputs: { y: 'n.outputTensor' },
});
const copyOf = (inputTensor: object, described?: unknown) => ({
  descriptor: { type: 'elementWiseIdentity', inputTensor: described },
  tensors: { inputTensor },
});
const joined = (inputTensors: readonly unknown[], described?: unknown) => ({
  descriptor: { type: 'join', axis: 0, inputTensors: described },
  tensors: { inputTensors },
});

describe('a file may', () => {
  it.each<[string, unknown, string]>([
    [
      'have no tensors',
      { descriptor: { type: 'fillValueConstant', valueDataType: 'float32', value: 2, outputTensor: vector } },
      'outputTensor float32 [2]\n[2, 2]',
    ],
    [
      'have a graph without constants',
      { graph: { ...negated('x'), inputs: { x: vector } }, tensors: { x: { data: 3 } } },
      'y float32 [2]\n[-3, -3]',
    ],
    [
      'have a graph without inputs',
      { graph: { ...negated('c'), constants: { c: vector } }, tensors: { c: { data: 3 } } },
      'y float32 [2]\n[-3, -3]',
    ],
    ['have null for a tensor that it describes later', copyOf(tensor([1], 4), null), 'outputTensor float32 [1]\n[4]'],
    [
      'describe a tensor in the descriptor',
      copyOf({ data: 4 }, { ...vector, flags: 'none' }),
      'outputTensor float32 [2]\n[4, 4]',
    ],
    [
      'describe a list of tensors in the descriptor',
      joined([{ data: 1 }, { data: [2, 3] }], [{ ...vector, sizes: [1] }, vector]),
      'outputTensor float32 [3]\n[1, 2, 3]',
    ],
    ['have one integer of 64 bits for all elements', copyOf(tensor([3], '5n', 'int64')), 'outputTensor int64 [3]\n[5, 5, 5]'],
    [
      'have one number that JSON lacks for all elements',
      copyOf(tensor([2], '-Infinity')),
      'outputTensor float32 [2]\n[-Infinity, -Infinity]',
    ],
    ['have nested numbers', copyOf(tensor([3], [[1], [[2, 'NaN']]])), 'outputTensor float32 [3]\n[  1,   2, NaN]'],
    ['have bytes in base64', copyOf(tensor([1], 'AACAPw==')), 'outputTensor float32 [1]\n[1]'],
  ])('%s', async (_, content, out) => expect(await run(content)).toBe(`0 ${out}`));

  it('name an adapter, which the reference does not need', async () => {
    expect(await run(copyOf(tensor([1], 4)), '--adapter', '99')).toBe('0 outputTensor float32 [1]\n[4]');
  });
});

const noData = 'data is an array of numbers, one number for all elements, or base64';
const undescribed = 'a tensor needs a dataType and sizes, here or in the descriptor';

describe('a message about', () => {
  it.each<[string, unknown, string]>([
    ['an array', [], 'FILE: the file is not an object'],
    ['null', 'null', 'FILE: the file is not an object'],
    ['a text', '"x"', 'FILE: the file is not an object'],
    ['nothing', {}, 'FILE: the file needs a "descriptor" of an operator, or a "graph"'],
    ['an operator and a graph', { descriptor, graph }, 'FILE: the file needs a "descriptor" of an operator, or a "graph"'],
    ['a property', { x: 1, descriptor }, "FILE: the file has no property 'x' (there are: descriptor, graph, tensors)"],
    ['a misspelt property', { descriptr: {} }, "FILE: the file has no property 'descriptr' (did you mean 'descriptor'?)"],
    ['a descriptor that is a list', { descriptor: [] }, 'FILE: descriptor is not an object'],
    ['a descriptor that is null', { descriptor: null }, 'FILE: descriptor is not an object'],
    ['a descriptor without an operator', { descriptor: {} }, 'FILE: the descriptor needs a "type", the name of an operator'],
    ['a type that is no text', { descriptor: { type: 5 } }, 'FILE: the descriptor needs a "type", the name of an operator'],
    ['a graph that is a text', { graph: 'x' }, 'FILE: graph is not an object'],
    ['a graph without outputs', { graph: { nodes: {} } }, 'FILE: the graph needs "nodes" and "outputs"'],
    ['a graph without nodes', { graph: { outputs: {} } }, 'FILE: the graph needs "nodes" and "outputs"'],
    ['tensors that are a list', { descriptor, tensors: [] }, 'FILE: tensors is not an object'],
    ['a tensor that is null', { descriptor, tensors: { aTensor: null } }, 'FILE: tensors.aTensor is not an object'],
    ['a tensor in a list', { descriptor, tensors: { aTensor: [a, 1] } }, 'FILE: tensors.aTensor[1] is not an object'],
    [
      'a property of a tensor',
      { descriptor, tensors: { aTensor: { foo: 1 } } },
      "FILE: tensors.aTensor has no property 'foo' (there are: dataType, sizes, strides, data)",
    ],
    [
      'a misspelt property of a tensor',
      { descriptor, tensors: { aTensor: { strids: 1 } } },
      "FILE: tensors.aTensor has no property 'strids' (did you mean 'strides'?)",
    ],
    [
      'a tensor without data',
      { descriptor, tensors: { aTensor: vector } },
      'FILE: tensors.aTensor has no "data": an array of numbers, one number for all elements, or base64',
    ],
    ['a tensor without a data type', copyOf({ sizes: [1], data: 1 }), `tensors.inputTensor: ${undescribed}`],
    ['a tensor without sizes', copyOf({ dataType: 'float32', data: 1 }), `tensors.inputTensor: ${undescribed}`],
    ['a tensor that a text describes', copyOf({ data: 1 }, 'x'), `tensors.inputTensor: ${undescribed}`],
    [
      'a list that one description describes',
      joined([{ data: 1 }, { data: 2 }], vector),
      `tensors.inputTensors[0]: ${undescribed}`,
    ],
    ['the second tensor of a list', joined([a, { dataType: 'float32', data: 1 }]), `tensors.inputTensors[1]: ${undescribed}`],
    ['data that is null', copyOf(tensor([1], null)), `tensors.inputTensor: ${noData}`],
    ['data that is a boolean', copyOf(tensor([1], true)), `tensors.inputTensor: ${noData}`],
    [
      'an element that is null',
      copyOf(tensor([2], [1, null])),
      'tensors.inputTensor: data has an element that is no number: null',
    ],
    [
      'an element that is a text',
      joined([a, tensor([2], [1, 'x'])]),
      'tensors.inputTensors[1]: data has an element that is no number: "x"',
    ],
    [
      'a tensor that a graph lacks',
      { graph, tensors: { v: { data: 1 } } },
      'tensors.v is no input or constant of the graph (there are: x, one)',
    ],
    [
      'a misspelt constant',
      { graph, tensors: { onee: { data: 1 } } },
      "tensors.onee is no input or constant of the graph (did you mean 'one'?)",
    ],
    [
      'a tensor of a graph without any',
      { graph: { nodes: {}, outputs: {} }, tensors: { x: { data: 1 } } },
      'tensors.x is no input or constant of the graph (there are none)',
    ],
    [
      'a list for a constant',
      { graph, tensors: { one: [tensor([2], 1)] } },
      'tensors.one is a list, and the constant of a graph is one tensor',
    ],
  ])('%s', async (_, content, message) => expect(await run(content)).toBe(`2 ${message}`));

  it.each<[string, unknown, string]>([
    [
      'too many elements',
      copyOf(tensor([2], [1, 2, 3])),
      'ERR_SIZES: tensors.inputTensor: tensor.write: data: expected 2 elements, given an array of 3 numbers',
    ],
    [
      'an element in a list of tensors',
      joined([tensor([1], 1), tensor([2], [1.5, 2], 'int32')]),
      'ERR_OUT_OF_RANGE: tensors.inputTensors[1]: tensor.write: data[0]: expected a whole number from -2147483648 to 2147483647, given 1.5',
    ],
    [
      'a constant without data',
      { graph, tensors: { x: { data: 1 } } },
      'ERR_MISSING_BINDING: compileGraph: constants.one.data: expected the elements as base64, given nothing (tensors take it too)',
    ],
    [
      'an input without data',
      { graph, tensors: { one: { data: 1 } } },
      'ERR_MISSING_BINDING: graph: x: expected a tensor or buffer, given nothing',
    ],
    [
      'a data type that is not that of the graph',
      { graph, tensors: { one: { data: 1 }, x: { dataType: 'float16', data: 1 } } },
      "ERR_DATA_TYPE: graph: x.dataType: expected 'float32', as the graph says, given 'float16'",
    ],
    [
      'a tensor that the operator lacks',
      { descriptor, tensors: { aTensor: a, bTensor: b, dTensor: a } },
      "ERR_UNKNOWN_FIELD: gemm: dTensor: expected one of type, aTensor, bTensor, cTensor, outputTensor, transA, transB, alpha, beta, fusedActivation, given 'dTensor' (did you mean 'aTensor', 'bTensor' or 'cTensor'?)",
    ],
  ])('%s, from the library', async (_, content, message) => expect(await run(content)).toBe(`1 ${message}`));
});

it('tells the field of an error, and its operator, in JSON', async () => {
  const text = await run(copyOf(tensor([2], [1, 2, 3])), '--json');
  expect(text).toContain('"code": "ERR_SIZES"');
  expect(text).toContain('"field": "tensors.inputTensor"');
});
