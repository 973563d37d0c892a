// Transforms a sound into features for speech recognition (MFCC): cuts it into overlapping frames, and gives for each the
// spectrum, its sums in bands that the ear tells apart, and the cosine transform of their logarithms.
import * as np from 'node-directml/array';

/** @typedef {(row: number, column: number) => number} Value an element of a matrix */

/** @param {import('node-directml').Device} device */
export default async function audioFrames(device) {
  const [rate, length, frameSize, step, bandCount, count] = [8000, 4096, 256, 128, 20, 12];
  const binCount = 1 + frameSize / 2;
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {Value} */ value) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    return device.tensor(values, { sizes: [rows, columns] });
  };
  const sound = matrix(1, length, (_, time) => Math.sin(time / 3) + Math.sin((time / 200) ** 2) + Math.sin(time ** 3) / 5);
  // Band i is a triangle around the i-th of equal steps on the mel scale.
  const mel = (/** @type {number} */ bin) => 1127 * Math.log(1 + (bin * rate) / frameSize / 700);
  const bandOf = (/** @type {number} */ bin) => (mel(bin) / mel(binCount)) * (bandCount + 1) - 1;
  const bands = matrix(bandCount, binCount, (band, bin) => Math.max(0, 1 - Math.abs(bandOf(bin) - band)));
  const cosines = matrix(bandCount, count, (band, i) => Math.cos((Math.PI / bandCount) * (band + 0.5) * i));

  const spectrum = np.fft.stft(sound, { nFft: frameSize, hopLength: step, center: false });
  const mels = np.matmul(bands, np.norm(spectrum, { axis: -1 }));
  const coefficients = await np.matmul(np.matrixTranspose(np.log1p(mels)), cosines);
  return { coefficients: await coefficients.read() };
}
