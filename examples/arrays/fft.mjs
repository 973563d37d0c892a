// Fourier transforms: `np.fft`. The last dimension of complex numbers has their real and imaginary parts; axes do not count it.
import { createDevice } from 'node-directml';
import { fft } from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 0, -1, 0]);
console.log(await (await fft.rfft(x)).toArray()); // [ [ 0, 0 ], [ 2, 0 ], [ 0, 0 ] ]
console.log(await (await fft.irfft(fft.rfft(x))).toArray()); // [ 1, 0, -1, 0 ]
const spectrum = await fft.fft(device.tensor([1, 0, 0, 1], { sizes: [2, 2] }));
console.log(await spectrum.toArray()); // [ [ 1, 1 ], [ 1, -1 ] ]
console.log(await (await fft.ifft(spectrum)).toArray()); // [ [ 1, 0 ], [ 0, 1 ] ]
console.log(await fft.fftfreq(device, 4).toArray()); // [ 0, 0.25, -0.5, -0.25 ]
console.log(await fft.rfftfreq(device, 4).toArray()); // [ 0, 0.25, 0.5 ]
console.log(await (await fft.fftshift(fft.fftfreq(device, 4))).toArray()); // [ -0.5, -0.25, 0, 0.25 ]
console.log(await (await fft.ifftshift(device.tensor([-2, -1, 0, 1]))).toArray()); // [ 0, 1, -2, -1 ]
const wave = device.tensor(Float32Array.from({ length: 64 }, (_, i) => Math.sin(i)));
const pieces = await fft.stft(wave, { nFft: 16 });
console.log(pieces.sizes, (await fft.istft(pieces, { nFft: 16 })).sizes); // [ 9, 17, 2 ] [ 64 ]
console.log(fft.melFilters(device, { sampleRate: 16000, nFft: 400, nMels: 80 }).sizes); // [ 80, 201 ]
device.dispose();
