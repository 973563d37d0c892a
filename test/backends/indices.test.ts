/** docs/indices.md as tests: what indices out of range read and write, on each backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import { backends } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';

const uint32 = (...sizes: number[]) => ({ dataType: 'uint32', sizes }) as const;
const int64 = (...sizes: number[]) => ({ dataType: 'int64', sizes }) as const;
const values64 = { dataType: 'uint64' } as const;
/** Two rows of three, and a gap between them. */
const image = { ...uint32(1, 1, 2, 3), strides: [8, 8, 4, 1] } as const;
/** The value of each element is its position. */
const positions = (count: number) => Uint32Array.from({ length: count }, (_, i) => i);

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device.dispose());

  async function gathered(indices: readonly bigint[]): Promise<number[]> {
    const indicesTensor = int64(1, indices.length);
    const outputTensor = device.createTensor(uint32(3, indices.length));
    const gather = await device.compile({
      type: 'gather',
      inputTensor: uint32(3, 5),
      indicesTensor,
      outputTensor: uint32(3, indices.length),
      axis: 1,
      indexDimensions: 1,
    });
    gather.dispatch({
      inputTensor: device.createTensor(uint32(3, 5), positions(15)),
      indicesTensor: device.createTensor(indicesTensor, BigInt64Array.from(indices)),
      outputTensor,
    });
    return [...(await outputTensor.read())];
  }

  test('gather checks the flat position, not the index', async () => {
    expect(await gathered([4n, -5n, 6n, -6n, 100n])).toEqual([
      ...[4, 0, 6, 14, 14],
      ...[9, 5, 11, 4, 14],
      ...[14, 10, 14, 9, 14],
    ]);
  });

  test('a 64-bit index counts with its low 32 bits and its sign', async () => {
    const once = await gathered([2n ** 32n + 2n, 2n ** 32n - 1n, -(2n ** 32n) + 1n]);
    expect(once.slice(0, 3)).toEqual([2, 14, 6]);
  });

  test('gatherNd1 combines the coordinates of a tuple', async () => {
    const outputTensor = device.createTensor(uint32(1, 5));
    const gather = await device.compile({
      type: 'gatherNd1',
      inputTensor: uint32(3, 5),
      indicesTensor: uint32(5, 2),
      outputTensor: uint32(1, 5),
      inputDimensionCount: 2,
      indicesDimensionCount: 2,
      batchDimensionCount: 0,
    });
    gather.dispatch({
      inputTensor: device.createTensor(uint32(3, 5), positions(15)),
      indicesTensor: device.createTensor(uint32(5, 2), Uint32Array.of(2, 4, 0, 5, 1, 9, 3, 0, 9, 9)),
      outputTensor,
    });
    expect([...(await outputTensor.read())]).toEqual([14, 5, 14, 14, 14]);
  });

  async function unpooling(indices: readonly bigint[]) {
    const [values, indicesTensor] = [uint32(1, 1, 1, indices.length), { ...values64, sizes: [1, 1, 1, indices.length] }];
    const unpool = await device.compile({ type: 'maxUnpooling', inputTensor: values, indicesTensor, outputTensor: image });
    const outputTensor = device.createTensor(image, new Uint32Array(7).fill(99));
    const inputTensor = device.createTensor(
      values,
      positions(indices.length).map((i) => i + 1),
    );
    const bindings = {
      inputTensor,
      indicesTensor: device.createTensor(indicesTensor, BigUint64Array.from(indices)),
      outputTensor,
    };
    return { unpool, bindings, outputTensor };
  }

  test('maxUnpooling drops indices out of range, and leaves gaps unchanged', async () => {
    const { unpool, bindings, outputTensor } = await unpooling([0n, 6n, 7n, 2n ** 32n + 2n, 2n ** 32n - 1n]);
    unpool.dispatch(bindings);
    expect([...(await outputTensor.read())]).toEqual([1, 0, 4, 99, 0, 0, 0]);
  });

  test('the checked mode knows the range of maxUnpooling', async () => {
    const { unpool, bindings } = await unpooling([0n, 5n, 6n]);
    expect(gist(await rejected(unpool.dispatchChecked(bindings)))).toEqual([
      'ERR_INDEX_OUT_OF_RANGE',
      'indicesTensor[0, 0, 0, 2]',
    ]);
  });

  test('shapes that DirectML would compute only in part are refused', async () => {
    const cut = device.compile({
      type: 'gather',
      inputTensor: uint32(2, 3),
      indicesTensor: uint32(2, 2),
      outputTensor: uint32(2, 2),
      axis: 1,
      indexDimensions: 2,
    });
    expect(gist(await rejected(cut))).toEqual(['ERR_FIELD_COMBINATION', 'outputTensor.sizes']);
    const batches = device.compile({
      type: 'gatherNd1',
      inputTensor: uint32(1, 2, 3),
      indicesTensor: uint32(4, 3, 1),
      outputTensor: uint32(1, 4, 3),
      inputDimensionCount: 2,
      indicesDimensionCount: 3,
      batchDimensionCount: 1,
    });
    expect(gist(await rejected(batches))).toEqual(['ERR_SIZES', 'indicesTensor.sizes[0]']);
  });

  const five = uint32(5);
  const single = { inputTensor: five, indicesTensor: five, outputTensor: five };
  const tuples = { inputTensor: five, indicesTensor: uint32(5, 1), outputTensor: uint32(1, 5) };
  const counts = { inputDimensionCount: 1, indicesDimensionCount: 2 };
  test.each([
    { type: 'gather', axis: 0, indexDimensions: 1, ...single },
    { type: 'gatherElements', axis: 0, ...single },
    { type: 'gatherNd', ...counts, ...tuples, inputTensor: uint32(1, 5) },
    { type: 'gatherNd1', ...counts, batchDimensionCount: 0, ...tuples, inputTensor: uint32(1, 5) },
    { type: 'scatterElements', axis: 0, ...single, updatesTensor: five },
    { type: 'scatterNd', ...counts, ...tuples, inputTensor: uint32(1, 5), updatesTensor: uint32(1, 5) },
  ] as const)('the checked mode finds the index of $type that is out of range', async (descriptor) => {
    const operator = await device.compile(descriptor);
    const run = (...indices: number[]) => {
      const tensors = Object.entries(descriptor).flatMap(([name, desc]) => {
        if (typeof desc !== 'object') return [];
        return [[name, device.createTensor(desc, name === 'indicesTensor' ? Uint32Array.from(indices) : positions(5))]];
      });
      return operator.dispatchChecked(Object.fromEntries(tensors));
    };
    await run(4, 3, 2, 1, 0);
    const at = descriptor.indicesTensor.sizes.length === 1 ? '3' : '3, 0';
    expect(gist(await rejected(run(4, 3, 2, 5, 0)))).toEqual(['ERR_INDEX_OUT_OF_RANGE', `indicesTensor[${at}]`]);
  });

  const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
  const region = {
    roiTensor: float32(2, 4),
    batchIndicesTensor: uint32(2),
    reductionFunction: 'average',
    interpolationMode: 'linear',
    spatialScaleX: 1,
    spatialScaleY: 1,
    minimumSamplesPerOutput: 1,
    maximumSamplesPerOutput: 1,
  } as const;
  /** Two images of one element each, and a region for each of them. */
  const images = Float32Array.of(3, 4);
  const whole = Float32Array.of(0, 0, 1, 1, 0, 0, 1, 1);

  test('roiAlign takes the last image for an index out of range, which the checked mode reports', async () => {
    const align = await device.compile({
      type: 'roiAlign',
      ...region,
      inputTensor: float32(2, 1, 1, 1),
      outputTensor: float32(2, 1, 1, 1),
      outOfBoundsInputValue: 0,
    });
    const outputTensor = device.createTensor(float32(2, 1, 1, 1));
    const bindings = (...indices: number[]) => ({
      inputTensor: device.createTensor(float32(2, 1, 1, 1), images),
      roiTensor: device.createTensor(region.roiTensor, whole),
      batchIndicesTensor: device.createTensor(region.batchIndicesTensor, Uint32Array.from(indices)),
      outputTensor,
    });
    align.dispatch(bindings(0, 2));
    expect([...(await outputTensor.read())]).toEqual([3, 4]);
    const error = await rejected(align.dispatchChecked(bindings(1, 2)));
    expect(gist(error)).toEqual(['ERR_INDEX_OUT_OF_RANGE', 'batchIndicesTensor[1]']);
  });

  test('roiAlignGrad drops gradients for an index out of range, which the checked mode reports', async () => {
    const gradient = await device.compile({
      type: 'roiAlignGrad',
      ...region,
      inputGradientTensor: float32(2, 1, 1, 1),
      outputGradientTensor: float32(2, 1, 1, 1),
      inputPixelOffset: 0.5,
      outputPixelOffset: -0.5,
      alignRegionsToCorners: false,
    });
    const outputGradientTensor = device.createTensor(float32(2, 1, 1, 1));
    const bindings = (...indices: number[]) => ({
      inputGradientTensor: device.createTensor(float32(2, 1, 1, 1), images),
      roiTensor: device.createTensor(region.roiTensor, whole),
      batchIndicesTensor: device.createTensor(region.batchIndicesTensor, Uint32Array.from(indices)),
      outputGradientTensor,
    });
    gradient.dispatch(bindings(1, 2));
    expect([...(await outputGradientTensor.read())]).toEqual([0, 3]);
    const error = await rejected(gradient.dispatchChecked(bindings(2, 0)));
    expect(gist(error)).toEqual(['ERR_INDEX_OUT_OF_RANGE', 'batchIndicesTensor[0]']);
  });
});
