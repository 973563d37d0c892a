/**
 * The defects of this DirectML.dll in graphs for which the package has a workaround. A test fails once the DLL no longer has
 * its defect, so that the workaround can go. docs/differences.md has all of them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { DirectMLBufferHandle } from '#lib/backends/directml/buffer-handle.js';
import { dispatchOf } from '#lib/backends/directml/ranges.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { product } from '../../checks/cases/layout.js';
import type { NativeDevice, NativeGraphDesc } from '../../binding.js';

const { binding, directory } = loadAddon();
const LOWERING = 'lib/backends/directml/lower-graph.ts';
const READER = 'native/addon/values/graph_reader.cpp';
/** The drivers' own implementations may not have the defects. */
const DISABLE_METACOMMANDS = 2;
let device: NativeDevice;

beforeAll(async () => {
  device = await binding.createDevice({ addonDirectory: directory });
});
afterAll(() => device.dispose());

/** The message of a test that fails because the DLL has changed. */
function outdated(defect: string, workaround: string): string {
  return (
    `DirectML.dll ${device.info.directmlVersion} no longer has the defect "${defect}". ` +
    `Remove the workaround: ${workaround}. Then remove this test, and the row in docs/differences.md.`
  );
}

/** Compiles a graph of test/native/graph_defects.cpp in a process of its own. */
async function compiling(graph: string): Promise<'compiled' | 'refused' | 'ended the process'> {
  const program = join(directory, 'directml-graph-defects.exe');
  if (!existsSync(program)) throw new Error(`npm test builds ${program}; it is not there`);
  const { status, stdout, stderr } = await endOf(program, graph, device.info.directmlPath);
  const [begun, result] = stdout.split(/\r?\n/);
  if (begun === 'compiling' && status === 0 && (result === 'compiled' || result === 'refused')) return result;
  // Windows ends a process with the code of the exception as its exit code, such as 0xC0000005.
  if (begun === 'compiling' && result === '' && status !== null && status >= 0xc000_0000) return 'ended the process';
  throw new Error(`${program} ${graph} ended with ${status ?? 'a signal'}:\n${stdout}${stderr}`);
}

async function endOf(program: string, ...args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
}

test('a constant node of more than 8 bytes crashes the process in CompileGraph', async () => {
  expect(await compiling('small-constant')).toBe('compiled');
  const workaround = `constants as hidden inputs in ${LOWERING}, and that binding.d.ts has no constant nodes`;
  expect(await compiling('constant'), outdated('a constant of more than 8 bytes', workaround)).toBe('ended the process');
});

test('a FILL_VALUE_SEQUENCE node whose output is a graph output crashes the process in CompileGraph', async () => {
  expect(await compiling('read-sequence')).toBe('compiled');
  const workaround = `sequences as hidden inputs in ${LOWERING}, and their refusal in ${READER}`;
  expect(await compiling('sequence'), outdated('a sequence as a graph output', workaround)).toBe('ended the process');
});

/** DirectML only overwrites steps of a multiple of 16 bytes, so a step has four float32 elements. */
const [STEPS, HIDDEN] = [3, 4];
const float32 = (...sizes: readonly number[]) => ({ dataType: 'float32', sizes });
const encoded = (descriptor: object) => encodeOperator(resolveDescriptor(descriptor, '6.4').descriptor);

test.each([
  ['rnn', { gates: 1 }],
  ['gru', { gates: 3, linearBeforeReset: false }],
  ['lstm', { gates: 4 }],
])('the single output of %s is wrong if its sequence goes to one node that works in place', async (type, kind) => {
  const { gates, ...more } = kind;
  const sizes = {
    inputTensor: [1, STEPS, 1, 1],
    weightTensor: [1, 1, gates * HIDDEN, 1],
    recurrenceTensor: [1, 1, gates * HIDDEN, HIDDEN],
    outputSequenceTensor: [STEPS, 1, 1, HIDDEN],
    outputSingleTensor: [1, 1, 1, HIDDEN],
  };
  const tensors = Object.fromEntries(Object.entries(sizes).map(([name, of]) => [name, float32(...of)]));
  const negate = { type: 'elementWiseNegate', inputTensor: tensors['outputSequenceTensor'] };
  const graph = {
    operators: [encoded({ type, ...tensors, ...more }), encoded(negate)],
    nodes: Uint32Array.of(0, 1),
    inputEdges: Uint32Array.of(0, 0, 0, 1, 0, 1, 2, 0, 2),
    outputEdges: Uint32Array.of(1, 0, 0, 0, 1, 1),
    intermediateEdges: Uint32Array.of(0, 0, 1, 0),
    inputs: ['input', 'weight', 'recurrence'],
    outputs: ['negated', 'single'],
  };
  const inputs = [sizes.inputTensor, sizes.weightTensor, sizes.recurrenceTensor].map(product);
  const lengths = [STEPS * HIDDEN, HIDDEN];
  const worked = {
    ...graph,
    outputEdges: Uint32Array.of(...graph.outputEdges, 0, 0, 2),
    outputs: [...graph.outputs, 'sequence'],
  };
  const [negated = [], single = []] = await compute(graph, inputs, lengths);
  const [alsoNegated = [], rightSingle = [], sequence = []] = await compute(worked, inputs, [...lengths, STEPS * HIDDEN]);
  const last = sequence.slice(-HIDDEN);
  expect(last.every((value) => value > 0.1)).toBe(true);
  expect(negated).toEqual(sequence.map((value) => -value));
  expect(alsoNegated).toEqual(negated);
  expect(rightSingle).toEqual(last);
  const workaround = `the hidden output of recurrent operators in ${LOWERING}`;
  expect(single, outdated(`the single output of ${type}`, workaround)).toEqual(last.map((value) => -value));
});

