// @ts-check
// A process that starts as programs do: node bench/startup-child.mjs DEVICES. It imports the package, and opens devices one after
// the other. It prints the time of the import and of the first device in milliseconds, the bytes by which the memory of the process
// has grown, and with a device also what `device.info` says.
const devices = Number(process.argv[2] ?? 0);
const before = process.memoryUsage.rss();
const start = performance.now();
const { createDevice } = await import('node-directml');
const imported = performance.now() - start;
/** @type {import('node-directml').Device | undefined} */
let device;
let opened = 0;
for (let i = 0; i < devices; i++) {
  device?.dispose();
  const began = performance.now();
  device = await createDevice({ backend: 'directml' });
  if (i === 0) opened = performance.now() - began;
}
const grown = process.memoryUsage.rss() - before;
console.log(JSON.stringify({ imported, opened, grown, info: device?.info }));
