// @ts-check
// The benchmark's rows about loading weights from a file.
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { firstParts } from './verdict.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */

/** A file of 1 GiB: tensors of 64 MiB. */
const tensors = 16;
const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [4096, 4096] });
const bytes = tensors * 2 ** 26;
/** As large as the parts in which the package reads. */
const partSize = 2 ** 22;
const megabyte = 2 ** 20;

/** Compares loading a file with reading it into new memory as large as the file. */
export const compareLoading = loadingAnd(1.25, () => {
  const memory = Buffer.allocUnsafeSlow(bytes);
  return (start) => memory.subarray(start, start + partSize);
});

/** Compares loading a file with reading it into the same memory again and again, which copies half as much and creates nothing. */
export const compareWithRereading = loadingAnd(null, () => {
  const part = Buffer.allocUnsafeSlow(partSize);
  return () => part;
});

/**
 * Reads a file in parts as large as those in which the package reads.
 * @param {string} path
 * @param {number} length
 * @param {(start: number) => Uint8Array} memoryFor Returns the memory for a part.
 */
export async function readInParts(path, length, memoryFor) {
  const file = await open(path);
  for (let start = 0; start < length; start += partSize) await file.read(memoryFor(start), 0, partSize, start);
  await file.close();
}

/**
 * Returns a comparison of loading a file with reading it in parts.
 * @param {number | null} limit Of the ratio of their times.
 * @param {() => (start: number) => Uint8Array} begin Returns a function that returns the memory for a part.
 */
function loadingAnd(limit, begin) {
  /** @returns {Promise<import('./rounds.mjs').Compared>} */
  return (/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ { seconds }) =>
    withFile(async (path) => {
      /** @type {(number | bigint)[]} */
      let sixths = [];
      const load = () =>
        timed(async () => {
          await device.scope(async () => {
            const loaded = Object.values(await loadSafetensors(device, path));
            await device.idle();
            sixths = await Promise.all(loaded.map(async (tensor) => (await tensor.read({ offset: 5, length: 1 }))[0] ?? NaN));
          });
        });
      const read = () =>
        timed(async () => {
          await readInParts(path, bytes, begin());
        });
      const turns = await takeTurns({ rounds: firstParts, seconds, limit }, load, read);
      const equal = sixths.length === tensors && sixths.every((value, i) => value === i + 5);
      return { ours: 'loading', theirs: 'reading', equal, ...turns, bytes: null };
    });
}

/**
 * Measures how much more memory the process needs while it loads the file than afterwards, with the tensors. A software GPU has its
 * memory in the process.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureLoading() {
  const device = await createDevice({ backend: 'directml' });
  const measured = await withFile((path) =>
    device.scope(async () => {
      const before = process.memoryUsage.rss();
      let peak = 0;
      const onProgress = () => {
        peak = Math.max(peak, process.memoryUsage.rss());
      };
      const loaded = Object.values(await loadSafetensors(device, path, { onProgress }));
      await device.idle();
      const held = loaded.reduce((sum, tensor) => sum + tensor.totalTensorSizeInBytes, 0);
      return { beside: (peak - before - held) / megabyte, equal: held === bytes };
    }),
  );
  device.dispose();
  const { beside, equal } = measured;
  return { ours: 'beside', unit: 'MiB', values: [[beside]], seconds: 0, control: null, limit: 128, equal };
}

/**
 * Gives the work a file of 1 GiB, which is deleted afterwards.
 * @template T
 * @param {(path: string) => Promise<T>} work
 */
async function withFile(work) {
  const folder = await mkdtemp(join(tmpdir(), 'node-directml-bench-'));
  const path = join(folder, 'model.safetensors');
  try {
    const device = await createDevice({ backend: 'directml' });
    const values = Float32Array.from({ length: 4096 * 4096 }, (_, i) => i);
    const filled = (/** @type {number} */ i) =>
      device.createTensor(
        desc,
        values.map((value) => value + i),
      );
    await saveSafetensors(path, Object.fromEntries(Array.from({ length: tensors }, (_, i) => [`tensor ${i}`, filled(i)])));
    device.dispose();
    // Until the memory of that device is freed.
    await sleep(2000);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
