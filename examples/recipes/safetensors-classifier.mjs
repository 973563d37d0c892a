import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const file = join(await mkdtemp(join(tmpdir(), 'model-')), 'model.safetensors'); // use a file of your own instead
await saveSafetensors(file, {
  'hidden.weight': device.tensor([1, 0, 0, 1, 1, -1], { sizes: [3, 2] }),
  'hidden.bias': device.tensor([0, 0, 1]),
  'output.weight': device.tensor([1, 0, 2, 0, 2, 1], { sizes: [2, 3] }),
  'output.bias': device.tensor([0, -1]),
});

const { hidden, output } = nn.nested(await loadSafetensors(device, file));
const classify = device.jit((x) => np.topK(nn.softmax(nn.linear(nn.relu(nn.linear(x, hidden)), output)), 1));

const { values, indices } = await classify(device.tensor([3, 0, 0, 3], { sizes: [2, 2] }));
console.log(await indices.toArray()); // [ [ 0 ], [ 1 ] ]
console.log(Array.from(await values.read(), (value) => value.toFixed(3))); // [ '1.000', '0.993' ]
device.dispose();
