/** Devices that are disposed of or lost during a call. Each case takes half a second. */
import type { NativeDevice } from '../../../binding.js';
import { springing } from '../../malformed/values.js';
import { identity, OWNED_BY_DML, ranges, sampleGraph, type Make } from './boundary.js';

type End = (device: NativeDevice) => unknown;

/** Returns the object, with a getter `key` that disposes of the device. */
function ends<T extends object>(device: NativeDevice, object: T, key: keyof T): T {
  return springing(object, key, () => device.dispose());
}

const endings: readonly (readonly [string, End])[] = [
  ['in a getter', (device) => device.compileOperator(ends(device, identity(), 'scaleBias'), 0)],
  ['in a graph', (device) => device.compileGraph(ends(device, sampleGraph(), 'outputs'), 0)],
  ['in a graph that is checked', (device) => device.checkGraph(ends(device, sampleGraph(), 'nodes'), 0)],
  [
    'in a recording',
    async (device) => {
      const operators = [await device.compileOperator(identity(), 0)];
      return device.createRecording(ends(device, operators, 0), ranges(device.createBuffer(16), device.createBuffer(16)));
    },
  ],
  [
    'in a profile',
    (device) => {
      device.startProfile();
      device.dispose();
      return device.endProfile();
    },
  ],
  [
    'in an operator that owns a tensor',
    (device) => device.compileOperator(ends(device, identity(OWNED_BY_DML), 'scaleBias'), 0, ranges(device.createBuffer(16))),
  ],
  ['while compiling', (device) => endedAfter(device, device.compileOperator(identity(), 0))],
  [
    'while compiling a graph',
    (device) => endedAfter(device, device.compileGraph(sampleGraph(), 0, ranges(null, device.createBuffer(16), null))),
  ],
  ['before it is asked', endedBefore],
  [
    'lost',
    (device) => {
      device.removeForTesting();
      return endedBefore(device);
    },
  ],
];

function endedAfter(device: NativeDevice, promise: Promise<unknown>): Promise<unknown> {
  device.dispose();
  return promise;
}

async function endedBefore(device: NativeDevice): Promise<void> {
  device.dispose();
  await new Promise((resolve) => setTimeout(resolve, 20));
  device.onLost(() => undefined);
}

export const ending: Make = (random, { binding: { createDevice }, directory }) => {
  const [how, end] = random.pick(endings);
  return {
    label: `a device that ends: ${how}`,
    run: async () => end(await createDevice({ addonDirectory: directory })),
  };
};
