// examples/image-pipeline.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

export default async function imagePipeline() {
  const [height, width] = [48, 64];
  // A decoder gives red, green and blue of each pixel side by side, in 8 bits each.
  const photo = Uint8Array.from({ length: height * width * 3 }, (_, i) => 128 + 127 * Math.sin(i / 30) * Math.cos(i / 4000));
  const pixels = tf.tensor4d(photo, [1, height, width, 3], 'int32');

  const image = tf.cast(pixels, 'float32');
  const small = tf.image.resizeBilinear(image, [height / 2, width / 2], false, true);
  const gray = tf.image.rgbToGrayscale(small);

  // One filter for changes along the row, and one for changes along the column, side by side.
  const filters = [-1, -1, 0, -2, 1, -1, -2, 0, 0, 0, 2, 0, -1, 1, 0, 2, 1, 1];
  const sobel = tf.tensor4d(filters, [3, 3, 1, 2]);
  const slopes = tf.conv2d(gray, sobel, 1, 'valid');
  const steepness = tf.euclideanNorm(slopes, 3);
  const edges = tf.clipByValue(steepness, 0, 255);
  return { edges: await edges.data() };
}
