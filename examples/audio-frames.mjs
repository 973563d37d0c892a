// Transforms a sound into features for speech recognition (MFCC): cuts it into overlapping frames, and computes for each frame
// the spectrum, its sums in bands that the ear can distinguish, and the cosine transform of their logarithms.

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
  // Band i is a triangle around the i-th of equally spaced points on the mel scale.
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

  // A frame begins `step` samples after the previous frame. The view copies no sample.
  const frames = sound.view({ sizes: [frameCount, frameSize], strides: [step, 1] });
  const { outputTensor: spectrum } = await device.run({ type: 'gemm', aTensor: frames, bTensor: fourier });
  const parts = spectrum.reshape([frameCount, binCount, 2]);
  const { outputTensor: sizes } = await device.run({ type: 'reduce', function: 'l2', inputTensor: parts, axes: [2] });
  const magnitude = sizes.reshape([frameCount, binCount]);
  const { outputTensor: mels } = await device.run({ type: 'gemm', aTensor: magnitude, bTensor: bands });
  const { outputTensor: log } = await device.run({ type: 'elementWiseLog', inputTensor: mels, scaleBias: { scale: 1, bias: 1 } });
  const { outputTensor: coefficients } = await device.run({ type: 'gemm', aTensor: log, bTensor: cosines });
  return { coefficients: await coefficients.read() };
}
