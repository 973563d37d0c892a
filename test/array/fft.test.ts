/** `fft` of `node-directml/array`, against sums in float64. */
import { describe, expect, test } from 'vitest';
import type { Tensor, Value } from 'node-directml';
import * as np from 'node-directml/array';
import { fft } from 'node-directml/array';
import { grad } from 'node-directml/gradients';
import { backends, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';

type Floats = Value<'float32'>;
type Complex = readonly [re: number, im: number];

/** Results of the transform of complex numbers, in float64: those of `at`, by default all. */
function expectedOf(x: readonly Complex[], sign: number, at: readonly number[] = [...x.keys()]): readonly Complex[] {
  return at.map((k) =>
    x.reduce<Complex>(
      ([re, im], [a, b], j) => {
        const angle = (sign * 2 * Math.PI * ((j * k) % x.length)) / x.length;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        return [re + a * cos - b * sin, im + a * sin + b * cos];
      },
      [0, 0],
    ),
  );
}

/** The distance of numbers from others, relative to their size: both as roots of sums of squares. */
function errorOf(found: Iterable<number>, expected: readonly number[]): number {
  const numbers = [...found];
  expect(numbers).toHaveLength(expected.length);
  return Math.hypot(...expected.map((each, i) => each - (numbers[i] ?? NaN))) / Math.hypot(...expected);
}

/** From -1 to 1, without a pattern. */
const noise = (i: number) => Math.sin(i * i + 1);
const signal = (length: number) => Array.from({ length }, (_, i): Complex => [noise(i), noise(i + 7919)]);
/** All short lengths, powers, products of many primes, and large primes. */
const lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17, 27, 32, 60, 64, 97, 128, 131, 243, 509, 1000, 1021, 1024];
const limit = 1e-6;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const tensorOf = (x: readonly Complex[]) => device().tensor(Float32Array.from(x.flat()), { sizes: [x.length, 2] });
  const rounded = (x: readonly Complex[]) => x.map(([re, im]): Complex => [Math.fround(re), Math.fround(im)]);

  test.each(lengths)('length %i: there and back, complex and real', async (length) => {
    const x = rounded(signal(length));
    const spectrum = expectedOf(x, -1);
    const real = x.map(([re]): Complex => [re, 0]);
    const half = expectedOf(real, -1).slice(0, Math.floor(length / 2) + 1);
    const given = tensorOf(x);
    const reals = device().tensor(real.map(([re]) => re));
    const [forwards, backwards, halves, again] = await device().jit((a: Floats, b: Floats) => {
      const transformed = fft.rfft(b);
      return [fft.fft(a), fft.ifft(a), transformed, fft.irfft(transformed, { n: length })] as const;
    })(given, reals);
    expect(errorOf(await forwards.read(), spectrum.flat())).toBeLessThan(limit);
    const inverse = expectedOf(x, 1).map(([re, im]) => [re / length, im / length]);
    expect(errorOf(await backwards.read(), inverse.flat())).toBeLessThan(limit);
    expect(errorOf(await halves.read(), half.flat())).toBeLessThan(limit);
    expect(
      errorOf(
        await again.read(),
        real.map(([re]) => re),
      ),
    ).toBeLessThan(limit);
  });

  test('4,096, 10,007 and 65,536 elements: some results', async () => {
    for (const length of [4096, 10007, 65536]) {
      const x = rounded(signal(length));
      const at = Array.from({ length: 16 }, (_, i) => Math.floor((i * length) / 16) + i);
      const numbers = await (await fft.fft(tensorOf(x))).read();
      const found = at.flatMap((k) => [numbers[2 * k] ?? NaN, numbers[2 * k + 1] ?? NaN]);
      expect(errorOf(found, expectedOf(x, -1, at).flat())).toBeLessThan(limit);
    }
  });

  test('another axis, a length that is cut or filled up, and norms', async () => {
    const x = device().tensor(
      Array.from({ length: 24 }, (_, i) => (i * 7) % 11),
      { sizes: [3, 2, 2, 2] },
    );
    const along = await fft.fft(x, { axis: 0 });
    const moved = np.moveaxis(fft.fft(np.moveaxis(x, 0, 2)), 2, 0);
    expect(await along.toArray()).toEqual(await (await moved).toArray());
    const filled = await fft.fft(x, { n: 5, axis: 0 });
    expect(filled.sizes).toEqual([5, 2, 2, 2]);
    const cut = await fft.rfft(device().tensor([1, 2, 3, 4]), { n: 2, norm: 'forward' });
    expect(await cut.toArray()).toEqual([
      [1.5, 0],
      [-0.5, 0],
    ]);
    const same = await fft.ifft(fft.fft(x, { norm: 'ortho' }), { norm: 'ortho' });
    expect(errorOf(await same.read(), [...(await x.read())])).toBeLessThan(limit);
  });

  test('frequencies, and their shift to the middle', async () => {
    expect(await fft.fftfreq(device(), 4, { d: 0.5 }).toArray()).toEqual([0, 0.5, -1, -0.5]);
    expect(await fft.rfftfreq(device(), 5).toArray()).toEqual([0, Math.fround(0.2), Math.fround(0.4)]);
    const frequencies = fft.fftfreq(device(), 5, { d: 0.2 });
    const shifted = await fft.fftshift(frequencies);
    expect(await shifted.toArray()).toEqual([-2, -1, 0, 1, 2]);
    expect(await (await fft.ifftshift(shifted)).toArray()).toEqual(await frequencies.toArray());
  });

  test('pieces of signals: as sums say, and back', async () => {
    const reals = device().tensor(
      Array.from({ length: 2 * 100 }, (_, i) => noise(i)),
      { sizes: [2, 100] },
    );
    const numbers = [...(await reals.read())].slice(100);
    const ones = device().tensor(new Float32Array(12).fill(1));
    const cases: readonly (readonly [fft.StftOptions, weights: readonly [number, number, number]])[] = [
      [{ nFft: 16 }, [0.5, 0.5, 0]],
      [{ nFft: 20, hopLength: 8 }, [0.5, 0.5, 0]],
      [{ nFft: 15, hopLength: 4, window: 'hamming' }, [0.54, 0.46, 0]],
      // More than 64 pieces overlap.
      [{ nFft: 65, hopLength: 1, window: 'blackman' }, [0.42, 0.5, 0.08]],
      [{ nFft: 12, window: ones }, [1, 0, 0]],
      [{ nFft: 12, window: 'ones' }, [1, 0, 0]],
    ];
    for (const [options, [a, b, c]] of cases) {
      const spectra = await fft.stft(reals, options);
      const { nFft, hopLength: hop = nFft / 4 } = options;
      const half = Math.floor(nFft / 2);
      expect(spectra.sizes).toEqual([2, half + 1, Math.floor((100 + 2 * half - nFft) / hop) + 1, 2]);
      // The first piece that is in no mirror image.
      const at = Math.ceil(half / hop);
      const piece = Array.from({ length: nFft }, (_, i): Complex => {
        const angle = (2 * Math.PI * i) / nFft;
        const weight = a - b * Math.cos(angle) + c * Math.cos(2 * angle);
        return [weight * (numbers[at * hop - half + i] ?? NaN), 0];
      });
      const found = await np.slice(spectra, 1, null, at);
      expect(
        errorOf(
          await found.read(),
          expectedOf(piece, -1)
            .slice(0, half + 1)
            .flat(),
        ),
      ).toBeLessThan(limit);
      const traced = device().jit((x: Floats) => fft.stft(x, options));
      expect(await (await traced(reals)).read()).toEqual(await spectra.read());
      const again = await fft.istft(spectra, { ...options, length: 90 });
      expect(again.sizes).toEqual([2, 90]);
      expect(errorOf(await (await np.slice(again, 1)).read(), numbers.slice(0, 90))).toBeLessThan(limit);
    }
  });

  test('where all windows are 0, the signal is 0', async () => {
    const x = device().tensor([1, 2, 3, 4, 5, 6, 7, 8]);
    const options = { nFft: 4, hopLength: 2, center: false };
    const again = fft.istft(fft.stft(x, options), options);
    expect(errorOf(await (await again).read(), [0, 2, 3, 4, 5, 6, 7, 8])).toBeLessThan(limit);
    const apart = { nFft: 2, hopLength: 4, center: false, window: 'ones' as const };
    expect(errorOf(await (await fft.istft(fft.stft(x, apart), apart)).read(), [1, 2, 0, 0, 5, 6])).toBeLessThan(limit);
  });

  test('mel filters of HTK, as sums by its formula say', async () => {
    const htk = fft.melFilters(device(), { sampleRate: 8000, nFft: 16, nMels: 3, htk: true, norm: null });
    expect(htk.sizes).toEqual([3, 9]);
    const expected = [
      [0, 0.8935, 0.1657, 0, 0, 0, 0, 0, 0],
      [0, 0.1065, 0.8343, 0.6508, 0.1987, 0, 0, 0, 0],
      [0, 0, 0, 0.3492, 0.8013, 0.8426, 0.5617, 0.2809, 0],
    ];
    for (const [i, each] of [...(await htk.read())].entries()) expect(each).toBeCloseTo(expected.flat()[i] ?? NaN, 4);
  });

  /** `librosa.mel_frequencies(40)`, as its documentation shows them: up to 11,025 Hz. */
  const melFrequencies = [
    ...[0, 85.317, 170.635, 255.952, 341.269, 426.586, 511.904, 597.221, 682.538, 767.855, 853.173, 938.49, 1024.856, 1119.114],
    ...[1222.042, 1334.436, 1457.167, 1591.187, 1737.532, 1897.337, 2071.84, 2262.393, 2470.47, 2697.686, 2945.799, 3216.731],
    ...[3512.582, 3835.643, 4188.417, 4573.636, 4994.285, 5453.621, 5955.205, 6502.92, 7101.009, 7754.107, 8467.272, 9246.028],
    ...[10096.408, 11025],
  ];

  test.each<[string, fft.MelOptions, edges: readonly number[]]>([
    ['from 0 to half the sample rate', { sampleRate: 22050, nFft: 512, nMels: 38, norm: null }, melFrequencies],
    ['divided by their widths', { sampleRate: 22050, nFft: 512, nMels: 38 }, melFrequencies],
    [
      'between two frequencies, below and above 1000 Hz',
      { sampleRate: 22050, nFft: 301, nMels: 14, fMin: 426.586, fMax: 2071.84, norm: 'slaney' },
      melFrequencies.slice(5, 21),
    ],
    [
      'above 1000 Hz only',
      { sampleRate: 16000, nFft: 400, nMels: 10, fMin: 1222.042, fMax: 3216.731, norm: null, htk: false },
      melFrequencies.slice(14, 26),
    ],
  ])('mel filters of librosa: %s', async (_, options, edges) => {
    const { sampleRate, nFft, norm } = options;
    const filters = fft.melFilters(device(), options);
    const bins = Math.floor(nFft / 2) + 1;
    expect(filters.sizes).toEqual([edges.length - 2, bins]);
    const expected = edges.slice(2).flatMap((stop, i) => {
      const [start = NaN, middle = NaN] = edges.slice(i);
      return Array.from({ length: bins }, (_bin, bin) => {
        const hertz = (bin * sampleRate) / nFft;
        const height = hertz < middle ? (hertz - start) / (middle - start) : (stop - hertz) / (stop - middle);
        return Math.max(0, height) * (norm === null ? 1 : 2 / (stop - start));
      });
    });
    expect(errorOf(await filters.read(), expected)).toBeLessThan(1e-4);
  });

  test('128 mel filters by default', () => {
    expect(fft.melFilters(device(), { sampleRate: 22050, nFft: 2048 }).sizes).toEqual([128, 1025]);
  });

  test('gradients pass', async () => {
    const x = device().tensor([1, -2, 3, 0.5, -1, 2]);
    // The sum of the squares of the spectrum is 6 times that of the signal, so the gradient is 12 times the signal.
    const energy = (value: Floats) => {
      const whole = fft.fft(np.stack([value, np.multiply(value, 0)], { axis: 1 }));
      return np.sum(np.square(whole));
    };
    const found = await (await grad(energy)(x)).read();
    expect(errorOf(found, [12, -24, 36, 6, -12, 24])).toBeLessThan(limit);
    const same = (value: Floats) => np.sum(np.square(fft.istft(fft.stft(value, { nFft: 4 }), { nFft: 4 })));
    expect(errorOf(await (await grad(same)(x)).read(), [2, -4, 6, 1, -2, 4])).toBeLessThan(limit);
  });

  test.each<[string, (x: Tensor<'float32'>) => Promise<unknown>]>([
    [
      'fft: x.sizes: expected a last size of 2, for real and imaginary parts, given [2, 3] (rfft takes real numbers)',
      (x) => fft.fft(x),
    ],
    ['rfft: axis: expected -2 to 1, given 2', (x) => fft.rfft(x, { axis: 2 })],
    ["rfft: norm: expected 'backward', 'ortho' or 'forward', given 'none'", (x) => fft.rfft(x, { norm: 'none' as 'ortho' })],
    ['fftshift: axis: expected a dimension, or several, given nothing', (x) => fft.fftshift(x)],
    ['stft: x.sizes: expected a last size of at least 5, given [2, 3]', (x) => fft.stft(x, { nFft: 8 })],
    [
      "stft: window: expected a tensor, or one of hann, hamming, blackman, ones, given 'kaiser'",
      (x) => fft.stft(x, { nFft: 4, window: 'kaiser' as 'hann' }),
    ],
    ['stft: window.sizes: expected [4], given [2, 3]', (x) => fft.stft(x, { nFft: 4, window: x })],
    [
      'istft: x.sizes: expected [..., 5 frequencies, pieces, 2], given [3, 1, 2]',
      (x) => fft.istft(np.reshape(x, [3, 1, 2]), { nFft: 8 }),
    ],
    [
      'istft: x.sizes: expected [..., 3 frequencies, pieces, 2], given [3, 2]',
      (x) => fft.istft(np.reshape(x, [3, 2]), { nFft: 4 }),
    ],
  ])('%s', async (message, run) => {
    expect((await rejected(run(device().tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] })))).message).toBe(message);
  });
});
