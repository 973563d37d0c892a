/** `node-directml run FILE`: computes an operator or a graph, or runs an ONNX model, and prints the outputs. */
import { printable } from '../../values/given.js';
import { createDevice } from '../../index.js';
import { adapterNamed } from '../adapter-option.js';
import { backendNamed, type Backend } from '../backend-option.js';
import { UsageError, type Arguments, type Command } from '../command.js';
import { hanging } from '../layout.js';
import { compareOutputs, toleranceOf, type Comparison } from '../run/compare.js';
import { drawing } from '../run/draw.js';
import { execute, type Executed, type Output, type Times } from '../run/execute.js';
import { elementText, outputJson, tensorText } from '../run/print-tensor.js';
import { readRunFile, type RunFile } from '../run/run-file.js';
import { runModel } from '../run/run-model.js';
import { timeText, whereOf, whereText, type Where } from '../run/where.js';
import { styled, type Terminal } from '../terminal.js';

/** The options that only models have, and those that only JSON files have. */
const [ofModels, ofFiles] = [
  ['input', 'size', 'seed', 'runs', 'save'],
  ['time', 'check-indices', 'draw'],
];

export const run: Command = {
  name: 'run',
  summary: 'Computes an operator or a graph that a JSON file describes, or runs an ONNX model, and prints the outputs',
  usage: 'FILE.json|FILE.onnx',
  maxPositionals: 1,
  options: {
    backend: { value: 'NAME', help: 'directml (the default on Windows) or reference' },
    adapter: { value: 'LUID', help: 'the adapter to run on, or its number in the list that node-directml adapters prints' },
    compare: {
      help: 'also run on the reference backend, and a model in onnxruntime if it is installed, and compare the outputs',
    },
    tolerance: {
      value: 'NUMBER',
      help: 'with --compare: the largest difference between floats, relative to the largest magnitude of an output (default: 1e-4, and 1e-2 for float16)',
    },
    time: { help: 'also measure: compiling, the first dispatch, up to 100 further ones, and how long the GPU works on one' },
    'check-indices': { help: 'check index tensors first: an index out of range is an error' },
    draw: { help: 'draw the outputs as blocks, from dark to bright', otherNames: ['--plot', '--show'] },
    input: {
      value: 'NAME=FILE.npy',
      help: 'of a model: the array of an input; may be repeated. Other inputs get random numbers',
    },
    size: { value: 'NAME=NUMBER', help: 'of a model: the size of a dynamic dimension; may be repeated (default: 1)' },
    seed: { value: 'NUMBER', help: 'of a model: the seed of the random numbers (default: 1)' },
    runs: { value: 'NUMBER', help: 'of a model: how many runs are measured after the first one (default: 10)' },
    save: { value: 'FOLDER', help: 'of a model: write its outputs there as .npy files' },
  },
  help: [
    'The file has an operator and its inputs, by the names of the fields:',
    '  { "descriptor": { "type": "gemm", "transB": "transpose" },\n' +
      '    "tensors": { "aTensor": { "dataType": "float32", "sizes": [2, 2], "data": [1, 2, 3, 4] },\n' +
      '                 "bTensor": { "dataType": "float32", "sizes": [1, 2], "data": [10, 100] } } }',
    'or a "graph" in place of the "descriptor", as graph.toDescriptor() gives it, and its inputs by name. A dataType or sizes that ' +
      'the descriptor or the graph has may be left out. "data" is an array of numbers in memory order, also nested; one number for all ' +
      'elements; or the bytes in base64. Numbers that JSON lacks are strings: "Infinity", "NaN", "-0", "12n". A field with several ' +
      'tensors has an array of them. FILE.json may be -, the standard input.',
    'Inputs of an ONNX model without a file are made up. Random floats are from -1 to 1; integers and bools are 0 or 1. A ' +
      'dynamic dimension without a name is called after its input, such as x[0].',
  ],
  async run(given, terminal) {
    const [name] = given.positionals;
    if (name === undefined) throw new UsageError('run needs a file, or - for the standard input');
    const isModel = /\.onnx$/i.test(name);
    const wrong = (isModel ? ofFiles : ofModels).find((option) => given.has(option));
    if (wrong !== undefined) throw new UsageError(`--${wrong} is for ${isModel ? 'JSON files' : 'models, FILE.onnx'}`);
    if (isModel) return runModel(name, given, terminal);
    const options = optionsOf(given);
    const file = await readRunFile(name);
    if (options.compare) return compareOn(file, options, given.has('json'), terminal);
    const { executed, where } = await on(options.backend, file, options);
    if (given.has('json')) terminal.out(JSON.stringify({ ...where, ...resultJson(executed) }));
    else {
      terminal.out(styled(terminal, 'dim', whereText(where)));
      printOutputs(terminal, executed.outputs, options);
      if (executed.times !== null) terminal.out(`\n${timesText(executed.times)}`);
    }
    return 0;
  },
};