const KEPT_OUTPUTS = 'lib/backends/directml/kept-outputs.ts';
const KEPT_IDENTITIES = 'lib/backends/directml/kept-identities.ts';
const negation = (tensor: object) => encoded({ type: 'elementWiseNegate', inputTensor: tensor });
const filled = (count: number, value: number) => new Array<number>(count).fill(value);

test('a value is overwritten together with its join if the only reader of the join works in place', async () => {
  const tensor = float32(4);
  const graph = {
    operators: [negation(tensor), encoded({ type: 'join', inputTensors: [tensor], axis: 0 })],
    nodes: Uint32Array.of(0, 1, 0, 0),
    inputEdges: Uint32Array.of(0, 0, 0),
    // One node negates the joined values, and another negates the value itself.
    intermediateEdges: Uint32Array.of(0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 3, 0),
    outputEdges: Uint32Array.of(2, 0, 0, 3, 0, 1),
    inputs: ['x'],
    outputs: ['joined', 'value'],
  };
  const worked = {
    ...graph,
    outputEdges: Uint32Array.of(...graph.outputEdges, 1, 0, 2),
    outputs: [...graph.outputs, 'hidden'],
  };
  const [joined, value] = await compute(graph, [4], [4, 4]);
  expect(await compute(worked, [4], [4, 4, 4])).toEqual([filled(4, 0.5), filled(4, 0.5), filled(4, -0.5)]);
  expect(joined).toEqual(filled(4, 0.5));
  const workaround = `the hidden output of joins in ${KEPT_OUTPUTS}`;
  expect(value, outdated('a value is overwritten with its join', workaround)).toEqual(filled(4, -0.5));
});

test('a graph is refused if a node that works in place is the only reader of a part of a value', async () => {
  const [whole, part] = [float32(16), float32(8)];
  const slice = { type: 'slice', inputTensor: whole, offsets: [4], sizes: [8], strides: [1] };
  const graph = {
    operators: [negation(whole), encoded(slice), negation(part)],
    nodes: Uint32Array.of(0, 1, 2),
    inputEdges: Uint32Array.of(0, 0, 0),
    intermediateEdges: Uint32Array.of(0, 0, 1, 0, 1, 0, 2, 0),
    outputEdges: Uint32Array.of(2, 0, 0),
    inputs: ['x'],
    outputs: ['y'],
  };
  const worked = {
    ...graph,
    outputEdges: Uint32Array.of(...graph.outputEdges, 1, 0, 1),
    outputs: [...graph.outputs, 'hidden'],
  };
  expect(await compute(worked, [16], [8, 8])).toEqual([filled(8, 0.5), filled(8, -0.5)]);
  const workaround = `the hidden output of slices and splits in ${KEPT_OUTPUTS}`;
  const refused = compute(graph, [16], [8]);
  await expect(refused, outdated('a part of a value is overwritten', workaround)).rejects.toMatchObject({
    hresultName: 'E_INVALIDARG',
  });
});

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

test.each([
  [
    'a product of matrices plus the second part of a split is the product plus the first part',
    {
      first: { type: 'gemm', aTensor: float32(1, 1, 1, 2), bTensor: float32(1, 1, 2, 2) },
      second: 'elementWiseAdd',
      inputs: { lengths: [4, 2, 4], edges: [1, 2, 0, 2, 2, 1] },
      edges: [],
      right: 0.5 + 1,
      wrong: 0.5 + 0.5,
    },
  ],
  [
    'the second part of a split times the sigmoid of the first part has the first part twice',
    {
      first: { type: 'activationSigmoid', inputTensor: float32(1, 1, 1, 2) },
      second: 'elementWiseMultiply',
      inputs: { lengths: [4], edges: [] },
      edges: [1, 0, 2, 0],
      right: 1 * sigmoid(0.5),
      wrong: 0.5 * sigmoid(0.5),
    },
  ],
])('%s', async (what, { first, second, inputs, edges, right, wrong }) => {
  const [whole, part] = [float32(1, 1, 2, 2), float32(1, 1, 1, 2)];
  const sums = { type: 'cumulativeSummation', inputTensor: whole, axis: 2 };
  const split = { type: 'split', inputTensor: whole, outputTensors: [part, part], axis: 2 };
  const graph = {
    operators: [sums, split, first, { type: second, aTensor: part, bTensor: part }].map(encoded),
    nodes: Uint32Array.of(0, 1, 2, 3),
    inputEdges: Uint32Array.of(0, 0, 0, ...inputs.edges),
    intermediateEdges: Uint32Array.of(0, 0, 1, 0, ...edges, 1, 1, 3, 0, 2, 0, 3, 1),
    outputEdges: Uint32Array.of(3, 0, 0),
    inputs: inputs.lengths.map((_, i) => `input ${i}`),
    outputs: ['y'],
  };
  const worked = { ...graph, outputEdges: Uint32Array.of(...graph.outputEdges, 2, 0, 1), outputs: ['y', 'hidden'] };
  const [expected = []] = await compute(worked, inputs.lengths, [2, 2]);
  for (const value of expected) expect(value).toBeCloseTo(right, 6);
  const [y = []] = await compute(graph, inputs.lengths, [2]);
  for (const value of y) expect(value, outdated(what, `misreadPairs in ${KEPT_OUTPUTS}`)).toBeCloseTo(wrong, 6);
});

