/**
 * `node load.mjs DLL`: computes on the DirectML.dll that is named. Writes one line of JSON: the path that it was loaded
 * from and a sum. A process of its own, for a DLL once loaded stays.
 */
import { createDevice } from 'node-directml';

const device = await createDevice({ backend: 'directml', directmlPath: process.argv[2] });
const tensor = { dataType: 'int32', sizes: [1] };
const [a, b, output] = [1, 2, 0].map((value) => device.createTensor(tensor, Int32Array.of(value)));
const add = await device.compile({ type: 'elementWiseAdd', aTensor: tensor, bTensor: tensor, outputTensor: tensor });
add.dispatch({ aTensor: a, bTensor: b, outputTensor: output });
console.log(JSON.stringify({ path: device.info.directmlPath, sum: (await output.read())[0] }));
device.dispose();
