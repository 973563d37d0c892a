/** Casts with float64, which the sandbox cannot run. The results follow DirectML's shaders (docs/differences.md). */
import { createDevice, type DataType } from 'node-directml';
import { expect, test } from 'vitest';

async function cast<To extends DataType>(from: DataType, to: To, values: ArrayBufferView<ArrayBuffer>, count: number) {
  await using device = await createDevice({ backend: 'reference' });
  const [input, output] = [
    { dataType: from, sizes: [count] },
    { dataType: to, sizes: [count] },
  ];
  const operator = await device.compile({ type: 'cast', inputTensor: input, outputTensor: output });
  const outputTensor = device.createTensor(output);
  operator.dispatch({ inputTensor: device.createTensor(input, values.buffer), outputTensor });
  return await outputTensor.read();
}

test('64-bit integers are truncated to the 53 significant bits of float64', async () => {
  const values = BigInt64Array.of(2n ** 60n + 2n ** 8n - 1n, 1n - 2n ** 53n, -1n - 2n ** 53n);
  expect(await cast('int64', 'float64', values, 3)).toEqual(Float64Array.of(2 ** 60, 1 - 2 ** 53, -(2 ** 53)));
  expect(await cast('uint64', 'float64', BigInt64Array.of(-1n), 1)).toEqual(Float64Array.of(-1));
});

test('float64 values out of the range of 64-bit integers saturate by their sign, even NaN', async () => {
  const most = 2n ** 63n - 1n;
  const bits = BigUint64Array.of(
    0x7ff8000000000000n,
    0xfff8000000000000n,
    0xfff0000000000000n,
    0x43e0000000000000n,
    0xbff8000000000000n,
  );
  expect(await cast('float64', 'int64', bits, 5)).toEqual(BigInt64Array.of(most, -most, -most, most, -1n));
});
