/** The options of createDevice that choose an adapter, its time limit and the most memory, on each backend and in its clients. */
import { describe, expect, test } from 'vitest';
import { enter } from '#lib/onnxruntime/location.js';
import { settingsOf } from '#lib/onnxruntime/options.js';
import { contextType } from '#lib/webnn/interface-types.js';
import { createDevice, type Device } from 'node-directml';
import { elementWiseSqrt } from 'node-directml/operators';
import { createML } from 'node-directml/webnn';
import { backends } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';

const MiB = 2 ** 20;
const options = { powerPreference: 'low-power', gpuTimeout: false, memoryLimit: 64 * MiB } as const;

/** Wrong values, the field of the error, and what it expects. */
const wrong: readonly (readonly [given: object, field: string, expected: string])[] = [
  [{ powerPreference: 'fast' }, 'powerPreference', "'high-performance' or 'low-power'"],
  [{ powerPreference: null }, 'powerPreference', "'high-performance' or 'low-power'"],
  [{ gpuTimeout: 0 }, 'gpuTimeout', 'true or false'],
  [{ gpuTimeout: null }, 'gpuTimeout', 'true or false'],
  [{ memoryLimit: 0 }, 'memoryLimit', 'a whole number from 1 on'],
  [{ memoryLimit: 1.5 }, 'memoryLimit', 'a whole number from 1 on'],
  [{ memoryLimit: '64' }, 'memoryLimit', 'a whole number from 1 on'],
  [{ memoryLimit: 2n ** 20n }, 'memoryLimit', 'a whole number from 1 on'],
  [{ memoryLimit: Infinity }, 'memoryLimit', 'a whole number from 1 on'],
];

/** The bytes that count against the limit. */
function used(device: Device): number {
  const { buffers, persistent, temporary } = device.memory();
  return buffers + persistent + temporary.inUse + temporary.idle;
}

describe.each(backends)('on %s', (backend) => {
  const isDirectML = backend === 'directml';
  const chosen = { powerPreference: isDirectML ? 'low-power' : null, gpuTimeout: false, memoryLimit: 64 * MiB };

  test('info tells what the options are, and the device computes', async () => {
    using plain = await createDevice({ backend });
    const powerPreference = isDirectML ? 'high-performance' : null;
    expect(plain.info).toMatchObject({ powerPreference, gpuTimeout: isDirectML, memoryLimit: null });
    using device = await createDevice({ backend, ...options });
    expect(device.info).toMatchObject(chosen);
    const roots = await elementWiseSqrt(device.tensor([1, 4, 9]));
    expect(await roots.toArray()).toEqual([1, 2, 3]);
  });

  test('contexts of WebNN take their preference, else that of createML', async () => {
    const ml = createML({ backend, ...options });
    const infoOf = async (wish: object) => {
      const context = await ml.createContext(wish);
      const info = contextType.implementationOf(context)?.device.info;
      context.destroy();
      return info;
    };
    expect(await infoOf({})).toMatchObject(chosen);
    const powerPreference = isDirectML ? 'high-performance' : null;
    expect(await infoOf({ powerPreference: 'high-performance' })).toMatchObject({ ...chosen, powerPreference });
  });

  test('sessions take the options, and the preference of their first execution provider', async () => {
    const infoOf = async (given: object) => {
      const location = await enter(settingsOf({ backend, ...given }));
      location?.leave();
      return location?.device.info;
    };
    expect(await infoOf(options)).toMatchObject(chosen);
    const { powerPreference } = chosen;
    const provider = { name: 'webnn', powerPreference: 'low-power' };
    expect(await infoOf({ executionProviders: [provider] })).toMatchObject({ powerPreference, memoryLimit: null });
  });

  test.each(wrong)('%o is refused', async (given, name, expected) => {
    const field = `options.${name}`;
    const error = await rejected(createDevice({ backend, ...given }));
    expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', field]);
    expect(error.expected).toBe(expected);
    const ofSession = caught(() => settingsOf({ backend, ...given }));
    expect(gist(ofSession)).toEqual(['ERR_INVALID_ARGUMENT', field]);
  });

  test('a limit is kept while 200 tensors come and go', async () => {
    const memoryLimit = 8 * MiB;
    using device = await createDevice({ backend, memoryLimit });
    const live = [];
    for (let i = 0; i < 200; i++) {
      // From 256 KiB to 1 MiB, all of other sizes: memory that is kept for one is of no use for the others.
      live.push(device.tensor(new Float32Array(2 ** 16 + 983 * i).fill(i)));
      if (live.length > 4) live.shift()?.dispose();
      expect(used(device)).toBeLessThanOrEqual(memoryLimit);
    }
    expect(used(device)).toBeGreaterThan(3 * MiB);
    const last = live.at(-1);
    expect((await last?.read({ offset: 2 ** 16, length: 2 }))?.join()).toBe('199,199');
  });

  test('beyond the limit, an allocation fails, and the device goes on', async () => {
    using device = await createDevice({ backend, memoryLimit: MiB });
    using half = device.createBuffer(MiB / 2);
    const error = caught(() => device.createBuffer(MiB / 2 + 4));
    expect(gist(error)).toEqual(['ERR_OUT_OF_MEMORY', 'memoryLimit']);
    expect(error.expected).toBe(`at most ${MiB / 2} bytes, which are left of ${MiB}`);
    expect(error.given).toBe(`${MiB / 2 + 4} bytes to allocate`);
    expect(error.message).toContain('(dispose of tensors, or give createDevice a larger memoryLimit)');
    half.dispose();
    using whole = device.createBuffer(MiB);
    whole.write(Uint8Array.of(7), MiB - 1);
    expect(new Uint8Array(await whole.read(MiB - 1))).toEqual(Uint8Array.of(7));
  });
});

test('a preference stands neither beside an adapter nor beside a device of other code', async () => {
  const error = await rejected(createDevice({ adapter: '00000000-0000c0de', powerPreference: 'low-power' }));
  expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.powerPreference']);
  expect(error.expected).toBe('nothing with adapter, which names the adapter');
});
