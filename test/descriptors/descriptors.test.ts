/** The ways in which a descriptor can be wrong, and their errors. */
import { expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';
import { caught, gist } from '../support/errors.js';
import { example, example4d } from '../support/scatter-nd.js';

const validate = (change: object) => gist(caught(() => resolveDescriptor({ ...example, ...change }, '6.4')));
const tensor = (change: object) => ({ inputTensor: { ...example.inputTensor, ...change } });

test('the example is valid; counts and sizes in bytes are filled in', () => {
  const { descriptor } = resolveDescriptor(example, '6.4');
  expect(descriptor).toMatchObject({ inputTensor: { totalTensorSizeInBytes: 32, strides: null, flags: 'none' } });
});

test.each([
  ['null', null],
  ['a number', 7],
  ['a string', 'scatterNd'],
  ['an array', []],
  ['a function', () => example],
])('a descriptor that is %s is refused', (_, descriptor) => {
  expect(caught(() => resolveDescriptor(descriptor, '6.4')).code).toBe('ERR_INVALID_DESCRIPTOR');
});

test.each([undefined, null, 'scatterND', 'SCATTER_ND', 'toString', '__proto__', 7])('the type %s is refused', (type) => {
  expect(validate({ type })).toEqual(['ERR_UNKNOWN_OPERATOR', 'type']);
});

test('fields that are unknown or missing are named', () => {
  expect(validate({ axis: 0 })).toEqual(['ERR_UNKNOWN_FIELD', 'axis']);
  expect(validate(tensor({ shape: [1] }))).toEqual(['ERR_UNKNOWN_FIELD', 'inputTensor.shape']);
  expect(validate({ inputTensor: undefined })).toEqual(['ERR_MISSING_FIELD', 'inputTensor']);
  expect(validate({ updatesTensor: undefined })).toEqual(['ERR_MISSING_FIELD', 'updatesTensor']);
  expect(validate({ inputTensor: null })).toEqual(['ERR_INVALID_DESCRIPTOR', 'inputTensor']);
  expect(validate(tensor({ dataType: undefined }))).toEqual(['ERR_MISSING_FIELD', 'inputTensor.dataType']);
  expect(validate(tensor({ sizes: undefined }))).toEqual(['ERR_MISSING_FIELD', 'inputTensor.sizes']);
  const unknown = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`unknown${i}`, undefined]));
  expect(validate(unknown)).toEqual(['ERR_UNKNOWN_FIELD', 'unknown1000']);
});

test.each([-1, 1.5, NaN, Infinity, 2 ** 32, -0.5, Number.MAX_VALUE])(
  'the number %s for a count or a size is out of range',
  (value) => {
    expect(validate({ inputDimensionCount: value })).toEqual(['ERR_OUT_OF_RANGE', 'inputDimensionCount']);
    expect(validate(tensor({ sizes: [1, value] }))).toEqual(['ERR_OUT_OF_RANGE', 'inputTensor.sizes[1]']);
    expect(validate(tensor({ strides: [value, 1] }))).toEqual(['ERR_OUT_OF_RANGE', 'inputTensor.strides[0]']);
  },
);

test.each(['1', 1n, true, null, {}, [1]])('%s is not accepted as a number', (value) => {
  expect(validate({ inputDimensionCount: value })).toEqual(['ERR_INVALID_DESCRIPTOR', 'inputDimensionCount']);
  expect(validate(tensor({ sizes: [1, value] }))).toEqual(['ERR_INVALID_DESCRIPTOR', 'inputTensor.sizes[1]']);
});

test('sizes are 1 to 8 positive numbers, of less than 4 GiB together', () => {
  expect(validate(tensor({ sizes: [1, 0] }))).toEqual(['ERR_SIZES', 'inputTensor.sizes[1]']);
  expect(validate(tensor({ sizes: [] }))).toEqual(['ERR_DIMENSION_COUNT', 'inputTensor.sizes']);
  expect(validate(tensor({ sizes: Array(9).fill(1) }))).toEqual(['ERR_DIMENSION_COUNT', 'inputTensor.sizes']);
  expect(validate(tensor({ sizes: 8 }))).toEqual(['ERR_INVALID_DESCRIPTOR', 'inputTensor.sizes']);
  expect(validate(tensor({ sizes: [65536, 65536] }))).toEqual(['ERR_TENSOR_SIZE', 'inputTensor.sizes']);
  expect(validate(tensor({ sizes: Array(8).fill(2 ** 32 - 1) }))).toEqual(['ERR_TENSOR_SIZE', 'inputTensor.sizes']);
  expect(validate(tensor({ dimensionCount: 3 }))).toEqual(['ERR_DIMENSION_COUNT', 'inputTensor.dimensionCount']);
});

