/** Errors about unknown names ask `did you mean …?`. */
import { describe, expect, test } from 'vitest';
import { type CompileOptions, createDevice } from 'node-directml';
import { didYouMean, nearNames } from '#lib/values/near-names.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { otherOperatorNames } from '#lib/descriptors/generated/other-names.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { polluted, revoked, untyped } from '../../checks/malformed/objects.js';
import { fastest } from '../support/fastest.js';

const square = { dataType: 'float32', sizes: [2, 2] } as const;
const gemm = { type: 'gemm', aTensor: square, bTensor: square, transA: 'none', transB: 'none', alpha: 1, beta: 1 } as const;
const image = { dataType: 'float32', sizes: [1, 1, 2, 2] } as const;
const upsample = { type: 'upsample2d', inputTensor: image, scaleSize: { width: 2, height: 2 }, interpolationMode: 'linear' };
const reduce = { type: 'reduce', inputTensor: image, axes: [3] };

const refused = (descriptor: object) => caught(() => resolveDescriptor(descriptor, '6.4'));
/** The question in parentheses at the end of a message. */
const question = (message: string) => /\((did you mean [^)]*\?)\)$/.exec(message)?.[1];

test.each([
  ['Gemm', `did you mean 'gemm'?`],
  ['DML_OPERATOR_GEMM', `did you mean 'gemm'?`],
  ['ELEMENT_WISE_ADD', `did you mean 'elementWiseAdd'?`],
  ['elementwiseadd', `did you mean 'elementWiseAdd'?`],
  ['DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT', `did you mean 'elementWiseBitShiftLeft'?`],
  ['matmul', `did you mean 'gemm'?`],
  ['torch.matmul', `did you mean 'gemm'?`],
  ['relu', `did you mean 'activationRelu'?`],
  ['F.relu', `did you mean 'activationRelu'?`],
  ['concat', `did you mean 'join'?`],
  ['np.where', `did you mean 'elementWiseIf'?`],
  ['conv2d', `did you mean 'convolution' or 'quantizedLinearConvolution'?`],
  ['Resize', `did you mean 'resample', 'resample1' or 'resample2'?`],
  ['softmax', `did you mean 'activationSoftmax' or 'activationSoftmax1'?`],
  ['bitAnd', `did you mean 'elementWiseBitAnd'?`],
  ['scaterNd', `did you mean 'scatterNd'?`],
  ['scatterDn', `did you mean 'scatterNd'?`],
  ['matmull', `did you mean 'gemm'?`],
  ['pooling', `did you mean 'lpPooling', 'maxPooling' or 'roiPooling'?`],
  ['element', undefined],
  ['einsum', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
])('the type %j gets its suggestion', (type, expected) => {
  const error = refused({ type });
  expect(error).toMatchObject({ code: 'ERR_UNKNOWN_OPERATOR', expected: `an operator's type, such as 'scatterNd'` });
  expect(question(error.message)).toBe(expected);
});

test('the type of a fused activation gets a suggestion', () => {
  expect(refused({ ...gemm, fusedActivation: { type: 'relu' } }).message).toBe(
    `gemm: fusedActivation.type: expected an operator's type, such as 'scatterNd', given 'relu' (did you mean 'activationRelu'?)`,
  );
});

test('DirectML’s name of each operator suggests its type', () => {
  for (const type of Object.keys(operatorTable)) {
    const native = type.replace(/(?=[A-Z])|(?<=[a-z])(?=\d+x)/g, '_').toUpperCase();
    expect(question(refused({ type: `DML_OPERATOR_${native}` }).message)).toBe(`did you mean '${type}'?`);
  }
});

test('each other name of an operator suggests a type', () => {
  for (const [type, names] of Object.entries(otherOperatorNames())) {
    for (const name of names)
      expect([name, nearNames(name, Object.keys(operatorTable), otherOperatorNames())]).not.toEqual([name, []]);
    expect(Object.hasOwn(operatorTable, type)).toBe(true);
  }
});

test.each([
  ['atensor', 'aTensor'],
  ['ATensor', 'aTensor'],
  ['bTensorr', 'bTensor'],
  ['TransA', 'transA'],
  ['output', 'outputTensor'],
  ['activation', 'fusedActivation'],
])('the field %s gets its suggestion', (name, meant) => {
  const error = refused({ ...gemm, [name]: 1 });
  expect([error.code, error.field, question(error.message)]).toEqual(['ERR_UNKNOWN_FIELD', name, `did you mean '${meant}'?`]);
});

test.each([
  ['Sizes', 'sizes'],
  ['size', 'sizes'],
  ['shape', 'sizes'],
  ['datatype', 'dataType'],
  ['dtype', 'dataType'],
])('the field %s of a tensor gets its suggestion', (name, meant) => {
  const error = refused({ ...gemm, aTensor: { ...square, [name]: 1 } });
  expect([error.field, question(error.message)]).toEqual([`aTensor.${name}`, `did you mean '${meant}'?`]);
});

test.each([
  [{ ...upsample, interpolationMode: 'NEAREST_NEIGHBOR' }, 'nearestNeighbor'],
  [{ ...upsample, interpolationMode: 'nearest' }, 'nearestNeighbor'],
  [{ ...upsample, interpolationMode: 'DML_INTERPOLATION_MODE_LINEAR' }, 'linear'],
  [{ ...upsample, interpolationMode: 'bilinear' }, 'linear'],
  [{ ...gemm, transA: 'DML_MATRIX_TRANSFORM_NONE' }, 'none'],
  [{ ...gemm, transA: 'transposed' }, 'transpose'],
  [{ ...reduce, function: 'mean' }, 'average'],
  [{ ...reduce, function: 'LOG_SUM_EXP' }, 'logSumExp'],
])('the member of an enum in %j gets its suggestion', (descriptor, meant) => {
  expect(question(refused(descriptor).message)).toBe(`did you mean '${meant}'?`);
});

test.each([
  ['fp16', 'float16'],
  ['half', 'float16'],
  ['float', 'float32'],
  ['FLOAT32', 'float32'],
  ['Float32Array', 'float32'],
  ['DML_TENSOR_DATA_TYPE_FLOAT32', 'float32'],
  ['double', 'float64'],
  ['i32', 'int32'],
  ['int', 'int32'],
  ['long', 'int64'],
  ['bool', 'uint8'],
  ['byte', 'uint8'],
])('the data type %s gets its suggestion', (dataType, meant) => {
  const error = refused({ ...gemm, aTensor: { dataType, sizes: [2, 2] } });
  expect([error.code, question(error.message)]).toEqual(['ERR_DATA_TYPE', `did you mean '${meant}'?`]);
});

test('options of createDevice get their suggestions', async () => {
  const told = async (options: object) => question((await rejected(createDevice(untyped(options)))).message);
  expect(await told({ Backend: 'reference' })).toBe(`did you mean 'backend'?`);
  expect(await told({ directMLPath: 'C:\\' })).toBe(`did you mean 'directmlPath'?`);
  expect(await told({ backend: 'DirectML' })).toBe(`did you mean 'directml'?`);
  expect(await told({ featureLevel: 'DML_FEATURE_LEVEL_5_0' })).toBe(`did you mean '5.0'?`);
});

describe('on a device', () => {
  const device = deviceOn('reference');

  test('names of bindings, of their properties, and of options of compile get their suggestions', async () => {
    const operator = await device().compile(gemm);
    const tensor = device().createTensor(square);
    const unknown = caught(() => operator.dispatch(untyped({ aTensor: tensor, bTensorr: tensor, outputTensor: tensor })));
    expect(unknown.message).toBe(
      `gemm: bTensorr: expected one of aTensor, bTensor, cTensor, outputTensor, given 'bTensorr' (did you mean 'bTensor'?)`,
    );
    const range = caught(() => operator.dispatch(untyped({ aTensor: { buffer: tensor.buffer, ofset: 0 } })));
    expect(question(range.message)).toBe(`did you mean 'offset'?`);
    const option = await rejected(device().compile(gemm, untyped<CompileOptions>({ disableMetaCommands: true })));
    expect(question(option.message)).toBe(`did you mean 'disableMetacommands'?`);
  });

  test('the error about a missing weight names the option that binds it', async () => {
    const owned = { ...square, flags: 'ownedByDml' } as const;
    expect((await rejected(device().compile({ ...gemm, bTensor: owned }))).message).toBe(
      `gemm: bTensor: expected a tensor or buffer in options.initializationInputs, for its flags are 'ownedByDml', given nothing`,
    );
    const join = { type: 'join', inputTensors: [owned, owned], axis: 0 } as const;
    expect(await rejected(device().compile(join))).toMatchObject({
      code: 'ERR_MISSING_BINDING',
      field: 'inputTensors',
      expected: `an array of 2 bindings in options.initializationInputs, for its flags are 'ownedByDml'`,
    });
  });
});

describe('malformed names', () => {
  test('a name of 10 MB is not compared with others', () => {
    const long = 'gemm'.repeat(2_500_000);
    expect(didYouMean(long, ['gemm'], { gemm: [long] })).toBeUndefined();
    expect(fastest(() => didYouMean(long, ['gemm'], { gemm: [long] }))).toBeLessThan(50);
    for (const descriptor of [{ type: long }, { ...gemm, [long]: 1 }, { ...gemm, transA: long }]) {
      const error = refused(descriptor);
      expect([error.message.length < 400, question(error.message)]).toEqual([true, undefined]);
    }
  });

  test('a value other than a string gets no suggestion, and none of its code runs', () => {
    const hostile = { toString: () => 'Gemm', [Symbol.toPrimitive]: () => 'Gemm' };
    for (const type of [hostile, revoked({}), Symbol('Gemm'), 7n, ['Gemm'], () => 'Gemm', null]) {
      expect(question(refused({ type }).message)).toBeUndefined();
    }
  });

  test('properties of Object.prototype are ignored', async () => {
    const error = await polluted({ gemm: 7, none: 7, sizes: 7 }, async () => refused({ ...gemm, transA: 'NONE' }));
    expect(question(error.message)).toBe(`did you mean 'none'?`);
    const type = await polluted({ join: 7, cast: [7] }, async () => refused({ type: 'concat' }));
    expect(question(type.message)).toBe(`did you mean 'join'?`);
  });
});
