/** Errors of this package become DOMExceptions of the specification, whose cause is the original error. */
import { DirectMLError } from 'node-directml';
import { expect, test } from 'vitest';
import { domError } from '#lib/webnn/dom-errors.js';

test.each([
  [new DirectMLError('ERR_OUT_OF_MEMORY', 'no memory'), 'OperationError'],
  [new DirectMLError('ERR_DEVICE_LOST', 'the device was lost'), 'InvalidStateError'],
  [new DirectMLError('ERR_DISPOSED', 'the device is disposed'), 'InvalidStateError'],
])('%s', (error, name) => {
  const exception = domError(error, 'OperationError');
  expect(exception).toBeInstanceOf(DOMException);
  expect(exception).toMatchObject({ name, message: error.message, cause: error });
});

test('other thrown values stay unchanged', () => {
  expect(domError('thrown', 'UnknownError')).toBe('thrown');
});
