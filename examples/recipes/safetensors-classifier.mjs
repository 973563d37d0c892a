import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { activationRelu as relu, activationSoftmax1 as softmax, gemm, topK1 as topK } from 'node-directml/operators';

const device = await createDevice();
const tensor = (sizes, data) => device.createTensor({ dataType: 'float32', sizes }, data);
const file = join(await mkdtemp(join(tmpdir(), 'model-')), 'model.safetensors'); // use a file of your own instead
await saveSafetensors(file, {
  'hidden.weight': tensor([3, 2], [1, 0, 0, 1, 1, -1]),
  'hidden.bias': tensor([3], [0, 0, 1]),
  'output.weight': tensor([2, 3], [1, 0, 2, 0, 2, 1]),
  'output.bias': tensor([2], [0, -1]),
});

const weights = await loadSafetensors(device, file);
const linear = (x, name) => gemm(x, weights[`${name}.weight`], { transB: 'transpose', cTensor: weights[`${name}.bias`] });
const classify = device.jit((x) => {
  const probabilities = softmax(linear(relu(linear(x, 'hidden')), 'output'), { axes: [1] });
  return topK(probabilities, { k: 1 });
});

const { outputValueTensor, outputIndexTensor } = await classify(tensor([2, 2], [3, 0, 0, 3]));
console.log(await outputIndexTensor.toArray()); // [ [ 0 ], [ 1 ] ]
const values = await outputValueTensor.read();
console.log(Array.from(values, (value) => value.toFixed(3))); // [ '1.000', '0.993' ]
device.dispose();
