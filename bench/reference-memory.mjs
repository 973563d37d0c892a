// @ts-check
// The benchmark's row about the memory that operators of the reference take beside their tensors. Each operator is measured in a
// process of its own, because a process knows only the highest peak that it ever had:
//   node bench/reference-memory.mjs OPERATOR DATA_TYPE
// It prints the peak beside the tensors as a percentage of these.
import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createDevice } from 'node-directml';

/** @typedef {'int8' | 'float16' | 'float32'} Type */

const bytes = 128 * 2 ** 20;
const piece = new Uint8Array(2 ** 20).fill(17);
const columns = 4096;
const widths = { int8: 1, float16: 2, float32: 4 };
/** In percent of the tensors. */
const limit = 20;
const start = promisify(execFile);

/**
 * Returns operators of inputs of 128 MiB each, by name.
 * @returns {Readonly<Record<string, import('node-directml').OperatorDescriptor>>}
 */
function operatorsOf(/** @type {Type} */ dataType) {
  const rows = bytes / widths[dataType] / columns;
  const sizes = [1, 1, rows, columns];
  const tensor = { dataType, sizes };
  const to = { outputTensor: tensor };
  const unary = { inputTensor: tensor, ...to };
  const binary = { aTensor: tensor, bTensor: tensor, ...to };
  const line = { dataType, sizes: sizes.with(3, 1) };
  const half = { dataType, sizes: sizes.with(3, columns / 2) };
  const one = (/** @type {Type} */ type) => ({ dataType: type, sizes, strides: [0, 0, 0, 0] });
  const flags = { dataType: /** @type {const} */ ('uint8'), sizes };
  const window = { inputWindowOffsets: [0, 0, 0, 0], inputWindowSizes: sizes, inputWindowStrides: [1, 1, 1, 2] };
  const pads = { startPadding: [0, 0, 0, 1], endPadding: [0, 0, 0, 1] };
  const padded = { dataType, sizes: sizes.with(3, columns + 2) };
  const turned = { dataType, sizes: [1, 1, columns, rows] };
  const isFloat = dataType !== 'int8';
  const other = dataType === 'float32' ? 'float16' : 'float32';
  return /** @type {Record<string, import('node-directml').OperatorDescriptor>} */ ({
    abs: { type: 'elementWiseAbs', ...unary },
    add: { type: 'elementWiseAdd', ...binary },
    max: { type: 'elementWiseMax', ...binary },
    greaterThan: { type: 'elementWiseLogicalGreaterThan', ...binary, outputTensor: flags },
    clip: { type: 'elementWiseClip', ...unary, min: -1, max: 1 },
    if: { type: 'elementWiseIf', conditionTensor: flags, ...binary },
    cast: { type: 'cast', inputTensor: tensor, outputTensor: { dataType: other, sizes } },
    transpose: { type: 'elementWiseIdentity', inputTensor: { ...turned, strides: [1, 1, 1, columns] }, outputTensor: turned },
    slice: { type: 'slice1', inputTensor: tensor, outputTensor: half, ...window },
    padding: { type: 'padding', inputTensor: tensor, outputTensor: padded, paddingMode: 'constant', paddingValue: 0, ...pads },
    join: { type: 'join', inputTensors: [half, half], ...to, axis: 3 },
    fill: { type: 'fillValueConstant', ...to, valueDataType: dataType, value: 1 },
    ...(!isFloat && {
      dequantize: {
        ...{ type: 'elementWiseDequantizeLinear', inputTensor: tensor, outputTensor: { dataType: 'float32', sizes } },
        ...{ scaleTensor: one('float32'), zeroPointTensor: one('int8') },
      },
    }),
    ...(dataType === 'float32' && {
      quantize: {
        ...{ type: 'elementWiseQuantizeLinear', inputTensor: tensor, outputTensor: { dataType: 'int8', sizes } },
        ...{ scaleTensor: one('float32'), zeroPointTensor: one('int8') },
      },
    }),
    ...(isFloat && {
      exp: { type: 'elementWiseExp', ...unary },
      relu: { type: 'activationRelu', ...unary },
      isNan: { type: 'elementWiseIsNan', inputTensor: tensor, outputTensor: flags },
      softmax: { type: 'activationSoftmax', ...unary },
      sum: { type: 'reduce', function: 'sum', axes: [3], inputTensor: tensor, outputTensor: line },
      sumOfColumns: {
        type: 'reduce',
        function: 'sum',
        axes: [2],
        inputTensor: tensor,
        outputTensor: { dataType, sizes: [1, 1, 1, columns] },
      },
      argmax: {
        type: 'argmax',
        axes: [3],
        axisDirection: 'increasing',
        inputTensor: tensor,
        outputTensor: { dataType: 'uint32', sizes: line.sizes },
      },
      normalize: { type: 'meanVarianceNormalization2', axes: [3], useMean: true, useVariance: true, epsilon: 1e-5, ...unary },
    }),
  });
}

/**
 * Measures all operators with all data types, and prints each.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureReferenceMemory() {
  const began = performance.now();
  /** @type {number[]} */
  const peaks = [];
  for (const dataType of /** @type {const} */ (['int8', 'float16', 'float32'])) {
    for (const name of Object.keys(operatorsOf(dataType))) {
      const { stdout } = await start(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), name, dataType]);
      peaks.push(Number(stdout));
      console.error(`${name} of ${dataType}: ${stdout.trim()} %`);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  return { ours: 'largest', unit: '%', values: [[Math.max(...peaks)]], seconds, control: null, limit, equal: true };
}

/** Returns the peak beside the tensors in percent. */
async function peakOf(/** @type {string} */ name, /** @type {Type} */ dataType) {
  const descriptor = operatorsOf(dataType)[name];
  if (descriptor === undefined) throw new Error(`there is no operator ${name} of ${dataType}`);
  const device = await createDevice({ backend: 'reference', thread: 'caller' });
  const operator = await device.compile(descriptor);
  /** @type {import('node-directml').Tensor[]} */
  const tensors = [];
  const create = (/** @type {import('node-directml').TensorDesc} */ desc) => {
    const tensor = device.createTensor(desc);
    const { length } = piece;
    // Also outputs are written: only then does the system provide their memory.
    for (let at = 0; at < tensor.totalTensorSizeInBytes; at += length) {
      tensor.buffer.write(piece.subarray(0, Math.min(length, tensor.totalTensorSizeInBytes - at)), at);
    }
    tensors.push(tensor);
    return tensor;
  };
  const bindings = Object.fromEntries(
    Object.entries(descriptor)
      .filter(([field]) => /Tensors?$/.test(field))
      .map(([field, desc]) => [field, Array.isArray(desc) ? desc.map(create) : create(desc)]),
  );
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  operator.dispatch(bindings);
  const held = tensors.reduce((sum, { totalTensorSizeInBytes }) => sum + totalTensorSizeInBytes, 0);
  return (100 * Math.max(0, process.resourceUsage().maxRSS * 1024 - before)) / held;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name = '', dataType = ''] = process.argv.slice(2);
  console.log((await peakOf(name, /** @type {Type} */ (dataType))).toFixed(1));
}
