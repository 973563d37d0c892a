/** Operators that give each element a thread of a single dispatch, on as many elements as it may have threads, and on one more. */
import type { OperatorDescriptor } from 'node-directml';
import { expect, test } from 'vitest';
import { DirectMLError } from '#lib/values/errors.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';

const MOST = 65_535 * 256;

const nonzero = (count: number): OperatorDescriptor => ({
  type: 'nonzeroCoordinates',
  inputTensor: { dataType: 'uint8', sizes: [1, count] },
  outputCountTensor: { dataType: 'uint32', sizes: [1] },
  outputCoordinatesTensor: { dataType: 'uint32', sizes: [count, 2] },
});

const training = (count: number): OperatorDescriptor => {
  const each = { dataType: 'float32', sizes: [2, count] } as const;
  const statistics = { dataType: 'float32', sizes: [1, count] } as const;
  return {
    type: 'batchNormalizationTraining',
    ...{ inputTensor: each, outputTensor: each, scaleTensor: statistics, biasTensor: statistics },
    ...{ outputMeanTensor: statistics, outputVarianceTensor: statistics, epsilon: 0 },
  };
};

const gradient =
  (type: 'batchNormalizationGrad' | 'batchNormalizationTrainingGrad') =>
  (count: number): OperatorDescriptor => {
    const each = { dataType: 'float16', sizes: [2, count] } as const;
    const statistics = { dataType: 'float16', sizes: [1, count] } as const;
    return {
      type,
      ...{ inputTensor: each, inputGradientTensor: each, outputGradientTensor: each, epsilon: 0 },
      ...{ meanTensor: statistics, varianceTensor: statistics, scaleTensor: statistics },
      ...{ outputScaleGradientTensor: statistics, outputBiasGradientTensor: statistics },
    };
  };

type Reducing = 'reduce' | 'argmin' | 'argmax' | 'activationSoftmax1' | 'activationLogSoftmax1' | 'activationHardmax1';

/** An operator that reduces rows of two elements. */
const rows = (type: Reducing | 'meanVarianceNormalization1') => (count: number) => {
  const inputTensor = { dataType: 'float32', sizes: [count, 2] };
  return { type, inputTensor, axes: [1], ...(type === 'reduce' ? { function: 'sum' } : {}) } as OperatorDescriptor;
};

const besides = ' besides those along the axes';

test.each([
  ['nonzeroCoordinates', 'inputTensor', nonzero],
  ['batchNormalizationTraining', 'scaleTensor', training],
  ['batchNormalizationGrad', 'scaleTensor', gradient('batchNormalizationGrad')],
  ['batchNormalizationTrainingGrad', 'scaleTensor', gradient('batchNormalizationTrainingGrad')],
  ['reduce', 'inputTensor', rows('reduce'), besides],
  ['argmin', 'inputTensor', rows('argmin'), besides],
  ['argmax', 'inputTensor', rows('argmax'), besides],
  ['activationSoftmax1', 'inputTensor', rows('activationSoftmax1'), besides],
  ['activationLogSoftmax1', 'inputTensor', rows('activationLogSoftmax1'), besides],
  ['activationHardmax1', 'inputTensor', rows('activationHardmax1'), besides],
  ['meanVarianceNormalization1', 'inputTensor', rows('meanVarianceNormalization1'), besides],
] as const)('%s refuses more elements of %s than a dispatch may have threads', (_type, field, descriptorOf, more?: string) => {
  expect(() => resolveDescriptor(descriptorOf(MOST), '6.4')).not.toThrow();
  let error: unknown;
  try {
    resolveDescriptor(descriptorOf(MOST + 1), '6.4');
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof DirectMLError)) throw new Error('nothing was refused');
  expect([error.code, error.field, error.expected]).toEqual([
    'ERR_SIZES',
    `${field}.sizes`,
    `at most 16776960 elements${more ?? ''}`,
  ]);
  expect(strictRuleOf(error)).toBe('thread-groups');
});
