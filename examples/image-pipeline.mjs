// Finds the edges in a photo: halves its size, makes it gray, applies Sobel's filters, and limits the result to 0 to 255.
import * as np from 'node-directml/array';
import { avgPool, conv } from 'node-directml/nn';

/** @param {import('node-directml').Device} device */
export default async function imagePipeline(device) {
  const [height, width] = [48, 64];
  // A decoder gives red, green and blue of each pixel side by side, in 8 bits each.
  const photo = Uint8Array.from({ length: height * width * 3 }, (_, i) => 128 + 127 * Math.sin(i / 30) * Math.cos(i / 4000));
  const pixels = device.tensor(photo, { sizes: [1, height, width, 3] });

  // DirectML wants the color before row and column. A transposed view needs no copy.
  const image = np.astype(np.permuteDims(pixels, [0, 3, 1, 2]), 'float32');
  const gray = conv(avgPool(image, 2), { weight: device.tensor([0.2989, 0.587, 0.114], { sizes: [1, 3, 1, 1] }) });

  // One filter for changes along the row, and one for changes along the column.
  const filters = [-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1];
  const slopes = conv(gray, { weight: device.tensor(filters, { sizes: [2, 1, 3, 3] }) });
  const edges = await np.clip(np.norm(slopes, { axis: 1 }), 0, 255);
  return { edges: await edges.read() };
}
