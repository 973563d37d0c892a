import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { dequantize, gemm, quantize } from 'node-directml/operators';

const [rows, width, block] = [2, 64, 32]; // a block shares a scale
const device = await createDevice();
const numbers = Float32Array.from({ length: rows * width }, (_, i) => Math.sin(i));
const weight = device.createTensor({ dataType: 'float32', sizes: [rows, width] }, numbers);

// Quantize once, and save. The largest number of a block becomes 7 or -7.
const largest = (i) => Math.max(...numbers.subarray(i * block, (i + 1) * block).map(Math.abs));
const scales = Float32Array.from({ length: numbers.length / block }, (_, i) => largest(i) / 7);
const scale = device.createTensor({ dataType: 'float32', sizes: [rows, width / block] }, scales);
const levels = await quantize(weight, [scale], { outputTensor: { dataType: 'int4' } });
const file = join(await mkdtemp(join(tmpdir(), 'model-')), 'model.safetensors');
await saveSafetensors(file, { levels, scale });

const saved = await loadSafetensors(device, file, { dataType: { levels: 'int4' } });
const layer = device.jit((x, { levels, scale }) => gemm(x, dequantize(levels, [scale]), { transB: 'transpose' }));
const x = device.createTensor({ dataType: 'float32', sizes: [1, width] }, numbers.subarray(0, width));
console.log(saved.levels.dataType, saved.levels.totalTensorSizeInBytes); // int4 64
console.log((await (await layer(x, saved)).read())[0].toFixed(1)); // 31.7
console.log((await (await gemm(x, weight, { transB: 'transpose' })).read())[0].toFixed(1)); // 31.5
device.dispose();
