/** Data types that a device may lack. No device of the tests lacks one, so these tests call the check itself. */
import { expect, test } from 'vitest';
import { checkDataTypes } from '#lib/api/device-support.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { caught } from '../support/errors.js';
import { example } from '../support/scatter-nd.js';

test('a tensor of a data type that the device lacks is refused', () => {
  const operator = resolveDescriptor(example, '6.4');
  checkDataTypes(operator, ['uint32', 'float32']);
  expect(caught(() => checkDataTypes(operator, ['float32', 'float16']))).toMatchObject({
    code: 'ERR_DATA_TYPE',
    message: `scatterNd: indicesTensor.dataType: expected one that the device supports: float32, float16, given 'uint32'`,
  });
});

test('the error names the tensor among several', () => {
  const tensor = { dataType: 'float16', sizes: [2] };
  const outputTensor = { dataType: 'float16', sizes: [4] };
  const operator = resolveDescriptor({ type: 'join', inputTensors: [tensor, tensor], outputTensor, axis: 0 }, '6.4');
  expect(caught(() => checkDataTypes(operator, ['float32'])).field).toBe('inputTensors[0].dataType');
  checkDataTypes(operator, ['float16']);
});
