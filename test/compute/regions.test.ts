/** The number of samples of regions of interest: as many as a region needs, but few enough for a dispatch to end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Device, type OperatorDescriptor } from 'node-directml';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';
import { backends } from '../support/devices.js';
import { caught, gist } from '../support/errors.js';

const NO_LIMIT = 2 ** 32 - 1;
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const row = Float32Array.of(1, 2, 4, 8, 16, 32);

const common = {
  roiTensor: float32(1, 4),
  batchIndicesTensor: { dataType: 'uint32', sizes: [1] },
  reductionFunction: 'average',
  interpolationMode: 'nearestNeighbor',
  spatialScaleX: 1,
  spatialScaleY: 1,
  inputPixelOffset: 0.5,
  outputPixelOffset: -0.5,
  minimumSamplesPerOutput: 1,
  maximumSamplesPerOutput: NO_LIMIT,
  alignRegionsToCorners: false,
} as const;

const align = {
  type: 'roiAlign1',
  ...common,
  inputTensor: float32(1, 1, 1, 6),
  outputTensor: float32(1, 1, 1, 2),
  outOfBoundsInputValue: 0,
} as const satisfies OperatorDescriptor;

const gradient = {
  type: 'roiAlignGrad',
  ...common,
  inputGradientTensor: float32(1, 1, 1, 2),
  outputGradientTensor: float32(1, 1, 1, 6),
} as const satisfies OperatorDescriptor;

type Change = Partial<Omit<OperatorDescriptor<'roiAlign1'>, 'type'>>;

/** The region of the row, resized to two elements. */
async function aligned(device: Device, region: readonly number[], change: Change = {}): Promise<number[]> {
  const operator = await device.compile({ ...align, ...change });
  const outputTensor = device.createTensor(align.outputTensor);
  operator.dispatch({
    inputTensor: device.createTensor(align.inputTensor, row),
    roiTensor: device.createTensor(common.roiTensor, Float32Array.from(region)),
    batchIndicesTensor: device.createTensor(common.batchIndicesTensor, Uint32Array.of(0)),
    outputTensor,
  });
  return [...(await outputTensor.read())];
}

/** The gradient of the row's elements for the output gradients 64 and 128. */
async function gradients(device: Device, region: readonly number[], reductionFunction: 'average' | 'max'): Promise<number[]> {
  const isMax = reductionFunction === 'max';
  const inputTensor = isMax ? align.inputTensor : null;
  const operator = await device.compile({ ...gradient, inputTensor, reductionFunction });
  const outputGradientTensor = device.createTensor(gradient.outputGradientTensor);
  operator.dispatch({
    inputTensor: isMax ? device.createTensor(align.inputTensor, row) : undefined,
    inputGradientTensor: device.createTensor(gradient.inputGradientTensor, Float32Array.of(64, 128)),
    roiTensor: device.createTensor(common.roiTensor, Float32Array.from(region)),
    batchIndicesTensor: device.createTensor(common.batchIndicesTensor, Uint32Array.of(0)),
    outputGradientTensor,
  });
  return [...(await outputGradientTensor.read())];
}

describe.each(backends)('regions without a limit of samples on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device.dispose());

  test('take one sample for each element that they cover, even far outside the image', async () => {
    expect(await aligned(device, [0, 0, 128, 1])).toEqual([63 / 64, 0]);
    expect(await aligned(device, [-64, 0, 64, 1], { outOfBoundsInputValue: -1 })).toEqual([-1, (63 - 58) / 64]);
    expect(await aligned(device, [0, 0, 128, 1], { reductionFunction: 'max', outOfBoundsInputValue: -1 })).toEqual([32, -1]);
    expect(await gradients(device, [0, 0, 128, 1], 'average')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await gradients(device, [-128, 0, 128, 1], 'max')).toEqual([0, 0, 0, 0, 0, 128]);
  });
});

describe('regions for which a dispatch of DirectML would not end', () => {
  const device = createDevice({ backend: 'reference' });

  afterAll(async () => (await device).dispose());

  const huge = [0, 0, 1e30, 1e30];
  const infinite = [0, 0, Infinity, Infinity];

  test.each([[huge], [infinite], [[-3e38, -3e38, 3e38, 3e38]]])('take their samples outside the image: %j', async (region) => {
    expect(await aligned(await device, region, { outOfBoundsInputValue: -100 })).toEqual([-100, -100]);
    expect(await aligned(await device, region, { reductionFunction: 'max' })).toEqual([0, 0]);
    expect(await gradients(await device, region, 'max')).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('with NaN positions take samples that are all equal', async () => {
    const endless = [-Infinity, -Infinity, Infinity, Infinity];
    expect(await aligned(await device, endless)).toEqual([1, 1]);
    expect(await aligned(await device, endless, { interpolationMode: 'linear' })).toEqual([NaN, NaN]);
    expect(await aligned(await device, huge, { inputPixelOffset: NaN })).toEqual([1, 1]);
  });

  test('that begin in the image include its elements', async () => {
    const [first = 0, second] = await aligned(await device, [0, 0, 2e6, 1]);
    expect([first, second]).toEqual([Math.fround(63 / 1e6), 0]);
    expect(await aligned(await device, [0, 0, 2e9, 1e9], { reductionFunction: 'max' })).toEqual([32, 0]);
  });

  test('compute an output of a million elements', async () => {
    const outputTensor = float32(1, 1, 1, 2 ** 20);
    const operator = await (await device).compile({ ...align, outputTensor, outOfBoundsInputValue: 3 });
    const output = (await device).createTensor(outputTensor);
    operator.dispatch({
      inputTensor: (await device).createTensor(align.inputTensor, row),
      roiTensor: (await device).createTensor(common.roiTensor, Float32Array.from(huge)),
      batchIndicesTensor: (await device).createTensor(common.batchIndicesTensor, Uint32Array.of(0)),
      outputTensor: output,
    });
    expect((await output.read()).every((value) => value === 3)).toBe(true);
  });
});

describe.each([align, { ...align, type: 'roiAlign' }, { ...gradient, inputTensor: null }])(
  'minimumSamplesPerOutput of $type',
  (descriptor) => {
    const { inputPixelOffset, outputPixelOffset, alignRegionsToCorners, ...usual } = descriptor;
    const placing = descriptor.type === 'roiAlign' ? {} : { inputPixelOffset, outputPixelOffset, alignRegionsToCorners };
    const refused = (change: object) => caught(() => resolveDescriptor({ ...usual, ...placing, ...change }, '6.4'));

    test('above 64 is refused by a rule of our own', () => {
      expect(resolveDescriptor({ ...usual, ...placing, minimumSamplesPerOutput: 64 }, '6.4')).toBeDefined();
      for (const minimumSamplesPerOutput of [65, 2 ** 31 - 1]) {
        const error = refused({ minimumSamplesPerOutput });
        expect([...gist(error), strictRuleOf(error)]).toEqual(['ERR_OUT_OF_RANGE', 'minimumSamplesPerOutput', 'region-samples']);
      }
    });

    test('that DirectML refuses too is not reported as a rule of our own', () => {
      for (const change of [
        { minimumSamplesPerOutput: 0 },
        { minimumSamplesPerOutput: 2 ** 31 },
        { maximumSamplesPerOutput: 0 },
      ]) {
        const error = refused(change);
        expect([...gist(error), strictRuleOf(error)]).toEqual(['ERR_OUT_OF_RANGE', 'minimumSamplesPerOutput', undefined]);
      }
    });
  },
);
