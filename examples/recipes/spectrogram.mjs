import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const [sampleRate, nFft, nMels] = [8000, 256, 40];
const device = await createDevice();
const filters = np.fft.melFilters(device, { sampleRate, nFft, nMels });
const spectrogram = device.jit((sound) => {
  const spectrum = np.fft.stft(sound, { nFft, hopLength: 128 });
  const power = np.sum(np.square(spectrum), { axis: -1 }); // real and imaginary part
  return np.log10(np.add(np.matmul(filters, power), 1e-10));
});

const whistle = (_, i) => Math.sin(2 * Math.PI * (i / sampleRate) * (500 + (500 * i) / sampleRate)); // 500 to 1500 hertz
const image = await spectrogram(device.tensor(Float32Array.from({ length: sampleRate }, whistle)));
console.log(image.sizes); // [ 40, 63 ]
const loudest = await np.argmax(image, { axis: 0 });
console.log(await (await np.slice(loudest, [1, -1, 15])).toArray()); // [ 8, 12, 16, 20, 23 ]
device.dispose();
