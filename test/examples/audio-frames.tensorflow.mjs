// examples/audio-frames.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

/** @typedef {(row: number, column: number) => number} Value an element of a matrix */

export default async function audioFrames() {
  const [rate, length, frameSize, step, bandCount, count] = [8000, 4096, 256, 128, 20, 12];
  const binCount = 1 + frameSize / 2;
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {Value} */ value) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    return tf.tensor2d(values, [rows, columns]);
  };
  const sound = matrix(1, length, (_, time) => Math.sin(time / 3) + Math.sin((time / 200) ** 2) + Math.sin(time ** 3) / 5);
  // Band i is a triangle around the i-th of equal steps on the mel scale.
  const mel = (/** @type {number} */ bin) => 1127 * Math.log(1 + (bin * rate) / frameSize / 700);
  const bandOf = (/** @type {number} */ bin) => (mel(bin) / mel(binCount)) * (bandCount + 1) - 1;
  const bands = matrix(binCount, bandCount, (bin, band) => Math.max(0, 1 - Math.abs(bandOf(bin) - band)));
  const cosines = matrix(bandCount, count, (band, i) => Math.cos((Math.PI / bandCount) * (band + 0.5) * i));

  // tf.signal.stft applies a Hann window by default.
  const spectrum = tf.signal.stft(tf.reshape(sound, [length]), frameSize, step);
  const mels = tf.matMul(tf.abs(spectrum), bands);
  const log = tf.log1p(mels);
  const coefficients = tf.matMul(log, cosines);
  return { coefficients: await coefficients.data() };
}