test('strides, sizes in bytes and alignment must fit the sizes', () => {
  const output = (change: object) => ({ outputTensor: { ...example.outputTensor, ...change } });
  expect(validate(tensor({ strides: [1] }))).toEqual(['ERR_STRIDES', 'inputTensor.strides']);
  expect(validate(output({ strides: [8, 0] }))).toEqual(['ERR_STRIDES', 'outputTensor.strides[1]']);
  expect(validate(tensor({ totalTensorSizeInBytes: 28 }))).toEqual(['ERR_TENSOR_SIZE', 'inputTensor.totalTensorSizeInBytes']);
  const path = 'inputTensor.guaranteedBaseOffsetAlignment';
  expect(validate(tensor({ guaranteedBaseOffsetAlignment: 24 }))).toEqual(['ERR_OUT_OF_RANGE', path]);
  expect(validate(output({ flags: 'ownedByDml' }))).toEqual(['ERR_FIELD_COMBINATION', 'outputTensor.flags']);
  expect(resolveDescriptor({ ...example, ...tensor({ strides: [0, 0], totalTensorSizeInBytes: 37 }) }, '6.4')).toBeDefined();
});

test('an output whose elements share bytes is refused by a rule of our own', () => {
  const add = (strides: number[], sizes = [3, 2]) => {
    const side = { dataType: 'float32', sizes };
    return { type: 'elementWiseAdd1', aTensor: side, bTensor: side, outputTensor: { ...side, strides } };
  };
  expect(strictRuleOf(caught(() => resolveDescriptor(add([1, 1]), '6.4')))).toBe('overlapping-output');
  // Interleaved strides, but every element has its own position.
  expect(resolveDescriptor(add([2, 3]), '6.4')).toBeDefined();
  // So many positions are not compared with each other.
  expect(strictRuleOf(caught(() => resolveDescriptor(add([2, 3], [2 ** 22, 2]), '6.4')))).toBe('overlapping-output');
});

test('the fields of ScatterND must fit each other', () => {
  const sizes = (field: 'inputTensor' | 'indicesTensor' | 'updatesTensor' | 'outputTensor', value: number[]) => ({
    [field]: { ...example[field], sizes: value },
  });
  const type = (field: 'inputTensor' | 'indicesTensor' | 'updatesTensor' | 'outputTensor', dataType: string) => ({
    [field]: { ...example[field], dataType },
  });
  expect(validate(sizes('indicesTensor', [1, 4, 1]))).toEqual(['ERR_DIMENSION_COUNT', 'indicesTensor.sizes']);
  expect(validate(type('updatesTensor', 'int32'))).toEqual(['ERR_DATA_TYPE', 'updatesTensor.dataType']);
  expect(validate(type('indicesTensor', 'float32'))).toEqual(['ERR_DATA_TYPE', 'indicesTensor.dataType']);
  expect(validate(type('indicesTensor', 'float31'))).toEqual(['ERR_DATA_TYPE', 'indicesTensor.dataType']);
  expect(validate(sizes('outputTensor', [1, 7]))).toEqual(['ERR_SIZES', 'outputTensor.sizes']);
  expect(validate(sizes('updatesTensor', [1, 5]))).toEqual(['ERR_SIZES', 'updatesTensor.sizes']);
  expect(validate({ inputDimensionCount: 0 })).toEqual(['ERR_OUT_OF_RANGE', 'inputDimensionCount']);
  expect(validate({ indicesDimensionCount: 3 })).toEqual(['ERR_OUT_OF_RANGE', 'indicesDimensionCount']);
  expect(validate(sizes('indicesTensor', [4, 2]))).toEqual(['ERR_SIZES', 'indicesTensor.sizes[1]']);
});

