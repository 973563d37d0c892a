/** Errors of rules name the field at fault, and the element of it. */
import { expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { caught, gist } from '../support/errors.js';

const tensor = (...sizes: number[]) => ({ dataType: 'float32', sizes });
const indices = (...sizes: number[]) => ({ dataType: 'uint32', sizes });
const toDepth = { type: 'spaceToDepth', blockSize: 2, inputTensor: tensor(1, 1, 4, 6), outputTensor: tensor(1, 4, 2, 3) };
const pool = { type: 'maxPooling1', windowSize: [1, 1], strides: [1, 1], startPadding: [0, 0], endPadding: [0, 0] };
const pooled = { inputTensor: tensor(1, 1, 2, 2), outputTensor: tensor(1, 1, 2, 2), outputIndicesTensor: indices(1, 1, 2, 2) };
/** Two batch dimensions, of sizes 2 and 3. */
const gather = { type: 'gatherNd1', inputDimensionCount: 3, indicesDimensionCount: 3, batchDimensionCount: 2 };
const gathered = { inputTensor: tensor(2, 3, 4), indicesTensor: indices(2, 3, 1), outputTensor: tensor(1, 2, 3) };

test.each<[object, object, string, string]>([
  [toDepth, { inputTensor: tensor(1, 1, 5, 6) }, 'ERR_SIZES', 'inputTensor.sizes[2]'],
  [toDepth, { inputTensor: tensor(1, 1, 4, 7) }, 'ERR_SIZES', 'inputTensor.sizes[3]'],
  [{ ...pool, ...pooled }, { outputIndicesTensor: indices(1, 2, 2) }, 'ERR_DIMENSION_COUNT', 'outputIndicesTensor.sizes'],
  [
    { ...gather, ...gathered },
    { indicesTensor: indices(2, 2, 1), outputTensor: tensor(1, 2, 2) },
    'ERR_SIZES',
    'indicesTensor.sizes[1]',
  ],
])('%j with %j: %s of %s', (accepted, change, ...expected) => {
  expect(() => resolveDescriptor(accepted, '6.4')).not.toThrow();
  expect(gist(caught(() => resolveDescriptor({ ...accepted, ...change }, '6.4')))).toEqual(expected);
});
