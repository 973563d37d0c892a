/**
 * A worker thread that replaces the engine's ArrayBuffer constructor before it loads the addon. `workerData` names the
 * replacement. Posts the bytes of a read, or the code of its error.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createDevice, DirectMLError } from 'node-directml';

const { prototype } = ArrayBuffer;

/** @type {Record<string, unknown>} */
const replacements = {
  /** Throws, like an engine without memory. */
  throwing: Object.assign(
    function () {
      throw new RangeError('Array buffer allocation failed');
    },
    { prototype },
  ),
  /** Returns something else. */
  lying: Object.assign(
    function () {
      return [];
    },
    { prototype },
  ),
  /** Is another constructor. */
  foreign: Array,
  missing: undefined,
};

const device = await createDevice({ backend: 'reference' });
device.dispose();
Object.defineProperty(prototype, 'constructor', { value: replacements[String(workerData)], configurable: true });
const directml = await createDevice({ backend: 'directml' });
const tensor = directml.createTensor({ dataType: 'uint8', sizes: [4] }, Uint8Array.of(1, 2, 3, 4));
try {
  parentPort?.postMessage(Array.from(await tensor.read()));
} catch (error) {
  parentPort?.postMessage(error instanceof DirectMLError ? error.code : String(error));
}
directml.dispose();
