import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import { astype } from 'node-directml/array';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { linear } from 'node-directml/nn';

const device = await createDevice();
const file = join(await mkdtemp(join(tmpdir(), 'model-')), 'model.safetensors'); // use a file of your own instead
await saveSafetensors(file, { weight: device.tensor([1, 2, 3, 0.1, 0, 0], { sizes: [2, 3] }) });

const { weight } = await loadSafetensors(device, file, { dataType: 'float16' }); // rounds to nearest
const layer = device.jit((x) => astype(linear(astype(x, 'float16'), { weight }), 'float32'));

const y = await layer(device.tensor([[1, 1, 1]]));
console.log(await y.toArray()); // [ [ 6, 0.0999755859375 ] ]
console.log(weight.dataType, weight.totalTensorSizeInBytes); // float16 12
device.dispose();
