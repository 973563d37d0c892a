/**
 * `node load.mjs DLL`: computes with the given DirectML.dll. Writes one line of JSON: the path that it was loaded from, and a
 * sum. It needs its own process, because a loaded DLL stays loaded.
 */
import { createDevice } from 'node-directml';

const device = await createDevice({ backend: 'directml', directmlPath: process.argv[2] });
/** @satisfies {import('node-directml').TensorDesc} */
const tensor = { dataType: 'int32', sizes: [1] };
const of = (/** @type {number} */ value) => device.createTensor(tensor, Int32Array.of(value));
const outputTensor = of(0);
const add = await device.compile({ type: 'elementWiseAdd', aTensor: tensor, bTensor: tensor, outputTensor: tensor });
add.dispatch({ aTensor: of(1), bTensor: of(2), outputTensor });
console.log(JSON.stringify({ path: device.info.directmlPath, sum: (await outputTensor.read())[0] }));
device.dispose();
