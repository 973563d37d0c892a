// Transforms a sound into features for speech recognition (MFCC): cuts it into overlapping frames, and gives for each the
// spectrum, its sums in bands that the ear tells apart, and the cosine transform of their logarithms.
import { elementWiseLog as log, gemm, reduce } from 'node-directml/operators';

/** @typedef {(row: number, column: number) => number} Value an element of a matrix */

/** @param {import('node-directml').Device} device */
export default async function audioFrames(device) {
  const [rate, length, frameSize, step, bandCount, count] = [8000, 4096, 256, 128, 20, 12];
  const [frameCount, binCount] = [1 + (length - frameSize) / step, 1 + frameSize / 2];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {Value} */ value) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    return device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, values);
  };
  const sound = matrix(1, length, (_, time) => Math.sin(time / 3) + Math.sin((time / 200) ** 2) + Math.sin(time ** 3) / 5);
  // Band i is a triangle around the i-th of equal steps on the mel scale.
  const mel = (/** @type {number} */ bin) => 1127 * Math.log(1 + (bin * rate) / frameSize / 700);
  const bandOf = (/** @type {number} */ bin) => (mel(bin) / mel(binCount)) * (bandCount + 1) - 1;
  const bands = matrix(binCount, bandCount, (bin, band) => Math.max(0, 1 - Math.abs(bandOf(bin) - band)));
  const cosines = matrix(bandCount, count, (band, i) => Math.cos((Math.PI / bandCount) * (band + 0.5) * i));
  // The Fourier transform, with Hann's window: cosine and sine of each frequency side by side.
  const turn = (2 * Math.PI) / frameSize;
  const fourier = matrix(frameSize, 2 * binCount, (time, column) => {
    const wave = column % 2 === 0 ? Math.cos : Math.sin;
    return wave(turn * time * Math.floor(column / 2)) * (0.5 - 0.5 * Math.cos(turn * time));
  });

  // A frame begins `step` elements after the one before. No sample is copied.
  const frames = sound.view({ sizes: [frameCount, frameSize], strides: [step, 1] });
  const spectrum = await gemm(frames, fourier);
  const magnitude = await reduce(spectrum.reshape([frameCount, binCount, 2]), { function: 'l2', axes: [2] });
  const mels = gemm(magnitude.reshape([frameCount, binCount]), bands);
  const coefficients = await gemm(log(mels, { scaleBias: { scale: 1, bias: 1 } }), cosines);
  return { coefficients: await coefficients.read() };
}
