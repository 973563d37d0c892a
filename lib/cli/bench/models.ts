/**
 * Five models of one node, each measured from arrays to arrays: by `node-directml/onnx`, and by the DirectML provider of
 * onnxruntime-node if the current folder has that package.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Device } from '../../index.js';
import { loadOnnx } from '../../onnx/load-onnx.js';
import { table } from '../layout.js';
import { eachAwaited } from './workload.js';
import { measure, type Round } from './measure.js';
import { modelOf, type NodeTensor, type OneNode } from './one-node-model.js';
import { timeText } from './units.js';

/** Times are in milliseconds. */
interface ModelRow {
  readonly name: string;
  readonly milliseconds: number;
  /** Null if onnxruntime-node is not here, or has failed. */
  readonly onnxruntime: number | null;
}

interface ModelTimes {
  readonly rows: readonly ModelRow[];
  /** The version of onnxruntime-node, or why there are no times of it. */
  readonly onnxruntime: string;
}

const floats = (...sizes: number[]): NodeTensor => ({ dataType: 'float32', sizes });
const [plane, square, images, line] = [floats(4096, 1024), floats(1024, 1024), floats(1, 64, 56, 56), floats(2 ** 20)];

const models: readonly (readonly [name: string, node: OneNode])[] = [
  ['Add, 2 × 16 MiB', { opType: 'Add', inputs: { a: plane, b: plane }, output: plane }],
  ['Softmax, 4096×1024', { opType: 'Softmax', attributes: { axis: 1 }, inputs: { x: plane }, output: plane }],
  ['MatMul, 1024×1024', { opType: 'MatMul', inputs: { a: square, b: square }, output: square }],
  [
    'Conv, 64×56×56, 3×3',
    { opType: 'Conv', attributes: { pads: [1, 1, 1, 1] }, inputs: { x: images, w: floats(64, 64, 3, 3) }, output: images },
  ],
  [
    'ScatterND, 1M updates',
    {
      opType: 'ScatterND',
      inputs: { data: line, indices: { dataType: 'int64', sizes: [2 ** 20, 1] }, updates: line },
      output: line,
    },
  ],
];

export async function measureModels(device: Device, milliseconds: number, progress: (text: string) => void): Promise<ModelTimes> {
  const other = onnxruntime();
  let state = typeof other === 'string' ? other : versionOf(other);
  const rows: ModelRow[] = [];
  for (const [name, node] of models) {
    progress(name);
    const bytes = modelOf(node);
    const feeds = Object.entries(node.inputs).map(([input, tensor]) => ({ input, ...tensor, data: dataOf(tensor) }));
    const own = await measure(await ownRound(device, bytes, feeds), milliseconds);
    let theirs: number | null = null;
    if (typeof other !== 'string') {
      try {
        theirs = (await measure(await otherRound(other, bytes, feeds), milliseconds)).median;
      } catch (error) {
        state = `${versionOf(other)}: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    rows.push({ name, milliseconds: own.median, onnxruntime: theirs });
  }
  return { rows, onnxruntime: state };
}

export function modelsText({ rows, onnxruntime: state }: ModelTimes, width: number): string {
  const head = ['', 'node-directml', 'onnxruntime-node'];
  const cells = rows.map(({ name, milliseconds, onnxruntime: theirs }) => {
    return [name, timeText(milliseconds), theirs === null ? '-' : timeText(theirs)];
  });
  return `${table([head, ...cells], width)}\n\nonnxruntime-node: ${state}`;
}

interface Feed extends NodeTensor {
  readonly input: string;
  readonly data: Float32Array | BigInt64Array;
}

/** Small numbers, repeated; for indices, each place once and never two neighbours in a row. */
function dataOf({ dataType, sizes }: NodeTensor): Feed['data'] {
  const count = sizes.reduce((product, size) => product * size, 1);
  return dataType === 'int64'
    ? BigInt64Array.from({ length: count }, (_, i) => BigInt((i * 40_503) % count))
    : Float32Array.from({ length: count }, (_, i) => (i % 7) / 4 - 0.75);
}

async function ownRound(device: Device, bytes: Uint8Array, feeds: readonly Feed[]): Promise<Round> {
  const model = await loadOnnx<'y'>(device, bytes);
  return eachAwaited(async () => {
    const inputs = feeds.map(
      ({ input, dataType, sizes, data }) => [input, device.createTensor({ dataType, sizes }, data)] as const,
    );
    const { y } = await model.run(Object.fromEntries(inputs));
    await y.read();
    for (const tensor of [y, ...inputs.map(([, input]) => input)]) tensor.dispose();
  });
}

type OnnxRuntime = typeof import('onnxruntime-common');

const missing = 'it is not installed here';

/** The package of the program in the current folder; the reason if there is none that has DirectML. */
function onnxruntime(): OnnxRuntime | string {
  if (process.platform !== 'win32') return 'it has DirectML on Windows only';
  const require = createRequire(join(process.cwd(), 'program.js'));
  try {
    const ort = require('onnxruntime-node') as OnnxRuntime;
    return ort.env.versions.node === undefined ? missing : ort;
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'MODULE_NOT_FOUND' ? missing : String(error);
  }
}

function versionOf(ort: OnnxRuntime): string {
  return ort.env.versions.node ?? '';
}

/** On the adapter that DXGI lists first, as without an option. */
async function otherRound(ort: OnnxRuntime, bytes: Uint8Array, feeds: readonly Feed[]): Promise<Round> {
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ['dml'] });
  const given = feeds.map(({ input, dataType, sizes, data }) => [input, new ort.Tensor(dataType, data, sizes)] as const);
  return eachAwaited(() => session.run(Object.fromEntries(given)));
}
