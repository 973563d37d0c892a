// Finds the edges in a photo: halves its size, makes it gray, applies Sobel's filters, and limits the result to 0 to 255.
import { cast, convolution, elementWiseClip1 as clip, reduce, resample3 as resample } from 'node-directml/operators';

/** @param {import('node-directml').Device} device */
export default async function imagePipeline(device) {
  const [height, width] = [48, 64];
  // A decoder gives red, green and blue of each pixel side by side, in 8 bits each.
  const photo = Uint8Array.from({ length: height * width * 3 }, (_, i) => 128 + 127 * Math.sin(i / 30) * Math.cos(i / 4000));
  const pixels = device.createTensor({ dataType: 'uint8', sizes: [1, height, width, 3] }, photo);

  // DirectML wants the color before row and column. A transposed view needs no copy.
  const image = cast(pixels.transpose([0, 3, 1, 2]), { outputTensor: { dataType: 'float32' } });
  const small = resample(image, { outputTensor: { sizes: [1, 3, height / 2, width / 2] }, interpolationMode: 'linear' });
  const luminance = device.tensor([0.2989, 0.587, 0.114], { sizes: [1, 3, 1, 1] });
  const gray = convolution(small, luminance);

  // One filter for changes along the row, and one for changes along the column.
  const filters = [-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1];
  const sobel = device.createTensor({ dataType: 'float32', sizes: [2, 1, 3, 3] }, filters);
  const slopes = convolution(gray, sobel);
  const steepness = reduce(slopes, { function: 'l2', axes: [1] });
  const edges = await clip(steepness, { min: 0, max: 255 });
  return { edges: await edges.read() };
}
