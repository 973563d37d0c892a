/** The completions, errors and hover texts that an editor shows while a descriptor is being written. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';

const folder = dirname(fileURLToPath(import.meta.url));
// TypeScript writes paths with forward slashes, on Windows too.
const file = join(folder, 'being-written.ts').replaceAll('\\', '/');
const registry = ts.createDocumentRegistry();
let version = 0;

/** Opens a descriptor; `▮` marks the cursor. */
function edit(descriptor: string) {
  return editProgram(
    `import type { OperatorDescriptor } from 'node-directml';\nexport const d: OperatorDescriptor = ${descriptor};\n`,
  );
}

/** Opens a call of a method of a device, a graph, a compiled operator or a compiled graph. */
function editCall(call: string) {
  return editProgram(`import type { CompiledGraph, CompiledOperator, Device, Graph, Tensor, Value } from 'node-directml';
export async function use(device: Device, operator: CompiledOperator<'gemm'>, tensor: Tensor) {
  await ${call};
}
declare const graph: Graph, value: Value, net: CompiledGraph<'features' | 'scores'>, floats: Value<'float32'>;
`);
}

function editProgram(text: string) {
  const source = text.replace('▮', '');
  version += 1;
  const current = String(version);
  const read = (name: string) => (name === file ? source : ts.sys.readFile(name));
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? current : '1'),
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(read(name) ?? ''),
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host, registry);
  const offered = service.getCompletionsAtPosition(file, text.indexOf('▮'), {})?.entries ?? [];
  const errors = service.getSemanticDiagnostics(file).map(({ start = 0, length = 0, messageText }) => ({
    at: source.slice(start, start + length),
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
  const hover = service.getQuickInfoAtPosition(file, text.indexOf('▮'))?.documentation;
  return { offered: offered.map(({ name }) => name).sort(), errors, hover: ts.displayPartsToString(hover) };
}

const fieldsOf = (type: 'gather' | 'lstm') => operatorTable[type].fields.map(({ name }) => name).sort();

test('once the type is written, exactly its fields are offered', () => {
  expect(edit(`{ type: 'gather', ▮ }`).offered).toEqual(fieldsOf('gather'));
  expect(edit(`{ type: 'lstm', ▮ }`).offered).toEqual(fieldsOf('lstm'));
});

test('types, members of enums and the fields of an activation are offered', () => {
  expect(edit(`{ type: '▮' }`).offered).toEqual(Object.keys(operatorTable).sort());
  expect(edit(`{ type: 'padding', paddingMode: '▮' }`).offered).toEqual(['constant', 'edge', 'reflection', 'symmetric', 'wrap']);
  expect(edit(`{ type: 'gemm', fusedActivation: { type: 'activationLinear', ▮ } }`).offered).toEqual([
    'alpha',
    'beta',
    'inputTensor',
    'outputTensor',
  ]);
});

test('hovering over a field shows its common mistake', () => {
  const hover = (descriptor: string) => edit(descriptor).hover;
  expect(hover(`{ type: 'adamOptimizer', trainingStep▮Tensor: x }`)).toContain('Count steps from 1');
  expect(hover(`{ type: 'resampleGrad', inputPixel▮Offsets: x }`)).toContain('`outputPixelOffsets` of the forward operator');
  expect(hover(`{ type: 'resample2', rounding▮Direction: x }`)).toContain('both directions shift the picture');
  expect(hover(`{ type: 'maxPooling1', outputIndices▮Tensor: x }`)).toContain('batch and channels included');
  expect(hover(`{ type: 'gemm', c▮Tensor: x }`)).toContain('`outputTensor` cannot be bound to its bytes');
  expect(hover(`{ type: 'convolution', dimension▮Count: x }`)).toContain('one per dimension of inputTensor after batch');
});

test('hovering over a field or a type shows what it means', () => {
  const hover = (descriptor: string) => edit(descriptor).hover;
  expect(hover(`{ ty▮pe: 'gather' }`)).toMatch(/^Copies slices along one axis/);
  expect(hover(`{ type: 'topK1', ▮k: 3 }`)).toMatch(/^Number of elements that are kept/);
  expect(hover(`{ type: 'padding', padding▮Mode: 'wrap' }`)).toMatch(/^What the added elements are.*- `'wrap'` .*: Continued/s);
  expect(hover(`{ type: 'gemm', fusedActivation: { type: 'activationElu', al▮pha: 1 } }`)).toMatch(/^The limit of negative/);
});

test('an error is reported at the field, and names only its operator', () => {
  const tensor = `{ dataType: 'float32', sizes: [1] }`;
  const cast = `type: 'cast', inputTensor: ${tensor}`;
  expect(edit(`{ ${cast}, outputTensr: ${tensor} }▮`).errors).toEqual([
    { at: 'outputTensr', message: expect.stringMatching(/not exist in type 'CastDescriptor'.*'outputTensor'/) },
  ]);
  expect(edit(`{ ${cast} }▮`).errors).toEqual([]);
  expect(edit(`{ type: 'cast', outputTensor: ${tensor} }▮`).errors).toEqual([
    { at: 'd', message: expect.stringMatching(/'inputTensor' is missing.*'CastDescriptor'/s) },
  ]);
  expect(edit(`{ type: 'reduce', function: 'median' }▮`).errors).toEqual([
    { at: 'function', message: expect.stringContaining(`not assignable to type 'ReduceFunction'`) },
  ]);
});

test('bindings and outputs of the operator are offered, and no others', () => {
  expect(editCall(`operator.dispatch({ ▮ })`).offered).toEqual(['aTensor', 'bTensor', 'cTensor', 'outputTensor']);
  expect(editCall(`operator.dispatch({ aTensor: tensor, ▮ })`).offered).toEqual(['bTensor', 'cTensor', 'outputTensor']);
  expect(editCall(`operator.createOutputs().▮`).offered).toEqual(['outputTensor']);
});

test('an error in a call shows the bindings of the operator', () => {
  expect(editCall(`operator.dispatch({ aTensor: tensor })▮`).errors).toEqual([
    { at: '{ aTensor: tensor }', message: expect.stringMatching(/\{ readonly aTensor: Binding; .*: bTensor, outputTensor$/s) },
  ]);
  expect(editCall(`operator.dispatch({ aTensor: tensor, bTensorr: tensor })▮`).errors).toEqual([
    { at: 'bTensorr', message: expect.stringMatching(/'bTensorr' does not exist.*'bTensor'/) },
  ]);
  expect(editCall(`device.run({ type: 'gemm', aTensor: tensor })▮`).errors).toEqual([
    { at: `{ type: 'gemm', aTensor: tensor }`, message: expect.stringContaining(`'bTensor' is missing`) },
  ]);
});

test('fields of nodes, outputs of nodes and outputs of graphs are offered, and no others', () => {
  const fields = operatorTable.gather.fields.map(({ name }) => name).sort();
  expect(editCall(`graph.add({ type: 'gather', ▮ })`).offered).toEqual(fields);
  expect(editCall(`graph.add({ type: 'gather', inputTensor: value, indicesTensor: value }).▮`).offered).toEqual(['outputTensor']);
  expect(editCall(`(await net.run({ image: tensor })).▮`).offered).toEqual(['features', 'scores']);
  expect(editCall(`net.outputs.▮`).offered).toEqual(['features', 'scores']);
});

test('fields of nodes are the same if the data type of an input is known', () => {
  const fields = operatorTable.gather.fields.map(({ name }) => name).sort();
  const others = fields.filter((name) => name !== 'inputTensor');
  expect(editCall(`graph.add({ type: 'gather', inputTensor: floats, ▮ })`).offered).toEqual(others);
  expect(editCall(`graph.add({ type: 'topK', inputTensor: floats, axis: 0, k: 1 }).▮`).offered).toEqual([
    'outputIndexTensor',
    'outputValueTensor',
  ]);
  expect(editCall(`(await (await graph.compile({ features: floats })).run({})).▮`).offered).toEqual(['features']);
  expect(editCall(`graph.add({ type: 'gemm', aTensor: floats, bTensorr: floats })▮`).errors).toEqual([
    { at: 'bTensorr', message: expect.stringMatching(/'bTensorr' does not exist.*'bTensor'/) },
  ]);
  expect(editCall(`graph.add({ type: 'gemm', aTensor: tensor, bTensor: floats })▮`).errors).toEqual([
    { at: 'aTensor', message: expect.stringContaining(`'Tensor<DataType>' is not assignable to type 'Value<DataType>'`) },
  ]);
  expect(editCall(`graph.add({ type: 'gemm', aTensor: floats })▮`).errors).toEqual([
    { at: `{ type: 'gemm', aTensor: floats }`, message: expect.stringContaining(`'bTensor' is missing`) },
  ]);
});

test('an error in a node is reported at the field', () => {
  expect(editCall(`graph.add({ type: 'gemm', aTensor: value, bTensorr: value })▮`).errors).toEqual([
    { at: 'bTensorr', message: expect.stringMatching(/'bTensorr' does not exist.*'bTensor'/) },
  ]);
  expect(editCall(`graph.add({ type: 'gemm', aTensor: value, bTensor: tensor })▮`).errors).toEqual([
    { at: 'bTensor', message: expect.stringContaining(`'Tensor<DataType>' is not assignable to type 'Value<DataType>'`) },
  ]);
});
