/**
 * `node debug-layer.mjs`: asks for the debug layer while a device exists, then without one. Writes one line of JSON: the
 * first answer and what the device computes after it; then the layer's messages about a refused call, or why there is no
 * layer. It needs its own process, because the layer belongs to the process.
 */
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';

/** @satisfies {import('node-directml').TensorDesc} */
const tensor = { dataType: 'float32', sizes: [2] };
/** An identity with different sizes, which the package's validation would refuse. */
const broken = { type: 1, inputTensor: native([1, 1, 1, 2]), outputTensor: native([1, 1, 1, 3]), scaleBias: null };

function native(/** @type {number[]} */ sizes) {
  return { dataType: 1, flags: 0, sizes, strides: null, totalTensorSizeInBytes: 16, guaranteedBaseOffsetAlignment: 0 };
}

async function answer(/** @type {() => Promise<unknown>} */ ask) {
  try {
    await ask();
    return {};
  } catch (error) {
    const { code, message, debugMessages } = /** @type {import('node-directml').DirectMLError} */ (error);
    return { code, message, debugMessages };
  }
}

const device = await createDevice({ backend: 'directml' });
const beside = await answer(() => createDevice({ backend: 'directml', debug: true }));
const values = Array.from(await device.createTensor(tensor, Float32Array.of(1, 2)).read());
device.dispose();
const { binding, directory } = loadAddon();
const alone = await answer(async () => {
  const debugged = await binding.createDevice({ addonDirectory: directory, debug: true });
  await debugged.compileOperator(broken, 0);
});
console.log(JSON.stringify({ beside, values, alone }));
