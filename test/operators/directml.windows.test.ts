/** DirectML itself judges the wrong descriptors of the reference pages, which the package refuses. */
import { DirectMLError } from 'node-directml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAddon, type NativeBinding as Addon } from '#lib/backends/directml/addon.js';
import { fromNative } from '#lib/backends/directml/native-error.js';
import { encodeLoosely } from '../../checks/descriptors/encode.js';
import { workedExamples } from '../../checks/operators/examples.js';

type NativeDevice = Awaited<ReturnType<Addon['createDevice']>>;

let device: NativeDevice;

beforeAll(async () => {
  const { binding, directory } = loadAddon();
  device = await binding.createDevice({ addonDirectory: directory });
});

afterAll(() => {
  device.dispose();
});

describe('DirectML refuses exactly the fields of pages that our examples correct', () => {
  const mistaken = workedExamples.filter(({ asWritten }) => asWritten !== undefined);

  it.each(mistaken.map((example) => [`${example.page}: ${example.title}`, example] as const))('%s', (_name, example) => {
    expect(verdictOn(example.descriptor)).toBeNull();
    expect(verdictOn({ ...example.descriptor, ...example.asWritten })).toMatchObject({
      code: 'ERR_NATIVE_CALL',
      call: 'IDMLDevice::CreateOperator',
      hresultName: 'E_INVALIDARG',
    });
  });

  it('has at least four cases', () => {
    expect(mistaken.length).toBeGreaterThan(3);
  });
});

/** DirectML's error for a descriptor, without our validation; null if it accepts the descriptor. */
function verdictOn(descriptor: Parameters<typeof encodeLoosely>[0]): DirectMLError | null {
  const { type, ...fields } = encodeLoosely(descriptor);
  try {
    device.checkOperator({ type: Number(type), ...fields }, 0);
    return null;
  } catch (error) {
    return fromNative(error);
  }
}
