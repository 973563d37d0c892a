/**
 * `node orphans.mjs`: terminates worker threads whose device has work for some seconds, one after the other. Writes one line
 * of JSON for each: how long the termination took, how many devices were still waiting for the GPU then and later, and the
 * resident memory after that.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';

const SECONDS = 4;
const ROUNDS = 2;
const SIZE = 512;
/** @satisfies {import('node-directml').TensorDesc} */
const tensor = { dataType: 'float32', sizes: [1, 1, SIZE, SIZE] };
/** The memory of each device. It exceeds what Direct3D keeps for its first devices, so that a leak shows. */
const BALLAST = 2 ** 28;

async function work() {
  const device = await createDevice({ backend: 'directml' });
  const buffer = device.createBuffer(BALLAST);
  device.createTensor({ dataType: 'float32', sizes: [1] }, { buffer }).write(Float32Array.of(1));
  const aTensor = device.createTensor(tensor);
  const bTensor = device.createTensor(tensor);
  const outputTensor = device.createTensor(tensor);
  const multiply = await device.compile({
    type: 'gemm',
    aTensor: tensor,
    bTensor: tensor,
    outputTensor: tensor,
    transA: 'none',
    transB: 'none',
    alpha: 1,
    beta: 0,
  });
  const dispatch = () => multiply.dispatch({ aTensor, bTensor, outputTensor });
  dispatch();
  await device.idle();
  const began = performance.now();
  for (let i = 0; i < 10; i++) dispatch();
  await device.idle();
  const each = (performance.now() - began) / 10;
  for (let i = 0; i < (SECONDS * 1000) / each; i++) dispatch();
  device.submit();
  parentPort?.postMessage('busy');
  // The thread lives until it is terminated.
  setInterval(() => device, 1000);
}

async function round() {
  const { binding } = loadAddon();
  const worker = new Worker(new URL(import.meta.url));
  await once(worker, 'message');
  const began = performance.now();
  await worker.terminate();
  const took = performance.now() - began;
  const orphaned = binding.orphanedDevices();
  for (let i = 0; i < 600 && binding.orphanedDevices() > 0; i++) await sleep(50);
  return { took, orphaned, left: binding.orphanedDevices(), resident: process.memoryUsage.rss() };
}

if (isMainThread) {
  for (let i = 0; i < ROUNDS; i++) console.log(JSON.stringify(await round()));
} else {
  await work();
}
