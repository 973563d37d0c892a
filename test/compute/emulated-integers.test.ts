/** The reference compares int64 as DirectML does where it emulates 64 bits: high halves first, then low ones, both signed. */
import { expect, test } from 'vitest';
import { createDevice } from 'node-directml';

test('the maximum of a window starts with the lowest number, and keeps the place of the first element', async () => {
  using device = await createDevice({ backend: 'reference' });
  const lowest = -(2n ** 63n);
  const inputTensor = device.createTensor({ dataType: 'int64', sizes: [1, 1, 1, 2] }, [lowest + 0xd9c5613fn, lowest]);
  const window = { windowSize: [1, 2], strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] };
  const { outputTensor, outputIndicesTensor } = await device.run({
    type: 'maxPooling2',
    inputTensor,
    outputIndicesTensor: { dataType: 'uint32', sizes: [1, 1, 1, 1] },
    ...window,
  });
  expect(await outputTensor.read()).toEqual(BigInt64Array.of(lowest));
  expect(await outputIndicesTensor?.read()).toEqual(Uint32Array.of(0));
});
