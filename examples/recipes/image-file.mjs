import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';
import { resample3 as resample } from 'node-directml/operators';
import { PNG } from 'pngjs';

const folder = await mkdtemp(join(tmpdir(), 'images-'));
const photo = new PNG({ width: 4, height: 2 }); // use a file of your own instead
photo.data = Buffer.from(Array.from({ length: 32 }, (_, i) => (i % 4 === 3 ? 255 : 8 * i)));
await writeFile(join(folder, 'photo.png'), PNG.sync.write(photo));

const device = await createDevice();
const halve = device.jit((pixels) => {
  const image = np.astype(np.permuteDims(pixels, [0, 3, 1, 2]), 'float32');
  const sizes = image.sizes.map((size, i) => (i < 2 ? size : Math.ceil(size / 2)));
  const small = resample(image, { outputTensor: { sizes }, interpolationMode: 'linear' });
  return np.permuteDims(np.astype(np.round(small), 'uint8'), [0, 2, 3, 1]);
});

const { width, height, data } = PNG.sync.read(await readFile(join(folder, 'photo.png')));
const result = await halve(device.tensor(new Uint8Array(data), { sizes: [1, height, width, 4] }));
const small = new PNG({ width: result.sizes[2], height: result.sizes[1] });
small.data = Buffer.from(await result.read());
await writeFile(join(folder, 'small.png'), PNG.sync.write(small));
console.log(result.sizes, await result.read()); // [ 1, 1, 2, 4 ] Uint8Array [80, 88, 96, 255, 144, 152, 160, 255]
device.dispose();
