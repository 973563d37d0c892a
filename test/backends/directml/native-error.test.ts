/** The package passes on the addon's errors with every detail, with the name of the operator, and with a code of its own. */
import { expect, test } from 'vitest';
import { DirectMLError, type ErrorCode } from 'node-directml';
import { dllAdvice } from '#lib/backends/directml/dll-advice.js';
import { fromNative } from '#lib/backends/directml/native-error.js';
import { polluted } from '../../../checks/malformed/objects.js';

const native = (properties: object) => Object.assign(new Error('it failed'), properties);

test('every detail of a native error is passed on', () => {
  const cause = native({
    code: 'ERR_NATIVE_CALL',
    field: 'inputTensor.sizes',
    call: 'IDMLDevice::CreateOperator',
    hresult: 2147942487,
    hresultName: 'E_INVALIDARG',
    debugMessages: ['the first', 'the second'],
  });
  const error = fromNative(cause, 'gemm');
  expect(error).toBeInstanceOf(DirectMLError);
  expect(error.message).toBe('gemm: it failed');
  expect(error.name).toBe('DirectMLError');
  expect(Object.fromEntries(Object.entries(error))).toEqual({
    name: 'DirectMLError',
    code: 'ERR_NATIVE_CALL',
    operator: 'gemm',
    field: 'inputTensor.sizes',
    call: 'IDMLDevice::CreateOperator',
    hresult: 2147942487,
    hresultName: 'E_INVALIDARG',
    debugMessages: ['the first', 'the second'],
  });
  expect(error.cause).toBe(cause);
});

test.each<[given: unknown, code: ErrorCode]>([
  ['ERR_INVALID_ARGUMENT', 'ERR_INVALID_ARGUMENT'],
  ['ERR_INVALID_DESCRIPTOR', 'ERR_INVALID_DESCRIPTOR'],
  ['ERR_INVALID_BINDING', 'ERR_BINDING_RANGE'],
  ['ERR_DISPOSED', 'ERR_DISPOSED'],
  ['ERR_WRONG_DEVICE', 'ERR_WRONG_DEVICE'],
  ['ERR_DEVICE_LOST', 'ERR_DEVICE_LOST'],
  ['ERR_OUT_OF_MEMORY', 'ERR_OUT_OF_MEMORY'],
  ['ERR_NO_ADAPTER', 'ERR_NO_ADAPTER'],
  ['ERR_DIRECTML_NOT_FOUND', 'ERR_DIRECTML_NOT_FOUND'],
  ['ERR_DIRECTML_NOT_A_DLL', 'ERR_DIRECTML_NOT_A_DLL'],
  ['ERR_DIRECTML_TOO_OLD', 'ERR_DIRECTML_TOO_OLD'],
  ['ERR_NATIVE_CALL', 'ERR_NATIVE_CALL'],
  ['ERR_OF_ANOTHER_VERSION', 'ERR_NATIVE_CALL'],
  ['toString', 'ERR_NATIVE_CALL'],
  [7, 'ERR_NATIVE_CALL'],
  [undefined, 'ERR_NATIVE_CALL'],
])('the code %s becomes %s', (given, code) => {
  expect(fromNative(native({ code: given })).code).toBe(code);
});

test('advice for a code follows the message', () => {
  const advised = (code: string, isGiven: boolean) =>
    fromNative(native({ code }), undefined, (own) => dllAdvice(own, isGiven)).message;
  expect(advised('ERR_DIRECTML_NOT_A_DLL', false)).toMatch(
    /^it failed\n- The file may be cut off, .*\n- .*npm install node-directml$/,
  );
  expect(advised('ERR_DIRECTML_NOT_A_DLL', true)).toMatch(
    /^it failed\n- The file may be cut off, .*\n- Name another file in directmlPath/,
  );
  expect(advised('ERR_DIRECTML_NOT_FOUND', false)).toMatch(/^it failed\n- .*npm install node-directml$/);
  expect(advised('ERR_DIRECTML_TOO_OLD', true)).toMatch(/^it failed\n- Name another file in directmlPath/);
  expect(advised('ERR_OUT_OF_MEMORY', true)).toBe('it failed');
});

test('details that are missing or of a wrong type are omitted', () => {
  const empty = { code: 'ERR_NATIVE_CALL', debugMessages: [], field: 7, call: null, hresult: '1', hresultName: 1 };
  expect(Object.fromEntries(Object.entries(fromNative(native(empty))))).toEqual({
    name: 'DirectMLError',
    code: 'ERR_NATIVE_CALL',
  });
  expect(fromNative(native({ debugMessages: ['text', 7] })).debugMessages).toEqual(['text']);
  expect(fromNative(native({ debugMessages: 'text' })).debugMessages).toBeUndefined();
});

test('an error of the package is passed on unchanged, and any other thrown value becomes an error', () => {
  const own = new DirectMLError('ERR_SIZES', 'too many');
  expect(fromNative(own, 'gemm')).toBe(own);
  expect(fromNative('text')).toMatchObject({ code: 'ERR_NATIVE_CALL', message: 'text' });
});

test('nothing is taken from Object.prototype', async () => {
  const error = await polluted(
    { field: 'x', call: 'y', hresult: 1, hresultName: 'z', debugMessages: ['m'], cause: 1, code: 'ERR_DISPOSED' },
    async () => Object.entries(fromNative(new Error('it failed'))),
  );
  expect(Object.fromEntries(error)).toEqual({ name: 'DirectMLError', code: 'ERR_NATIVE_CALL' });
});
