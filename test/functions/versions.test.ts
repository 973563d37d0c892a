/** The newest version of an operator needs nothing more than an older one, and then gives the same bits. */
import { Tensor, type Device } from 'node-directml';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { callFunction, outputsOf } from '../support/functions.js';

const values = (count: number) => Float32Array.from({ length: count }, (_, i) => Math.fround(4 * Math.sin(3 * i + 1)));
const floats = (device: Device, ...sizes: number[]) =>
  device.createTensor({ dataType: 'float32', sizes }, values(sizes.reduce((product, size) => product * size)));

interface Pair {
  readonly versions: readonly string[];
  /** The fields of the input tensors, and their sizes. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that have other names in the newest version. */
  readonly newest?: Readonly<Record<string, unknown>>;
}

const image = { inputTensor: [1, 2, 4, 6] };
const window = { windowSize: [2, 2], strides: [2, 2] };
const linear = { interpolationMode: 'linear', outputTensor: { sizes: [1, 2, 7, 4] } };
const heads = { queryTensor: [1, 3, 8], keyTensor: [1, 4, 8], valueTensor: [1, 4, 8] };

const pairs: readonly Pair[] = [
  { versions: ['maxPooling', 'maxPooling1', 'maxPooling2'], inputs: image, fields: window },
  { versions: ['averagePooling', 'averagePooling1'], inputs: image, fields: { ...window, includePadding: true } },
  { versions: ['lpPooling', 'lpPooling1'], inputs: image, fields: window },
  { versions: ['topK', 'topK1'], inputs: image, fields: { k: 3 } },
  { versions: ['padding', 'padding1'], inputs: image, fields: { startPadding: [0, 0, 1, 0], endPadding: [0, 1, 0, 2] } },
  { versions: ['elementWiseClip', 'elementWiseClip1'], inputs: image, fields: { min: -1, max: 2 } },
  { versions: ['depthToSpace', 'depthToSpace1'], inputs: { inputTensor: [1, 8, 2, 3] }, fields: { blockSize: 2 } },
  { versions: ['spaceToDepth', 'spaceToDepth1'], inputs: image, fields: { blockSize: 2 } },
  {
    versions: ['diagonalMatrix', 'diagonalMatrix1'],
    inputs: {},
    fields: { outputTensor: { dataType: 'float32', sizes: [3, 4] } },
  },
  { versions: ['resample', 'resample1', 'resample2', 'resample3'], inputs: image, fields: linear },
  {
    versions: ['resampleGrad', 'resampleGrad1'],
    inputs: { inputGradientTensor: [1, 2, 4, 6] },
    fields: { interpolationMode: 'linear', outputGradientTensor: { sizes: [1, 2, 2, 3] } },
  },
  {
    versions: ['meanVarianceNormalization1', 'meanVarianceNormalization2'],
    inputs: { ...image, scaleTensor: [1, 2, 4, 6] },
    fields: { axes: [3] },
  },
  {
    versions: ['slice', 'slice1'],
    inputs: image,
    fields: { offsets: [0, 1, 1, 2], sizes: [1, 1, 2, 3] },
    newest: { inputWindowOffsets: [0, 1, 1, 2], inputWindowSizes: [1, 1, 2, 3] },
  },
  {
    versions: ['multiheadAttention', 'multiheadAttention1'],
    inputs: heads,
    fields: { headCount: 2 },
    newest: { queryHeadCount: 2 },
  },
];

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);

  test.each(pairs)('$versions', async ({ versions, inputs, fields, newest = fields }) => {
    const results = await Promise.all(
      versions.map(async (type, i) => {
        const tensors = Object.entries(inputs).map(([name, sizes]) => [name, floats(device(), ...sizes)]);
        const given = i === versions.length - 1 ? newest : fields;
        const outputs = outputsOf(type, await callFunction({ type, ...Object.fromEntries(tensors), ...given }, device()));
        return Promise.all(
          Object.entries(outputs).map(async ([name, output]) => {
            if (!(output instanceof Tensor)) throw new TypeError(`${name} is no tensor`);
            return [name, output.sizes, await output.read()];
          }),
        );
      }),
    );
    for (const result of results) expect(result).toEqual(results[0]);
  });
});
