import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { linear } from 'node-directml/nn';
import { dequantize, quantize } from 'node-directml/operators';

const [rows, width, block] = [2, 64, 32]; // a block shares a scale
const device = await createDevice();
const weight = await np.sin(np.reshape(np.arange(device, rows * width), [rows, width]));

// Quantize once, and save. The largest number of a block becomes 7 or -7.
const blocks = np.reshape(weight, [rows, width / block, block]);
const scale = await np.divide(np.norm(blocks, { axis: 2, ord: Infinity }), 7);
const levels = await quantize(weight, [scale], { outputTensor: { dataType: 'int4' } });
const file = join(await mkdtemp(join(tmpdir(), 'model-')), 'model.safetensors');
await saveSafetensors(file, { levels, scale });

const saved = await loadSafetensors(device, file, { dataType: { levels: 'int4' } });
const layer = device.jit((x, { levels, scale }) => linear(x, { weight: dequantize(levels, [scale]) }));
const x = await np.slice(weight, [0, 1]);
console.log(saved.levels.dataType, saved.levels.totalTensorSizeInBytes); // int4 64
console.log((await (await layer(x, saved)).read())[0].toFixed(1)); // 31.7
console.log((await (await linear(x, { weight })).read())[0].toFixed(1)); // 31.5
device.dispose();
