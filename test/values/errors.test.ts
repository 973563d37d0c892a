/** The texts that are printed for an error. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createDevice, DirectMLError } from 'node-directml';
import { list, oneOf } from '#lib/values/errors.js';
import { caught, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

describe('no property is printed as undefined', () => {
  const nothing = untyped<{ field: string }>({
    operator: undefined,
    field: undefined,
    call: undefined,
    hresult: undefined,
    debugMessages: undefined,
    cause: undefined,
  });

  test('of an error that was made without details, with some details, or with undefined details', () => {
    for (const details of [undefined, {}, { operator: 'gemm' }, nothing]) {
      const error = new DirectMLError('ERR_SIZES', 'text', details);
      expect(inspect(error)).not.toContain('undefined');
      expect(Object.values(error)).not.toContain(undefined);
      expect(Object.hasOwn(error, 'cause')).toBe(false);
    }
    expect(inspect(new DirectMLError('ERR_SIZES', 'text', { cause: null }))).toContain('[cause]: null');
  });

  test('of errors that the package throws', async () => {
    const device = await createDevice({ backend: 'reference' });
    const errors = [await rejected(device.compile(untyped<never>({ type: 'x' }))), await rejected(createDevice(untyped(7)))];
    device.dispose();
    errors.push(caught(() => device.createBuffer(4)));
    for (const error of errors) expect(inspect(error)).not.toContain('undefined');
  });
});

test.each([31, 32, 33])('lists at most 32 of %i values', (count) => {
  const values = Array.from({ length: count }, (_, i) => `${i}`);
  const shown = values.slice(0, 32).join(', ');
  expect(list(values)).toBe(count > 32 ? `[${shown}, ... 33 in all]` : `[${shown}]`);
  expect(oneOf(values)).toBe(`one of ${shown}${count > 32 ? ', ... 33 in all' : ''}`);
});
