/** Outputs that a descriptor omits are inferred. */
import { createDevice, type FeatureLevel } from 'node-directml';
import { describe, expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { valuesOf } from '#lib/descriptors/resolved.js';
import { operatorTypes } from '../../checks/operators/cases.js';
import { casesOf } from '../../checks/conformance/runner.js';
import { descriptorsOf, inferenceOf } from '../../checks/parity/inference.js';
import { caught, gist } from '../support/errors.js';
import { drawn } from '../support/level.js';
import { example, exampleIndices, exampleInput, exampleOutput, exampleUpdates } from '../support/scatter-nd.js';

const SEED = 20260101;
const CASES = drawn({ quick: 30, all: 100 });

test.each(operatorTypes)('%s: omitted outputs are inferred as the case has them', (operator) => {
  const inference = inferenceOf(descriptorsOf(casesOf(operator, SEED, CASES)));
  expect(inference.differences).toEqual([]);
  expect(inference.cases).toBe(CASES);
});

const tensor = (dataType: string, ...sizes: number[]) => ({ dataType, sizes });
const floats = tensor('float32', 2, 3);
const less = { type: 'elementWiseLogicalLessThan', aTensor: floats, bTensor: floats };
const pool = {
  type: 'maxPooling2',
  inputTensor: tensor('float32', 1, 2, 5, 7),
  strides: [2, 2],
  windowSize: [3, 3],
  startPadding: [0, 0],
  endPadding: [0, 0],
  dilations: [1, 1],
};
const resolve = (descriptor: object, level: FeatureLevel = '6.4') => valuesOf(resolveDescriptor(descriptor, level).descriptor);
const refused = (descriptor: object) => caught(() => resolve(descriptor));

describe('an output', () => {
  test('is filled in where it is absent or undefined, and frozen', () => {
    const outputTensor = {
      ...floats,
      strides: null,
      flags: 'none',
      totalTensorSizeInBytes: 24,
      guaranteedBaseOffsetAlignment: 0,
    };
    const add = { type: 'elementWiseAdd1', aTensor: floats, bTensor: floats };
    expect(resolve(add)['outputTensor']).toEqual(outputTensor);
    expect(resolve({ ...add, outputTensor: undefined })['outputTensor']).toEqual(outputTensor);
    expect(Object.isFrozen(resolve(add)['outputTensor'])).toBe(true);
    expect(gist(refused({ ...add, outputTensor: null }))).toEqual(['ERR_INVALID_DESCRIPTOR', 'outputTensor']);
  });

  test('of several is frozen with the others', () => {
    const { outputTensors } = resolve({
      type: 'split',
      inputTensor: floats,
      outputTensors: [{ sizes: [1, 3] }, { sizes: [1, 3] }],
      axis: 0,
    });
    expect(outputTensors).toMatchObject([tensor('float32', 1, 3), tensor('float32', 1, 3)]);
    expect(
      [outputTensors, ...(Array.isArray(outputTensors) ? outputTensors : [])].map((value) => Object.isFrozen(value)),
    ).toEqual([true, true, true]);
  });

  test('keeps its given parts, which are compared with the inferred ones', () => {
    expect(resolve({ ...less, outputTensor: { dataType: 'uint8' } })['outputTensor']).toMatchObject(tensor('uint8', 2, 3));
    const strided = { dataType: 'uint8', strides: [8, 2], guaranteedBaseOffsetAlignment: 32 };
    expect(resolve({ ...less, outputTensor: strided })['outputTensor']).toMatchObject({ ...strided, totalTensorSizeInBytes: 16 });
    expect(gist(refused({ ...less, outputTensor: { dataType: 'uint8', strides: [1] } }))).toEqual([
      'ERR_STRIDES',
      'outputTensor.strides',
    ]);
    expect(gist(refused({ ...less, outputTensor: { dataType: 'uint8', strides: [0, 1] } }))).toEqual([
      'ERR_STRIDES',
      'outputTensor.strides[0]',
    ]);
    expect(gist(refused({ ...less, outputTensor: { sizes: [2, 4] } }))).toEqual(['ERR_SIZES', 'outputTensor.sizes']);
    expect(gist(refused({ ...less, outputTensor: { dataType: 'float32' } }))).toEqual(['ERR_DATA_TYPE', 'outputTensor.dataType']);
    expect(gist(refused({ ...less, outputTensor: { shape: [2] } }))).toEqual(['ERR_UNKNOWN_FIELD', 'outputTensor.shape']);
  });

  test('that is optional is left out unless {} requests it', () => {
    expect(resolve(pool)).toMatchObject({ outputTensor: tensor('float32', 1, 2, 2, 3), outputIndicesTensor: null });
    expect(resolve({ ...pool, outputIndicesTensor: {} })).toMatchObject({ outputIndicesTensor: tensor('uint32', 1, 2, 2, 3) });
    expect(resolve({ ...pool, outputIndicesTensor: { dataType: 'uint64' } })).toMatchObject({
      outputIndicesTensor: tensor('uint64', 1, 2, 2, 3),
    });
    // Before feature level 5.0, indices have only one data type.
    expect(resolve({ ...pool, outputIndicesTensor: {} }, '2.1')['outputIndicesTensor']).toMatchObject(
      tensor('uint32', 1, 2, 2, 3),
    );
  });

  test('has a usual data type where an operator supports several, unless the descriptor gives another', () => {
    const outputOf = (descriptor: object, level?: FeatureLevel) => resolve(descriptor, level)['outputTensor'];
    expect(outputOf(less)).toMatchObject(tensor('uint8', 2, 3));
    expect(outputOf({ ...less, outputTensor: { sizes: [2, 3] } })).toMatchObject(tensor('uint8', 2, 3));
    expect(outputOf({ ...less, outputTensor: { dataType: 'uint32' } })).toMatchObject(tensor('uint32', 2, 3));
    expect(outputOf({ type: 'argmax', inputTensor: floats, axes: [1] })).toMatchObject(tensor('uint32', 2, 1));
    expect(outputOf({ type: 'reduce', function: 'argmin', inputTensor: floats, axes: [1] })).toMatchObject(
      tensor('uint32', 2, 1),
    );
    // At feature level 1.0, comparisons give uint32 only.
    const old = { ...less, aTensor: tensor('float32', 1, 1, 2, 3), bTensor: tensor('float32', 1, 1, 2, 3) };
    expect(outputOf(old, '1.0')).toMatchObject(tensor('uint32', 1, 1, 2, 3));
  });

  test('must be given if it cannot be inferred, and the error lists the choices', () => {
    const cast = { type: 'cast', inputTensor: tensor('uint8', 3) };
    expect(refused(cast).message).toBe(
      'cast: outputTensor.dataType: expected one of float64, float32, float16, int64, int32, int16, int8, uint64, uint32, ' +
        'uint16, uint8, given nothing (cannot be inferred from the other fields)',
    );
    const resample = {
      type: 'resample',
      inputTensor: tensor('float32', 1, 1, 4, 4),
      interpolationMode: 'linear',
      scales: [1, 1, 2, 2],
    };
    expect(refused(resample).message).toBe(
      'resample: outputTensor.sizes: expected an array of 4 sizes, given nothing (cannot be inferred from the other fields)',
    );
    const line = { ...resample, type: 'resample1', inputTensor: tensor('float32', 4), scales: [2] };
    expect(refused({ ...line, inputPixelOffsets: [0], outputPixelOffsets: [0] })).toMatchObject({
      expected: 'an array of 1 size',
    });
    const pooled = { inputTensor: tensor('float32', 1, 1, 1, 2), indicesTensor: tensor('uint32', 1, 1, 1, 2) };
    const { message } = refused({ type: 'maxUnpooling', ...pooled });
    expect(message).toContain('the sizes of the image that was pooled');
    const roi = {
      type: 'roiAlign',
      inputTensor: tensor('float32', 1, 3, 8, 8),
      roiTensor: tensor('float32', 1, 1, 5, 4),
      batchIndicesTensor: tensor('uint32', 1, 1, 1, 5),
      reductionFunction: 'max',
      interpolationMode: 'linear',
      spatialScaleX: 1,
      spatialScaleY: 1,
      outOfBoundsInputValue: 0,
      minimumSamplesPerOutput: 1,
      maximumSamplesPerOutput: 4,
    };
    expect(refused(roi)).toMatchObject({
      code: 'ERR_MISSING_FIELD',
      field: 'outputTensor.sizes',
      expected: '[5, 3, height, width]',
    });
    expect(resolve({ ...roi, outputTensor: { sizes: [5, 3, 2, 2] } })['outputTensor']).toMatchObject(
      tensor('float32', 5, 3, 2, 2),
    );
  });

  test('for which the rules give a size of 0 or too many elements is refused', () => {
    const tile = { type: 'tile', inputTensor: tensor('float32', 2, 3) };
    expect(gist(refused({ ...tile, repeats: [0, 1] }))).toEqual(['ERR_SIZES', 'outputTensor.sizes[0]']);
    expect(gist(refused({ ...tile, repeats: [2 ** 31, 1] }))).toEqual(['ERR_OUT_OF_RANGE', 'outputTensor.sizes[0]']);
    expect(gist(refused({ ...tile, repeats: [2 ** 30, 2] }))).toEqual(['ERR_TENSOR_SIZE', 'outputTensor.sizes']);
  });
});

describe('a device', () => {
  const { outputTensor: _left, ...scatter } = example;

  test('resolves a descriptor without compiling it', async () => {
    using device = await createDevice({ backend: 'reference' });
    const whole = device.resolve(scatter);
    expect(whole).toMatchObject(example);
    expect(device.resolve(whole)).toEqual(whole);
    expect(gist(caught(() => Reflect.apply(device.resolve, device, [{ type: 'cast' }])))).toEqual([
      'ERR_MISSING_FIELD',
      'inputTensor',
    ]);
    expect(caught(() => Reflect.apply(device.resolve, device, [1])).message).toMatch(/^resolve: /);
    device.dispose();
    expect(caught(() => device.resolve(whole)).code).toBe('ERR_DISPOSED');
  });

  test('compiles and runs descriptors without outputs', async () => {
    using device = await createDevice({ backend: 'reference' });
    using operator = await device.compile(scatter);
    const { inputTensor, indicesTensor, updatesTensor } = example;
    const outputTensor = device.createTensor({ ...device.resolve(scatter).outputTensor, dataType: 'float32' });
    operator.dispatch({
      inputTensor: device.createTensor(inputTensor, Float32Array.from(exampleInput)),
      indicesTensor: device.createTensor(indicesTensor, Uint32Array.from(exampleIndices)),
      updatesTensor: device.createTensor(updatesTensor, Float32Array.from(exampleUpdates)),
      outputTensor,
    });
    expect([...(await outputTensor.read())]).toEqual(exampleOutput);
    expect(operator.descriptor).toMatchObject(example);
  });
});
