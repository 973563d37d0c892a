/** Random cases of Fourier transforms. */
import type { Draw } from './draw.js';
import { all, numbers } from './draw.js';

type Generator = (draw: Draw) => readonly unknown[];

/** Sequences of numbers, or of pairs, which axes do not count; short ones, because their lengths are the cases. */
const transform =
  (isComplex: boolean, least: number): Generator =>
  (draw) => {
    const sizes = draw.sizes(0, 2);
    const axis = draw.int(0, sizes.length);
    sizes.splice(axis, 0, draw.int(least, 12));
    const pair = isComplex ? [draw.chance(0.04) ? 3 : 2] : [];
    return [
      draw.array(numbers, [...sizes, ...pair]),
      {
        axis: draw.chance(0.04) ? sizes.length : axis - (draw.chance(0.5) ? sizes.length : 0),
        ...(draw.chance(0.3) ? { n: draw.int(1, 14) } : {}),
        ...(draw.chance(0.5) ? { norm: draw.pick(['backward', 'ortho', 'forward']) } : {}),
      },
    ];
  };
const shift: Generator = (draw) => {
  const x = draw.array(all);
  return [x, { axis: draw.chance(0.5) ? draw.axis(x.sizes.length) : draw.axes(x.sizes.length) }];
};
const frequencies: Generator = (draw) => [draw.int(1, 12), draw.chance(0.5) ? {} : { d: draw.int(1, 8) / 4 }];

export const fftGenerators: Readonly<Record<string, Generator>> = {
  'fft.fft': transform(true, 1),
  'fft.ifft': transform(true, 1),
  'fft.rfft': transform(false, 1),
  'fft.irfft': transform(true, 2),
  'fft.fftshift': shift,
  'fft.ifftshift': shift,
  'fft.fftfreq': frequencies,
  'fft.rfftfreq': frequencies,
};