interface RunOptions {
  readonly backend: Backend | undefined;
  readonly adapter: string | undefined;
  readonly compare: boolean;
  readonly tolerance: number | undefined;
  readonly isTimed: boolean;
  readonly checksIndices: boolean;
  readonly isDrawn: boolean;
}

function optionsOf(given: Arguments): RunOptions {
  const backend = backendNamed(given.valueOf('backend'));
  const compare = given.has('compare');
  if (compare && backend !== undefined) throw new UsageError('--compare runs on both backends: leave out --backend');
  const tolerance = toleranceOf(given);
  const adapter = given.valueOf('adapter');
  const isTimed = given.has('time');
  const checksIndices = given.has('check-indices');
  return { backend, adapter, compare, tolerance, isTimed, checksIndices, isDrawn: given.has('draw') };
}

async function on(
  backend: RunOptions['backend'],
  file: RunFile,
  options: RunOptions,
): Promise<{ executed: Executed; where: Where }> {
  const adapter = backend === 'reference' ? undefined : await adapterNamed(options.adapter);
  const device = await createDevice({ backend, adapter });
  try {
    return { executed: await execute(device, file, options), where: whereOf(device) };
  } finally {
    device.dispose();
  }
}

async function compareOn(file: RunFile, options: RunOptions, isJson: boolean, terminal: Terminal): Promise<number> {
  const directml = await on('directml', file, options);
  const reference = await on('reference', file, options);
  const comparisons = compareOutputs(reference.executed.outputs, directml.executed.outputs, options.tolerance);
  const isNear = comparisons.every((comparison) => comparison.isNear);
  if (isJson) {
    const json = {
      equal: isNear,
      comparisons,
      directml: { ...directml.where, ...resultJson(directml.executed) },
      reference: resultJson(reference.executed),
    };
    terminal.out(JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)));
    return isNear ? 0 : 1;
  }
  terminal.out(styled(terminal, 'dim', whereText(directml.where)));
  printOutputs(terminal, directml.executed.outputs, options);
  terminal.out('');
  for (const comparison of comparisons) printComparison(terminal, comparison, reference.executed.outputs);
  for (const [name, { times }] of [
    ['DirectML', directml.executed],
    ['reference', reference.executed],
  ] as const) {
    if (times !== null) terminal.out(`${name}: ${timesText(times)}`);
  }
  return isNear ? 0 : 1;
}

function printOutputs(terminal: Terminal, outputs: readonly Output[], { isDrawn }: RunOptions): void {
  for (const output of outputs) {
    const { name, dataType, sizes } = output;
    terminal.out(`${styled(terminal, 'bold', printable(name))} ${dataType} [${sizes.join(', ')}]`);
    terminal.out(isDrawn ? drawing(output, terminal) : tensorText(output));
  }
}

function printComparison(terminal: Terminal, comparison: Comparison, outputs: readonly Output[]): void {
  const { name, count, equal, largest, tolerance, worst, isNear } = comparison;
  const dataType = outputs.find((output) => output.name === name)?.dataType ?? 'float32';
  const show = (element: number | bigint) => elementText({ dataType }, element);
  const [mark, style] = isNear ? (['ok   ', 'green'] as const) : (['WRONG', 'red'] as const);
  const parts = [`${printable(name)}: ${equal} of ${count} elements are equal to the reference's`];
  if (worst !== null) {
    const size = Number.isFinite(largest)
      ? `the largest difference is ${largest.toPrecision(2)} (at most ${tolerance})`
      : 'one is not near';
    parts.push(`${size}: element ${worst.element}, reference ${show(worst.expected)}, DirectML ${show(worst.given)}`);
  }
  terminal.out(hanging(`${styled(terminal, style, mark)} `, parts.join('; '), terminal.width));
}

function timesText({ compile, first, median, least, count, gpu }: Times): string {
  const onGpu = gpu === null ? 'none' : timeText(gpu);
  return `compiled in ${timeText(compile)}, first dispatch ${timeText(first)}, then ${timeText(median)} (median of ${count}; best ${timeText(least)}); GPU: ${onGpu}`;
}

/** The outputs in the form of the file's tensors, so that they can be inputs of another run. */
function resultJson({ outputs, times }: Executed): object {
  return {
    outputs: Object.fromEntries(outputs.map((output) => [output.name, outputJson(output)])),
    ...(times === null ? {} : { milliseconds: times }),
  };
}
