/** Axes must be in range and without repeats, for every operator with a field `axes`. */
import { expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { gist, rejected } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const inputTensor = float32(2, 3);
const reduced = { inputTensor, outputTensor: float32(1, 3) };
const located = { inputTensor, outputTensor: { dataType: 'uint32', sizes: [1, 3] } } as const;
const normalized = { inputTensor, outputTensor: inputTensor };

test.each([
  { type: 'reduce', function: 'sum', ...reduced },
  { type: 'argmin', axisDirection: 'increasing', ...located },
  { type: 'argmax', axisDirection: 'increasing', ...located },
  { type: 'activationSoftmax1', ...normalized },
  { type: 'activationLogSoftmax1', ...normalized },
  { type: 'activationHardmax1', ...normalized },
] as const)('the axes of $type are in range, each once', async (fields) => {
  const device = await createDevice({ backend: 'reference' });
  const compile = (axes: readonly number[]) => device.compile({ ...fields, axes });
  expect((await compile([0])).type).toBe(fields.type);
  expect(gist(await rejected(compile([0, 2])))).toEqual(['ERR_OUT_OF_RANGE', 'axes[1]']);
  expect(gist(await rejected(compile([0, 0])))).toEqual(['ERR_FIELD_COMBINATION', 'axes[1]']);
  device.dispose();
});
