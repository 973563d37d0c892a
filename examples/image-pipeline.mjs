// Finds the edges in a photo: halves its size, makes it gray, applies Sobel's filters, and limits the result to 0 to 255.

/** @param {import('node-directml').Device} device */
export default async function imagePipeline(device) {
  const [height, width] = [48, 64];
  // A decoder gives red, green and blue of each pixel side by side, in 8 bits each.
  const photo = Uint8Array.from({ length: height * width * 3 }, (_, i) => 128 + 127 * Math.sin(i / 30) * Math.cos(i / 4000));
  const pixels = device.createTensor({ dataType: 'uint8', sizes: [1, height, width, 3] }, photo);

  // DirectML expects the color dimension before row and column. A transposed view needs no copy.
  const planes = pixels.transpose([0, 3, 1, 2]);
  const { outputTensor: image } = await device.run({ type: 'cast', inputTensor: planes, outputTensor: { dataType: 'float32' } });
  const { outputTensor: small } = await device.run({
    type: 'resample1',
    inputTensor: image,
    outputTensor: { sizes: [1, 3, height / 2, width / 2] },
    interpolationMode: 'linear',
  });
  const luminance = device.createTensor({ dataType: 'float32', sizes: [1, 3, 1, 1] }, [0.2989, 0.587, 0.114]);
  const { outputTensor: gray } = await device.run({ type: 'convolution', inputTensor: small, filterTensor: luminance });

  // One filter for changes along the row, and one for changes along the column.
  const filters = [-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1];
  const sobel = device.createTensor({ dataType: 'float32', sizes: [2, 1, 3, 3] }, filters);
  const { outputTensor: slopes } = await device.run({ type: 'convolution', inputTensor: gray, filterTensor: sobel });
  const { outputTensor: steepness } = await device.run({ type: 'reduce', function: 'l2', inputTensor: slopes, axes: [1] });
  const { outputTensor: edges } = await device.run({ type: 'elementWiseClip', inputTensor: steepness, min: 0, max: 255 });
  return { edges: await edges.read() };
}
