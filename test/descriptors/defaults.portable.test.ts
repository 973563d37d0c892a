/** Default values of fields that a descriptor leaves out. */
import { describe, expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { valuesOf } from '#lib/descriptors/resolved.js';
import { casesOf } from '../../checks/conformance/runner.js';
import { writeJson } from '../../checks/cases/case.js';
import { operatorTypes } from '../../checks/operators/cases.js';
import { caught, gist } from '../support/errors.js';
import { defaultedFields, without, withoutEqualDefaults } from '../../checks/cases/defaults.js';

const SEED = 20261122;
const CASES = 60;

const tensor = (dataType: string, ...sizes: number[]) => ({ dataType, sizes });
const floats = (...sizes: number[]) => tensor('float32', ...sizes);
const resolve = (descriptor: object) => valuesOf(resolveDescriptor(descriptor, '6.4').descriptor);

const operatorsWithDefaults = operatorTypes.filter((operator) => defaultedFields(operator).length > 0);

test.each(operatorsWithDefaults)('%s: a field that equals its default may be left out', (operator) => {
  for (const { descriptor } of casesOf(operator, SEED, CASES)) {
    const short = withoutEqualDefaults(descriptor);
    expect(writeJson(resolve(short)), writeJson(short)).toBe(writeJson(resolve(descriptor)));
  }
});

test.each(operatorsWithDefaults)('%s: some case uses each default', (operator) => {
  const unused = new Set(defaultedFields(operator));
  for (const { descriptor } of casesOf(operator, SEED, CASES)) {
    for (const name of unused) {
      try {
        resolve(without({ ...descriptor }, new Set([name])));
        unused.delete(name);
      } catch {
        // The default contradicts the other fields of this case.
      }
    }
  }
  expect([...unused]).toEqual([]);
});

describe('a field that is left out', () => {
  test('has the usual value of frameworks: a convolution has stride 1 and no padding', () => {
    const convolution = { type: 'convolution', inputTensor: floats(1, 3, 8, 8), filterTensor: floats(4, 3, 3, 3) };
    expect(resolve(convolution)).toMatchObject({
      mode: 'crossCorrelation',
      direction: 'forward',
      dimensionCount: 2,
      strides: [1, 1],
      dilations: [1, 1],
      startPadding: [0, 0],
      endPadding: [0, 0],
      outputPadding: [0, 0],
      groupCount: 1,
      outputTensor: floats(1, 4, 6, 6),
    });
  });

  test('of a matrix product has the factor 1 and no transposition', () => {
    const gemm = { type: 'gemm', aTensor: floats(1, 1, 2, 3), bTensor: floats(1, 1, 3, 4) };
    expect(resolve(gemm)).toMatchObject({ transA: 'none', transB: 'none', alpha: 1, beta: 1 });
  });

  test('follows from sizes: the scales of a resampling, the axes of a reduction', () => {
    const resample = { type: 'resample1', inputTensor: floats(1, 1, 2, 3), interpolationMode: 'linear' };
    const outputTensor = floats(1, 1, 4, 9);
    expect(resolve({ ...resample, outputTensor })).toMatchObject({
      scales: [1, 1, 2, 3],
      inputPixelOffsets: [0.5, 0.5, 0.5, 0.5],
      outputPixelOffsets: [-0.5, -0.5, -0.5, -0.5],
    });
    expect(gist(caught(() => resolve(resample)))).toEqual(['ERR_MISSING_FIELD', 'outputTensor.sizes']);
    expect(resolve({ type: 'reduce', function: 'sum', inputTensor: floats(2, 3) })).toMatchObject({ axes: [0, 1] });
  });

  test('follows from data types: limits that clip no element, the data type of a scalar', () => {
    const clip = { type: 'elementWiseClip1', inputTensor: tensor('int64', 3) };
    expect(resolve(clip)).toMatchObject({ minMaxDataType: 'int64', min: -(2n ** 63n), max: 2n ** 63n - 1n });
    expect(resolve({ ...clip, inputTensor: floats(3) })).toMatchObject({ min: -Infinity, max: Infinity });
    const padding = { type: 'padding1', inputTensor: tensor('int8', 3), startPadding: [1], endPadding: [0], paddingValue: -7 };
    expect(resolve(padding)).toMatchObject({ paddingValueDataType: 'int8', paddingMode: 'constant', paddingValue: -7 });
  });

  test('of a newest version follows the version before it', () => {
    const resample = { type: 'resample3', inputTensor: floats(1, 1, 2, 3), outputTensor: floats(1, 1, 4, 6) };
    expect(resolve({ ...resample, interpolationMode: 'linear' })).toMatchObject({ roundingDirection: 'decreasing' });
    const nearest = { ...resample, interpolationMode: 'nearestNeighbor' };
    expect(gist(caught(() => resolve(nearest)))).toEqual(['ERR_MISSING_FIELD', 'roundingDirection']);
    const diagonal = { type: 'diagonalMatrix1', outputTensor: floats(3, 3) };
    expect(resolve(diagonal)).toMatchObject({ value: 1, diagonalFillBegin: 0, diagonalFillEnd: 1 });
    expect(resolve({ ...diagonal, diagonalFillBegin: -2 })).toMatchObject({ diagonalFillBegin: -2, diagonalFillEnd: -1 });
    const queryTensor = floats(1, 5, 8);
    const attention = { type: 'multiheadAttention1', queryTensor, keyTensor: queryTensor, valueTensor: queryTensor };
    expect(resolve({ ...attention, queryHeadCount: 4 })).toMatchObject({ keyValueHeadCount: 4 });
  });

  test.each(['value', 'diagonalFillBegin', 'diagonalFillEnd'])('is required for a part of a matrix: %s', (field) => {
    const given = { value: 0, diagonalFillBegin: 0, diagonalFillEnd: 2, [field]: undefined };
    const descriptor = { type: 'diagonalMatrix1', inputTensor: floats(3, 3), outputTensor: floats(3, 3), ...given };
    expect(gist(caught(() => resolve(descriptor)))).toEqual(['ERR_MISSING_FIELD', field]);
  });

  test('of a recurrent network has the usual activations, once per direction', () => {
    const lstm = {
      type: 'lstm',
      direction: 'bidirectional',
      inputTensor: floats(1, 1, 1, 2),
      weightTensor: floats(1, 2, 12, 2),
      recurrenceTensor: floats(1, 2, 12, 3),
      outputSequenceTensor: {},
    };
    const types = (value: unknown) => (Array.isArray(value) ? value.map((each: { type: string }) => each.type) : value);
    const usual = ['activationSigmoid', 'activationTanh', 'activationTanh'];
    expect(types(resolve(lstm)['activationDescs'])).toEqual([...usual, ...usual]);
  });

  test('of a fused activation has its default value too', () => {
    const gemm = { type: 'gemm', aTensor: floats(1, 1, 2, 3), bTensor: floats(1, 1, 3, 4) };
    const fused = resolve({ ...gemm, fusedActivation: { type: 'activationElu' } })['fusedActivation'];
    expect(fused).toMatchObject({ type: 'activationElu', alpha: 1 });
  });

  test.each([
    ['includePadding', { type: 'averagePooling', inputTensor: floats(1, 1, 4, 4), strides: [1, 1], windowSize: [2, 2] }],
    ['strides', { type: 'maxPooling', inputTensor: floats(1, 1, 4, 4), windowSize: [2, 2] }],
    ['interpolationMode', { type: 'resample1', inputTensor: floats(1, 1, 2, 2), outputTensor: floats(1, 1, 4, 4) }],
    ['axes', { type: 'meanVarianceNormalization1', inputTensor: floats(1, 2, 3) }],
  ])('is required if frameworks disagree: %s of %j', (field, descriptor) => {
    expect(gist(caught(() => resolve(descriptor)))).toEqual(['ERR_MISSING_FIELD', field]);
  });
});
