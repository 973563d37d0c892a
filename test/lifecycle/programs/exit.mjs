/**
 * `node exit.mjs STAGE`: ends the process with exit code 42 in the middle of some work: `compile`, `dispatch`, `read`, or
 * `long`, which is more work than an ending process waits for. `uncaught` throws while a read is in flight (exit code 1).
 * `natural` leaves a dispatch unread, and `watching` waits for the loss of an idle device (exit code 0).
 */
import { COUNT, descriptor, prepare } from './scatter.mjs';

const stage = process.argv[2];
const { device, bindings } = await prepare();
if (stage === 'compile') {
  for (let i = 0; i < 20; i++) {
    // A different size each time, so that no operator comes from the cache.
    const inputTensor = { ...descriptor.inputTensor, sizes: [1, COUNT + i] };
    void device.compile({ ...descriptor, inputTensor, outputTensor: inputTensor });
  }
  process.exit(42);
}

const scatter = await device.compile(descriptor);
for (let i = 0; i < (stage === 'long' ? 300 : 50); i++) scatter.dispatch(bindings);
if (stage === 'dispatch' || stage === 'long') {
  device.submit();
  process.exit(42);
}
if (stage === 'natural') {
  device.submit();
} else if (stage === 'watching') {
  await device.idle();
  void device.lost.then(() => process.exit(43));
} else {
  void bindings.outputTensor.read();
  if (stage === 'uncaught')
    setImmediate(() => {
      throw new Error('thrown on purpose, with a read in flight');
    });
  else setImmediate(() => process.exit(42));
}
