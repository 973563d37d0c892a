/** Encodes descriptors for the addon: with DirectML's numbers, flags and bytes. */
import { expect, test } from 'vitest';
import type { DataType } from 'node-directml';
import { encodeFlags, encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { example } from '../../support/scatter-nd.js';

const encode = (descriptor: object) => encodeOperator(resolveDescriptor(descriptor, '6.4').descriptor);

test('a whole descriptor is encoded, without a prototype', () => {
  const flags = { ...example.inputTensor, flags: 'ownedByDml', strides: [8, 1], guaranteedBaseOffsetAlignment: 16 };
  const encoded = encode({ ...example, inputTensor: flags });
  const tensor = { flags: 0, strides: null, guaranteedBaseOffsetAlignment: 0 };
  expect({ ...encoded }).toEqual({
    type: 109,
    inputTensor: {
      dataType: 1,
      flags: 1,
      sizes: [1, 8],
      strides: [8, 1],
      totalTensorSizeInBytes: 32,
      guaranteedBaseOffsetAlignment: 16,
    },
    indicesTensor: { ...tensor, dataType: 3, sizes: [4, 1], totalTensorSizeInBytes: 16 },
    updatesTensor: { ...tensor, dataType: 1, sizes: [1, 4], totalTensorSizeInBytes: 16 },
    outputTensor: { ...tensor, dataType: 1, sizes: [1, 8], totalTensorSizeInBytes: 32 },
    inputDimensionCount: 1,
    indicesDimensionCount: 2,
  });
  expect(Object.getPrototypeOf(encoded)).toBe(null);
  expect(Object.getPrototypeOf(encoded['inputTensor'])).toBe(null);
});

test('enums become numbers, and fused activations and arrays are nested', () => {
  const side = { dataType: 'float32', sizes: [1, 1, 4, 4] };
  const fusedActivation = { type: 'activationLinear', alpha: 2, beta: 1 };
  expect(
    encode({
      type: 'gemm',
      aTensor: side,
      bTensor: side,
      outputTensor: side,
      transA: 'none',
      transB: 'transpose',
      alpha: 1,
      beta: 0,
      fusedActivation,
    }),
  ).toMatchObject({
    cTensor: null,
    transA: 0,
    transB: 1,
    fusedActivation: { inputTensor: null, outputTensor: null, alpha: 2, beta: 1 },
  });
  const join = { type: 'join', inputTensors: [side, side], outputTensor: { ...side, sizes: [1, 1, 8, 4] }, axis: 2 };
  expect(encode(join)).toMatchObject({ inputCount: 2, inputTensors: [{ dataType: 1 }, { dataType: 1 }], axis: 2 });
});

test.each<[dataType: DataType, value: number | bigint, bytes: number[]]>([
  ['float64', -2, [0, 0, 0, 0, 0, 0, 0, 0xc0]],
  ['float32', 1.5, [0, 0, 0xc0, 0x3f, 0, 0, 0, 0]],
  ['float16', 1.5, [0, 0x3e, 0, 0, 0, 0, 0, 0]],
  ['int64', -2n, [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ['uint64', 2n ** 63n + 1n, [1, 0, 0, 0, 0, 0, 0, 0x80]],
  ['int64', 258, [2, 1, 0, 0, 0, 0, 0, 0]],
  ['int32', -2, [0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0]],
  ['uint32', 2 ** 32 - 2, [0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0]],
  ['int16', -2, [0xfe, 0xff, 0, 0, 0, 0, 0, 0]],
  ['uint16', 0xfffe, [0xfe, 0xff, 0, 0, 0, 0, 0, 0]],
  ['int8', -2, [0xfe, 0, 0, 0, 0, 0, 0, 0]],
  ['uint8', 0xfe, [0xfe, 0, 0, 0, 0, 0, 0, 0]],
])('a scalar of %s has the bytes of %s', (dataType, value, bytes) => {
  const fill = { type: 'fillValueConstant', outputTensor: { dataType, sizes: [1] }, valueDataType: dataType, value };
  expect(encode(fill)['value']).toEqual(Uint8Array.from(bytes));
});

test('execution flags become DirectML’s bits', () => {
  const none = { allowHalfPrecisionComputation: false, disableMetacommands: false };
  expect(encodeFlags(none)).toBe(0);
  expect(encodeFlags({ ...none, allowHalfPrecisionComputation: true })).toBe(1);
  expect(encodeFlags({ ...none, disableMetacommands: true })).toBe(2);
  expect(encodeFlags({ allowHalfPrecisionComputation: true, disableMetacommands: true })).toBe(3);
});