test('the error names the required feature level and that of the device', () => {
  const at = (level: '1.0' | '2.1' | '3.0', descriptor: object) => caught(() => resolveDescriptor(descriptor, level));
  expect(resolveDescriptor(example4d, '2.1')).toBeDefined();
  expect(at('1.0', example4d)).toMatchObject({ code: 'ERR_FEATURE_LEVEL', field: 'type', given: '1.0' });
  expect(at('2.1', example)).toMatchObject({
    code: 'ERR_FEATURE_LEVEL',
    field: 'inputTensor.sizes',
    expected: 'feature level 3.0 for 2 dimensions',
    given: '2.1',
  });
  const indices = { ...example4d, indicesTensor: { ...example4d.indicesTensor, dataType: 'int64' } };
  expect(at('2.1', indices)).toMatchObject({ code: 'ERR_FEATURE_LEVEL', field: 'indicesTensor.dataType' });
  const wide = { ...example4d, inputTensor: { ...example4d.inputTensor, dataType: 'float64' } };
  expect(at('3.0', wide)).toMatchObject({ expected: `feature level 4.1 for 'float64'`, given: '3.0' });
});

test('a steepness of softplus below 1 needs a higher feature level', () => {
  const side = { dataType: 'float32', sizes: [4] };
  const softplus = { type: 'activationSoftplus', inputTensor: side, outputTensor: side, steepness: 0.5 };
  expect(resolveDescriptor(softplus, '6.4').descriptor.type).toBe('activationSoftplus');
  expect(gist(caught(() => resolveDescriptor(softplus, '6.3')))).toEqual(['ERR_FEATURE_LEVEL', 'steepness']);
  expect(resolveDescriptor({ ...softplus, steepness: 1 }, '3.0').descriptor.type).toBe('activationSoftplus');
});

test('a scale without a bias, or one that broadcasts along the channels, needs a higher feature level', () => {
  const tensor = (...sizes: number[]) => ({ dataType: 'float32', sizes });
  const [image, channels] = [tensor(2, 3, 4, 5), tensor(1, 3, 1, 1)];
  const fields = { axes: [2, 3], normalizeVariance: true, epsilon: 0.001 };
  const normalization = { type: 'meanVarianceNormalization1', inputTensor: image, outputTensor: image, ...fields };
  const at = (level: '2.1' | '4.0' | '5.1' | '5.2', tensors: object) =>
    gist(caught(() => resolveDescriptor({ ...normalization, ...tensors }, level)));
  expect(resolveDescriptor({ ...normalization, scaleTensor: channels }, '5.2')).toBeDefined();
  expect(at('5.1', { scaleTensor: channels })).toEqual(['ERR_FEATURE_LEVEL', 'biasTensor']);
  expect(at('5.1', { biasTensor: channels })).toEqual(['ERR_FEATURE_LEVEL', 'scaleTensor']);
  const single = { scaleTensor: tensor(1, 1, 1, 1), biasTensor: channels };
  expect(resolveDescriptor({ ...normalization, ...single }, '4.0')).toBeDefined();
  expect(at('2.1', single)).toEqual(['ERR_FEATURE_LEVEL', 'scaleTensor.sizes[1]']);
});

