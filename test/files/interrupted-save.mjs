/** Saves a tensor into the file that is named, and ends, or waits for ever, when a part of it is written. */
import { createDevice } from 'node-directml';
import { saveNpy } from 'node-directml/files';

const [, , path = '', ending = ''] = process.argv;
const device = await createDevice({ backend: 'reference', thread: 'caller' });
const tensor = device.createTensor({ dataType: 'uint8', sizes: [2 ** 22 + 4] });
/** @type {Readonly<Record<string, () => void>>} */
const endings = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  exit: () => process.exit(7),
  throw: () =>
    setImmediate(() => {
      throw new Error('of the program');
    }),
  wait: () => {
    process.stdout.write('waits');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};
await saveNpy(path, tensor, { onProgress: endings[ending] });
