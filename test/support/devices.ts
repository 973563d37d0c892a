/** Devices to run tests on. */
import { createDevice, type Device } from 'node-directml';
import { afterAll, beforeAll } from 'vitest';

/** False in the sandbox if the portable tests have just run outside it, on the reference. */
const repeats = !process.env['NODE_DIRECTML_TESTS_WITHOUT']?.includes('portable');

/** The backends to run a test on: the reference everywhere, and the real DirectML on Windows. */
export const backends: readonly ('reference' | 'directml')[] =
  process.platform !== 'win32' ? ['reference'] : repeats ? ['reference', 'directml'] : ['directml'];

/** The last one of them, for slow tests: other systems run them on the reference. */
export const ownBackend = backends.slice(-1);

/** A device of one backend, which lives from before the first test of the current suite until after its last. */
export function deviceOn(backend: (typeof backends)[number]): () => Device {
  let device: Device | undefined;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device?.dispose());

  return () => {
    if (device === undefined) throw new Error('there is a device only while tests run');
    return device;
  };
}

/** A device of each backend, which live from before the first test of the current suite until after its last. */
export function bothDevices(): () => Readonly<Record<'directml' | 'reference', Device>> {
  let devices: Record<'directml' | 'reference', Device> | undefined;

  beforeAll(async () => {
    devices = {
      directml: await createDevice({ backend: 'directml' }),
      reference: await createDevice({ backend: 'reference', thread: 'caller' }),
    };
  });

  afterAll(() => {
    devices?.directml.dispose();
    devices?.reference.dispose();
  });

  return () => {
    if (devices === undefined) throw new Error('there are devices only while tests run');
    return devices;
  };
}