test('fused activations, counts and scalars must fit their operators and tensors', () => {
  const side = { dataType: 'float32', sizes: [4] };
  const add = { type: 'elementWiseAdd1', aTensor: side, bTensor: side, outputTensor: side };
  const fuse = (fusedActivation: unknown) => caught(() => resolveDescriptor({ ...add, fusedActivation }, '6.4'));
  expect(resolveDescriptor({ ...add, fusedActivation: { type: 'activationLinear', alpha: 2, beta: 1 } }, '6.4')).toBeDefined();
  expect(gist(fuse({ type: 'activationLinear', alpha: 2 }))).toEqual(['ERR_MISSING_FIELD', 'fusedActivation.beta']);
  expect(gist(fuse({ type: 'cast' }))).toEqual(['ERR_FIELD_COMBINATION', 'fusedActivation.type']);
  expect(gist(fuse({ type: 'activationSoftmax' }))).toEqual(['ERR_FIELD_COMBINATION', 'fusedActivation.type']);
  expect(gist(fuse({ type: 'activationRelu', inputTensor: side }))).toEqual([
    'ERR_FIELD_COMBINATION',
    'fusedActivation.inputTensor',
  ]);
  expect(gist(fuse({ type: 'activationLeakyRelu', alpha: 1e39 }))).toEqual(['ERR_OUT_OF_RANGE', 'fusedActivation.alpha']);

  const join = { type: 'join', inputTensors: [side, side], outputTensor: { dataType: 'float32', sizes: [8] }, axis: 0 };
  expect(resolveDescriptor(join, '6.4').descriptor).toMatchObject({ inputCount: 2 });
  const joined = (change: object) => gist(caught(() => resolveDescriptor({ ...join, ...change }, '6.4')));
  expect(joined({ inputCount: 3 })).toEqual(['ERR_FIELD_COMBINATION', 'inputTensors']);
  expect(joined({ inputTensors: [] })).toEqual(['ERR_FIELD_COMBINATION', 'inputTensors']);
  expect(joined({ axis: 1 })).toEqual(['ERR_OUT_OF_RANGE', 'axis']);

  const fill = (dataType: string, value: unknown) => ({
    type: 'fillValueConstant',
    outputTensor: { dataType, sizes: [4] },
    valueDataType: dataType,
    value,
  });
  expect(resolveDescriptor(fill('int64', -1n), '6.4').descriptor).toMatchObject({ value: -1n });
  expect(resolveDescriptor(fill('uint8', 255), '6.4').descriptor).toMatchObject({ value: 255 });
  const filled = (dataType: string, value: unknown) => gist(caught(() => resolveDescriptor(fill(dataType, value), '6.4')));
  expect(filled('uint8', 256)).toEqual(['ERR_OUT_OF_RANGE', 'value']);
  expect(filled('uint64', -1n)).toEqual(['ERR_OUT_OF_RANGE', 'value']);
  expect(filled('int64', 2 ** 60)).toEqual(['ERR_OUT_OF_RANGE', 'value']);
  expect(filled('float16', 70000)).toEqual(['ERR_OUT_OF_RANGE', 'value']);
  expect(filled('float32', 3.5e38)).toEqual(['ERR_OUT_OF_RANGE', 'value']);
  expect(resolveDescriptor(fill('float32', 3.4e38), '6.4').descriptor).toMatchObject({ value: Math.fround(3.4e38) });
  expect(filled('float32', '1')).toEqual(['ERR_INVALID_DESCRIPTOR', 'value']);
});

test('malformed objects give typed errors: getters that throw or change their value, revoked proxies, endless arrays', () => {
  const thrown = new Error('from the getter');
  const throwing = {
    ...example,
    get inputTensor() {
      throw thrown;
    },
  };
  const error = caught(() => resolveDescriptor(throwing, '6.4'));
  expect(error).toMatchObject({ code: 'ERR_INVALID_DESCRIPTOR', field: 'inputTensor', cause: thrown });

  let reads = 0;
  const changing = {
    ...tensor({}).inputTensor,
    get sizes() {
      return reads++ === 0 ? [1, 8] : [1, 2 ** 31];
    },
  };
  expect(resolveDescriptor({ ...example, inputTensor: changing }, '6.4').descriptor).toMatchObject({
    inputTensor: { sizes: [1, 8] },
  });
  expect(reads).toBe(1);

  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(caught(() => resolveDescriptor(proxy, '6.4')).code).toBe('ERR_INVALID_DESCRIPTOR');
  const nameless = new Proxy(example, {
    ownKeys: () => {
      throw thrown;
    },
  });
  expect(caught(() => resolveDescriptor(nameless, '6.4'))).toMatchObject({ code: 'ERR_INVALID_DESCRIPTOR', cause: thrown });
  const endless = new Proxy([], { get: (_, name) => (name === 'length' ? Infinity : 1) });
  expect(validate(tensor({ sizes: endless }))).toEqual(['ERR_OUT_OF_RANGE', 'inputTensor.sizes.length']);
});
