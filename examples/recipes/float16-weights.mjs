import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { cast, gemm } from 'node-directml/operators';

const device = await createDevice();
const file = join(await mkdtemp(join(tmpdir(), 'model-')), 'model.safetensors'); // use a file of your own instead
await saveSafetensors(file, { weight: device.tensor([1, 2, 3, 0.1, 0, 0], { sizes: [2, 3] }) });

const { weight } = await loadSafetensors(device, file, { dataType: 'float16' }); // rounds to nearest
const layer = device.jit((x) => {
  const y = gemm(cast(x, { outputTensor: { dataType: 'float16' } }), weight, { transB: 'transpose' });
  return cast(y, { outputTensor: { dataType: 'float32' } });
});

const x = device.tensor([[1, 1, 1]]);
const y = await layer(x);
console.log(await y.toArray()); // [ [ 6, 0.0999755859375 ] ]
console.log(weight.dataType, weight.totalTensorSizeInBytes); // float16 12
device.dispose();
