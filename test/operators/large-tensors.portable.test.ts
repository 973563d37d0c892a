/**
 * Elements beyond number 2^31 of a tensor. Most of the memory is never touched, and so the system does not provide it; operators
 * whose results are that large are tested by the functions that compute their element numbers.
 */
import { createDevice, type Device, type OperatorDescriptor } from 'node-directml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABSENT, sumTerms, terms, termsByAxis } from '#lib/compute/element-map.js';
import { samplesOf } from '#lib/compute/regions.js';
import { spatialTaps } from '#lib/compute/window-taps.js';
import { DirectMLError } from '#lib/values/errors.js';

const FAR = 2 ** 31;

describe('element numbers beyond 2^31', () => {
  test('are sums of terms, for tensors of up to 2^32 - 1 elements', () => {
    const axes = [terms(2, (coordinate) => coordinate * FAR), terms(3, (coordinate) => coordinate * (FAR / 2 - 1))];
    expect([...sumTerms(axes)]).toEqual([0, FAR / 2 - 1, FAR - 2, FAR, FAR * 1.5 - 1, 2 ** 32 - 2]);
  });

  test('are absent where one of the terms is', () => {
    const from = (coordinate: number) => (coordinate === 1 ? ABSENT : coordinate);
    const numbers = sumTerms(termsByAxis([3, 3], [3, FAR / 2], from));
    expect([...numbers]).toEqual([0, ABSENT, 2, ABSENT, ABSENT, ABSENT, FAR, ABSENT, FAR + 2]);
  });

  test('are not what an absent element has', () => {
    expect(ABSENT).not.toBe(2 ** 32 - 2);
    expect([...terms(1, () => ABSENT)]).toEqual([ABSENT]);
  });
});

test('a convolution reads coordinates beyond 2^31', () => {
  const tensor = (...sizes: number[]) => ({
    dataType: 'float32' as const,
    flags: 'none' as const,
    sizes,
    strides: null,
    totalTensorSizeInBytes: 4,
    guaranteedBaseOffsetAlignment: 0,
  });
  const [, , width] = spatialTaps({
    ...{ inputTensor: tensor(1, 1, FAR + 2), filterTensor: tensor(1, 1, 3), outputTensor: tensor(1, 1, 2) },
    ...{ strides: [FAR], dilations: [1], startPadding: [0], groupCount: 1 },
  });
  expect(Array.from(width.coordinates, (coordinate) => (coordinate <= FAR + 1 ? coordinate : null))).toEqual([
    0,
    FAR,
    1,
    FAR + 1,
    2,
    null,
  ]);
});

test('a region of interest takes image elements beyond 2^31', () => {
  const { first, second, nearest } = samplesOf(FAR, FAR + 512, 2, FAR + 1024, {
    ...{ isLinear: true, isMax: false, alignRegionsToCorners: false, scaleX: 1, scaleY: 1 },
    ...{ inputPixelOffset: 0, outputPixelOffset: 0, minSamples: 1, maxSamples: 1 },
  });
  expect([[...first], [...second], [...nearest]]).toEqual([
    [FAR, FAR + 256],
    [FAR + 1, FAR + 257],
    [FAR, FAR + 256],
  ]);
});

describe('operators on the reference backend', () => {
  let device: Device;
  beforeAll(async () => (device = await createDevice({ backend: 'reference' })));
  afterAll(() => {
    device.dispose();
  });

  const inputTensor = { dataType: 'uint8', sizes: [FAR + 64] } as const;
  const outputTensor = { dataType: 'uint8', sizes: [3] } as const;
  const operators = {
    slice: { type: 'slice', inputTensor, outputTensor, offsets: [FAR + 8], sizes: [3], strides: [2] },
    slice1: {
      ...{ type: 'slice1', inputTensor, outputTensor },
      ...{ inputWindowOffsets: [FAR + 8], inputWindowSizes: [5], inputWindowStrides: [2] },
    },
    gatherElements: {
      type: 'gatherElements',
      inputTensor,
      indicesTensor: { dataType: 'uint32', sizes: [3] },
      outputTensor,
      axis: 0,
    },
  } as const satisfies Record<string, OperatorDescriptor>;

  test('slice, slice1 and gatherElements read elements beyond 2^31', async () => {
    using input = device.createTensor(inputTensor);
    input.buffer.write(Uint8Array.of(10, 11, 12, 13, 14), FAR + 8);
    const indicesTensor = device.createTensor(
      operators.gatherElements.indicesTensor,
      Uint32Array.of(FAR + 8, FAR + 10, FAR + 12),
    );
    const results: Record<string, readonly number[]> = {};
    for (const [name, descriptor] of Object.entries(operators)) {
      const operator = await device.compile(descriptor);
      const output = device.createTensor(outputTensor);
      const bindings = { inputTensor: input, outputTensor: output };
      operator.dispatch(descriptor.type === 'gatherElements' ? { ...bindings, indicesTensor } : bindings);
      results[name] = [...(await output.read())];
    }
    const expected = [10, 12, 14];
    expect(results).toEqual({ slice: expected, slice1: expected, gatherElements: expected });
  });

  test('a buffer of more than 4 GiB is created, or refused with ERR_OUT_OF_MEMORY, as the Node.js allows', async () => {
    let outcome: unknown;
    try {
      using buffer = device.createBuffer(2 ** 32 + 16);
      buffer.write(Uint8Array.of(1, 2, 3), 2 ** 32 + 8);
      outcome = [...new Uint8Array(await buffer.read(2 ** 32 + 7, 4))];
    } catch (error) {
      outcome = error instanceof DirectMLError ? [error.code, error.message] : error;
    }
    const refused = [
      'ERR_OUT_OF_MEMORY',
      'a buffer of 4294967312 bytes cannot be allocated: in this Node.js, no array is that long',
    ];
    expect([[0, 1, 2, 3], refused]).toContainEqual(outcome);
  });
});
