/** Results match their static types, which tsc checks together with the other tests. */
import { expect, expectTypeOf, test } from 'vitest';
import { createDevice, type Device, type Tensor } from 'node-directml';

test('a tensor is read and written as the typed array of its data type', async () => {
  await using device: Device = await createDevice({ backend: 'reference' });
  const wide = device.createTensor({ dataType: 'int64', sizes: [2] }, BigInt64Array.of(1n, -2n));
  expectTypeOf(wide).toEqualTypeOf<Tensor<'int64'>>();
  expectTypeOf(wide.read).returns.resolves.toEqualTypeOf<BigInt64Array>();
  expect(await wide.read()).toEqual(BigInt64Array.of(1n, -2n));
  // @ts-expect-error: int64 takes bigints
  expect(() => wide.write(Int32Array.of(1, 2))).toThrow(/BigInt64Array/);
});
