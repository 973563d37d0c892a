// A process whose device waits for a signal that never comes.
import { createRequire } from 'node:module';
import { createDevice } from '../../../dist/index.mjs';

const interop = createRequire(import.meta.url)(`../../../build/win32-${process.arch}/interop.node`);
const device = await createDevice({ backend: 'directml' });
const fence = device.importFence({ external: interop.createFence(device.native) });
const tensor = device.createTensor({ dataType: 'float32', sizes: [1024] });
device.waitFor(fence, 1n);
const reading = tensor.read().catch((/** @type {{ code: string }} */ error) => error.code);
device.submit();
process.exitCode = 42;
const [, , stage] = process.argv;
if (stage === 'waiting') process.exit();
if (stage === 'disposed') device.dispose();
if (stage === 'lost') device.simulateLoss();
const code = await reading;
if (code !== (stage === 'lost' ? 'ERR_DEVICE_LOST' : 'ERR_DISPOSED')) process.exitCode = 1;
