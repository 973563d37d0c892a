import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const mean = device.tensor([0.485, 0.456, 0.406]); // of ImageNet
const deviation = device.tensor([0.229, 0.224, 0.225]);
const normalize = device.jit((pixels) => {
  const scaled = np.divide(np.subtract(np.divide(pixels, 255), mean), deviation);
  return np.permuteDims(scaled, [0, 3, 1, 2]);
});

const bytes = Uint8Array.from({ length: 2 * 4 * 4 * 3 }, (_, i) => 5 * (i % 51)); // from decoders, in red, green and blue
const images = await normalize(device.tensor(bytes, { sizes: [2, 4, 4, 3] }));
const pixel = await np.slice(images, 0, null, 0, 0);
const values = Array.from(await pixel.read(), (x) => x.toFixed(2));
console.log(images.sizes, values); // [ 2, 3, 4, 4 ] [ '-2.12', '-1.95', '-1.63' ]
device.dispose();
