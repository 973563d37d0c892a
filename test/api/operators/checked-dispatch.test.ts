/** The checked mode runs with exactly the indices that it checked, whatever happens meanwhile; on each backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type CompiledOperator, type Device, type ScatterNdDescriptor } from 'node-directml';
import { backends } from '../../support/devices.js';
import { gist, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';
import { example, exampleIndices, exampleInput, exampleOutput, exampleUpdates } from '../../support/scatter-nd.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const uint32 = (...sizes: number[]) => ({ dataType: 'uint32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device.dispose());

  async function scatter(on = device, descriptor: ScatterNdDescriptor = example) {
    const bindings = {
      inputTensor: on.createTensor(float32(8), Float32Array.from(exampleInput)),
      indicesTensor: on.createTensor(uint32(4, 1), Uint32Array.from(exampleIndices)),
      updatesTensor: on.createTensor(float32(4), Float32Array.from(exampleUpdates)),
      outputTensor: on.createTensor(float32(8)),
    };
    return { operator: await on.compile(descriptor), bindings };
  }

  test('indices that are rewritten during the check are used with their old values', async () => {
    const { operator, bindings } = await scatter();
    const promise = operator.dispatchChecked(bindings);
    bindings.indicesTensor.write(Uint32Array.of(0, 0, 99, 0));
    await promise;
    expect([...(await bindings.outputTensor.read())]).toEqual(exampleOutput);
    expect([...(await bindings.indicesTensor.read())]).toEqual([0, 0, 99, 0]);
  });

  test('the copies of indices are freed', async () => {
    const { operator, bindings } = await scatter();
    await operator.dispatchChecked(bindings);
    await device.idle();
    const { buffers } = device.memory();
    for (let i = 0; i < 20; i++) await operator.dispatchChecked(bindings);
    await device.idle();
    expect(device.memory().buffers).toBe(buffers);
  });

  test('bindings that are changed during the check are used as they were', async () => {
    const { operator, bindings } = await scatter();
    const [{ indicesTensor, outputTensor }, other] = [bindings, device.createTensor(float32(8))];
    const promise = operator.dispatchChecked(bindings);
    bindings.outputTensor = other;
    bindings.indicesTensor = device.createTensor(uint32(4, 1), Uint32Array.of(99, 99, 99, 99));
    await promise;
    expect([...(await outputTensor.read())]).toEqual(exampleOutput);
    expect([...(await other.read())]).toEqual(new Array(8).fill(0));
    expect([...(await indicesTensor.read())]).toEqual(exampleIndices);
  });

  test('the other tensors are used with the values that they have after the check', async () => {
    const { operator, bindings } = await scatter();
    const promise = operator.dispatchChecked(bindings);
    bindings.inputTensor.write(new Float32Array(8).fill(5));
    await promise;
    expect([...(await bindings.outputTensor.read())]).toEqual([5, 11, 5, 10, 9, 5, 5, 12]);
  });

  test('the error names an object that is disposed of during the check', async () => {
    for (const name of ['inputTensor', 'indicesTensor', 'outputTensor'] as const) {
      const { operator, bindings } = await scatter();
      const promise = operator.dispatchChecked(bindings);
      bindings[name].dispose();
      expect(gist(await rejected(promise))).toEqual(['ERR_DISPOSED', name]);
    }
    const { operator, bindings } = await scatter();
    const promise = operator.dispatchChecked(bindings);
    operator.dispose();
    expect((await rejected(promise)).message).toBe('scatterNd: dispatchChecked: the operator is disposed');
    const short = await createDevice({ backend });
    const last = await scatter(short);
    const pending = last.operator.dispatchChecked(last.bindings);
    short.dispose();
    expect((await rejected(pending)).code).toBe('ERR_DISPOSED');
  });

  test('wrong bindings are refused before anything is read', async () => {
    const { operator, bindings } = await scatter();
    expect(gist(await rejected(operator.dispatchChecked({ ...bindings, inputTensor: untyped(null) })))).toEqual([
      'ERR_MISSING_BINDING',
      'inputTensor',
    ]);
    operator.dispose();
    expect((await rejected(operator.dispatchChecked(bindings))).code).toBe('ERR_DISPOSED');
  });

  test('a bad index leaves the output unchanged', async () => {
    const { operator, bindings } = await scatter();
    bindings.indicesTensor.write(Uint32Array.of(0, 1, 2, 8));
    const error = await rejected(operator.dispatchChecked(bindings));
    expect(error.message).toBe('scatterNd: indicesTensor[3, 0]: expected 0 to 7, given 8');
    expect([...(await bindings.outputTensor.read())]).toEqual(new Array(8).fill(0));
  });

  test('indices whose bytes are not a multiple of 4 are checked, at an offset too', async () => {
    const odd = { ...example, indicesTensor: { ...example.indicesTensor, totalTensorSizeInBytes: 18 } };
    const { operator, bindings } = await scatter(device, odd);
    const buffer = device.createBuffer(50);
    buffer.write(Uint32Array.from(exampleIndices), 32);
    await operator.dispatchChecked({ ...bindings, indicesTensor: { buffer, offset: 32 } });
    expect([...(await bindings.outputTensor.read())]).toEqual(exampleOutput);
  });

  test('indices that DirectML owns cannot be checked', async () => {
    const { bindings } = await scatter();
    const { indicesTensor, ...others } = bindings;
    const owned = { ...example, indicesTensor: { ...example.indicesTensor, flags: 'ownedByDml' as const } };
    using operator = await device.compile(owned, { initializationInputs: { indicesTensor } });
    expect((await rejected(operator.dispatchChecked(others))).message).toBe(
      `scatterNd: indicesTensor.flags: expected 'none' for indices that are to be checked, given 'ownedByDml'`,
    );
    operator.dispatch(others);
    expect([...(await bindings.outputTensor.read())]).toEqual(exampleOutput);
  });

  test('an operator without indices is dispatched without a check', async () => {
    using identity = await device.compile({ type: 'elementWiseIdentity', inputTensor: float32(2), outputTensor: float32(2) });
    const outputTensor = device.createTensor(float32(2));
    const promise = identity.dispatchChecked({
      inputTensor: device.createTensor(float32(2), Float32Array.of(1, 2)),
      outputTensor,
    });
    expect([...(await outputTensor.read())]).toEqual([1, 2]);
    await promise;
  });

  const types = {
    int32: Int32Array,
    uint32: Uint32Array,
    int64: BigInt64Array,
    uint64: BigUint64Array,
  } as const;

  /** Gathers from five elements with the given indices. */
  async function gather(dataType: keyof typeof types, ...indices: number[]) {
    const indicesTensor = { dataType, sizes: [indices.length] };
    using operator = await device.compile({
      type: 'gather',
      inputTensor: float32(5),
      indicesTensor,
      outputTensor: float32(indices.length),
      axis: 0,
      indexDimensions: 1,
    });
    const elements = dataType.endsWith('64') ? indices.map(BigInt) : indices;
    const data: ArrayBufferView = Reflect.construct(types[dataType], [elements]);
    const outputTensor = device.createTensor(float32(indices.length));
    const bindings = { inputTensor: device.createTensor(float32(5), Float32Array.of(0, 1, 2, 3, 4)), outputTensor };
    await operator.dispatchChecked({ ...bindings, indicesTensor: device.createTensor(indicesTensor, untyped(data)) });
    return [...(await outputTensor.read())];
  }

  test.each(['int32', 'int64'] as const)('indices of %s count from the end too', async (dataType) => {
    expect(await gather(dataType, 0, 4, -1, -5)).toEqual([0, 4, 4, 0]);
    for (const [index, ...before] of [[5], [-6, 0, -5], [2 ** 31 - 1, 4], [-(2 ** 31), 1]] as const) {
      const error = await rejected(gather(dataType, ...before, index));
      expect(error.message).toBe(`gather: indicesTensor[${before.length}]: expected -5 to 4, given ${index}`);
    }
  });

  test.each(['uint32', 'uint64'] as const)('indices of %s do not', async (dataType) => {
    expect(await gather(dataType, 0, 4, 1)).toEqual([0, 4, 1]);
    for (const index of [5, 2 ** 31, 2 ** 32 - 1]) {
      const error = await rejected(gather(dataType, 1, index));
      expect(error.message).toBe(`gather: indicesTensor[1]: expected 0 to 4, given ${index}`);
    }
  });

  test('all 64 bits of an index are checked', async () => {
    expect((await rejected(gather('int64', 2 ** 32))).given).toBe('4294967296');
    expect((await rejected(gather('uint64', 2 ** 32 + 1))).given).toBe('4294967297');
  });

  async function refusedIndex(operator: CompiledOperator, indices: readonly number[], field = 'indicesTensor') {
    const bindings: Record<string, unknown> = {};
    for (const [name, desc] of Object.entries(operator.descriptor)) {
      if (typeof desc !== 'object' || desc === null || !('sizes' in desc)) continue;
      bindings[name] = device.createTensor(untyped(desc), name === field ? Uint32Array.from(indices) : undefined);
    }
    const error = await operator.dispatchChecked(untyped(bindings)).then(
      () => null,
      untyped<(reason: unknown) => Error>((reason: Error) => reason),
    );
    return error === null ? null : error.message.replace(/^[^:]*: /, '');
  }

  test('each coordinate is checked against the size of its own dimension', async () => {
    const counts = { inputDimensionCount: 2, indicesDimensionCount: 2 } as const;
    using tuples = await device.compile({
      type: 'gatherNd',
      ...counts,
      inputTensor: uint32(3, 5),
      indicesTensor: uint32(2, 2),
      outputTensor: uint32(1, 2),
    });
    expect(await refusedIndex(tuples, [2, 4, 0, 0])).toBe(null);
    expect(await refusedIndex(tuples, [3, 4, 0, 0])).toBe('indicesTensor[0, 0]: expected 0 to 2, given 3');
    expect(await refusedIndex(tuples, [2, 4, 0, 5])).toBe('indicesTensor[1, 1]: expected 0 to 4, given 5');
    const inputTensor = uint32(2, 3, 5);
    using batches = await device.compile({
      type: 'gatherNd1',
      inputDimensionCount: 3,
      indicesDimensionCount: 3,
      batchDimensionCount: 1,
      inputTensor,
      indicesTensor: uint32(2, 1, 2),
      outputTensor: uint32(1, 2, 1),
    });
    expect(await refusedIndex(batches, [2, 4, 2, 4])).toBe(null);
    expect(await refusedIndex(batches, [2, 4, 3, 4])).toBe('indicesTensor[1, 0, 0]: expected 0 to 2, given 3');
    expect(await refusedIndex(batches, [2, 4, 2, 5])).toBe('indicesTensor[1, 0, 1]: expected 0 to 4, given 5');
    using rows = await device.compile({
      type: 'gatherElements',
      inputTensor: uint32(2, 3),
      indicesTensor: uint32(2, 1),
      outputTensor: uint32(2, 1),
      axis: 1,
    });
    expect(await refusedIndex(rows, [2, 2])).toBe(null);
    expect(await refusedIndex(rows, [2, 3])).toBe('indicesTensor[1, 0]: expected 0 to 2, given 3');
    const part = {
      inputTensor: uint32(2, 3),
      indicesTensor: uint32(1, 3),
      updatesTensor: uint32(1, 3),
      outputTensor: uint32(2, 3),
    };
    using columns = await device.compile({ type: 'scatterElements', ...part, axis: 0 });
    expect(await refusedIndex(columns, [1, 1, 1])).toBe(null);
    expect(await refusedIndex(columns, [1, 2, 1])).toBe('indicesTensor[0, 1]: expected 0 to 1, given 2');
  });

  test('gaps between strided indices are ignored, and broadcast indices count once per element', async () => {
    const indicesTensor = { ...uint32(2, 2), strides: [3, 2] };
    using gaps = await device.compile({
      type: 'gather',
      inputTensor: uint32(1, 4),
      indicesTensor,
      outputTensor: uint32(2, 2),
      axis: 1,
      indexDimensions: 2,
    });
    expect(await refusedIndex(gaps, [0, 99, 1, 2, 99, 3])).toBe(null);
    expect(await refusedIndex(gaps, [0, 99, 1, 2, 99, 4])).toBe('indicesTensor[1, 1]: expected 0 to 3, given 4');
    const repeated = { ...uint32(2, 2), strides: [0, 1] };
    using broadcast = await device.compile({
      type: 'gather',
      inputTensor: uint32(1, 4),
      indicesTensor: repeated,
      outputTensor: uint32(2, 2),
      axis: 1,
      indexDimensions: 2,
    });
    expect(await refusedIndex(broadcast, [3, 4])).toBe('indicesTensor[0, 1]: expected 0 to 3, given 4');
  });

  test('image indices out of range are found for roiAlign1 and roiAlignGrad', async () => {
    const region = {
      roiTensor: float32(2, 4),
      batchIndicesTensor: uint32(2),
      reductionFunction: 'average',
      interpolationMode: 'linear',
      spatialScaleX: 1,
      spatialScaleY: 1,
      inputPixelOffset: 0.5,
      outputPixelOffset: -0.5,
      minimumSamplesPerOutput: 1,
      maximumSamplesPerOutput: 1,
      alignRegionsToCorners: false,
    } as const;
    const images = float32(3, 1, 1, 1);
    using align = await device.compile({
      type: 'roiAlign1',
      ...region,
      inputTensor: images,
      outputTensor: float32(2, 1, 1, 1),
      outOfBoundsInputValue: 0,
    });
    const gradients = { inputGradientTensor: float32(2, 1, 1, 1), outputGradientTensor: images };
    using gradient = await device.compile({ type: 'roiAlignGrad', ...region, ...gradients });
    const regions = { inputTensor: images, inputGradientTensor: float32(2, 1, 1, 1), outputRoiGradientTensor: float32(2, 4) };
    using both = await device.compile({ type: 'roiAlignGrad', ...region, ...regions });
    for (const operator of [align, gradient, both]) {
      expect(await refusedIndex(operator, [2, 0], 'batchIndicesTensor')).toBe(null);
      expect(await refusedIndex(operator, [0, 3], 'batchIndicesTensor')).toBe('batchIndicesTensor[1]: expected 0 to 2, given 3');
    }
  });
});