test('a copy of an input contains only the elements that another node reads', async () => {
  const tensor = float32(4);
  const ends = { dataType: 'float32', sizes: [2], strides: [3] };
  const graph = {
    operators: [encoded({ type: 'elementWiseIdentity', inputTensor: tensor }), negation(ends)],
    nodes: Uint32Array.of(0, 1),
    inputEdges: Uint32Array.of(0, 0, 0, 0, 1, 0),
    intermediateEdges: new Uint32Array(0),
    outputEdges: Uint32Array.of(0, 0, 0, 1, 0, 1),
    inputs: ['x'],
    outputs: ['copy', 'ends'],
  };
  const tile = encoded({ type: 'tile', inputTensor: tensor, repeats: [1] });
  expect(await compute({ ...graph, operators: [tile, negation(ends)] }, [4], [4, 2])).toEqual([filled(4, 0.5), filled(2, -0.5)]);
  const [copy] = await compute(graph, [4], [4, 2]);
  const workaround = `tiles for copies of inputs in ${KEPT_IDENTITIES}`;
  expect(copy, outdated('a copy of an input is not whole', workaround)).toEqual([0.5, 0, 0, 0.5]);
});

test('a graph is refused if an identity spreads a value that has other sizes', async () => {
  const tensor = float32(4, 1);
  const spread = { ...tensor, strides: [2, 1] };
  const copied = (type: string, more: object) => encoded({ type, inputTensor: tensor, outputTensor: spread, ...more });
  const graph = {
    operators: [
      negation(float32(4)),
      copied('elementWiseIdentity', {}),
      encoded({ type: 'elementWiseNegate', inputTensor: spread, outputTensor: tensor }),
    ],
    nodes: Uint32Array.of(0, 1, 2),
    inputEdges: Uint32Array.of(0, 0, 0),
    intermediateEdges: Uint32Array.of(0, 0, 1, 0, 1, 0, 2, 0),
    outputEdges: Uint32Array.of(2, 0, 0),
    inputs: ['x'],
    outputs: ['y'],
  };
  const operators = graph.operators.with(1, copied('tile', { repeats: [1, 1] }));
  expect(await compute({ ...graph, operators }, [4], [4])).toEqual([filled(4, 0.5)]);
  const workaround = `tiles for identities with gaps in ${KEPT_IDENTITIES}`;
  const refused = compute(graph, [4], [4]);
  await expect(refused, outdated('an identity that spreads a value', workaround)).rejects.toMatchObject({
    hresultName: 'E_INVALIDARG',
  });
});

/** Dispatches a graph whose inputs are filled with 0.5. Returns its outputs. */
async function compute(
  graph: NativeGraphDesc,
  inputLengths: readonly number[],
  outputLengths: readonly number[],
): Promise<number[][]> {
  const compiled = await device.compileGraph(graph, DISABLE_METACOMMANDS);
  const bind = (length: number) => {
    const sizeInBytes = 4 * length;
    return { buffer: new DirectMLBufferHandle(device.createBuffer(sizeInBytes)), offset: 0, sizeInBytes };
  };
  const [inputs, outputs] = [inputLengths.map(bind), outputLengths.map(bind)];
  for (const { buffer, sizeInBytes } of inputs) {
    device.write(buffer.native, 0, new Uint8Array(new Float32Array(sizeInBytes / 4).fill(0.5).buffer));
  }
  binding.dispatch(dispatchOf(compiled, { inputs, outputs }));
  const reads = outputs.map(({ buffer, sizeInBytes }) => device.read(buffer.native, 0, sizeInBytes));
  const values = (await Promise.all(reads)).map(({ bytes }) => [...new Float32Array(bytes)]);
  for (const object of [compiled, ...[...inputs, ...outputs].map(({ buffer }) => buffer)]) object.dispose();
  return values;
}
