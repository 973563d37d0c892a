/** What functions of arrays refuse: the error names the function, the argument, what is expected and what is given. */
import { describe, expect, test } from 'vitest';
import type { Tensor } from 'node-directml';
import * as arrays from 'node-directml/array';
import { deviceOn, ownBackend } from '../support/devices.js';
import { givenOn, refusalOf, type Given, type Loose } from '../support/refusals.js';

const np = arrays as unknown as Loose<typeof arrays>;

interface ArrayGiven extends Given {
  /** [2, 2] */
  readonly square: PromiseLike<unknown>;
}

type Row = [string, (given: ArrayGiven) => PromiseLike<unknown>];
const mel = { sampleRate: 8000, nFft: 16 };

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each<Row>([
    ['ERR_OUT_OF_RANGE sum: axis: expected -2 to 1, given 2', ({ x }) => np.sum(x, { axis: 2 })],
    ['ERR_INVALID_ARGUMENT mean: axis: expected each axis once, given [0, 0]', ({ x }) => np.mean(x, { axis: [0, -2] })],
    [
      "ERR_INVALID_ARGUMENT sum: options.axes: expected one of axis, keepDims, given 'axes' (did you mean 'axis'?)",
      ({ x }) => np.sum(x, { axes: 1 }),
    ],
    ['ERR_SIZES matmul: y.sizes: expected 3 rows, as many as [2, 3] has columns, given [2, 3]', ({ x }) => np.matmul(x, x)],
    [
      'ERR_SIZES reshape: sizes: expected sizes of 6 elements, as [2, 3] has, given an array of 2 numbers',
      ({ x }) => np.reshape(x, [4, -1]),
    ],
    [
      'ERR_SIZES slice: parts[0]: expected at least one element, given none (DirectML has no empty tensors)',
      ({ x }) => np.slice(x, [1, 1]),
    ],
    ['ERR_OUT_OF_RANGE slice: parts[1]: expected -3 to 2, given 3', ({ x }) => np.slice(x, 0, 3)],
    ["ERR_INVALID_ARGUMENT add: x: expected a tensor or a number, given '1'", ({ x }) => np.add('1', x)],
    ['ERR_SIZES squeeze: axis: expected a dimension of size 1, given size 3', ({ x }) => np.squeeze(x, { axis: 1 })],
    [
      'ERR_SIZES broadcastTo: sizes: expected sizes to which [2, 3] can be repeated, given [3, 2]',
      ({ x }) => np.broadcastTo(x, [3, 2]),
    ],
    [
      'ERR_INVALID_ARGUMENT cumulativeSum: axis: expected a whole number, as the array has 2 dimensions, given nothing',
      ({ x }) => np.cumulativeSum(x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected letters, '...', commas, and one arrow, given 'i?->i'",
      ({ x }) => np.einsum('i?->i', x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected letters, '...', commas, and one arrow, given 'ij->i?'",
      ({ x }) => np.einsum('ij->i?', x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected letters, '...', commas, and one arrow, given 'ij->i->i'",
      ({ x }) => np.einsum('ij->i->i', x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected letters of the arrays behind the arrow, each once, given 'ij->ii'",
      ({ x }) => np.einsum('ij->ii', x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected letters of the arrays behind the arrow, each once, given 'ij->k'",
      ({ x }) => np.einsum('ij->k', x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected '...' behind the arrow, too, given 'i...->i'",
      ({ x }) => np.einsum('i...->i', x),
    ],
    [
      "ERR_INVALID_ARGUMENT einsum: subscripts: expected 2 parts, as many as arrays, given 'ij'",
      ({ x }) => np.einsum('ij', x, x),
    ],
    ["ERR_DIMENSION_COUNT einsum: arrays[0]: expected 3 dimensions, as 'ijk' has, given 2", ({ x }) => np.einsum('ijk->i', x)],
    [
      "ERR_DIMENSION_COUNT einsum: arrays[0]: expected at least 3 dimensions, as 'ijk...' has, given 2",
      ({ x }) => np.einsum('ijk...->i...', x),
    ],
    [
      'ERR_SIZES tensordot: y.sizes: expected 3 elements along dimension 0, given [2, 3]',
      ({ x }) => np.tensordot(x, x, { axes: 1 }),
    ],
    ['ERR_OUT_OF_RANGE tensordot: axes: expected 0 to 2, given 3', ({ x }) => np.tensordot(x, x, { axes: 3 })],
    [
      'ERR_SIZES pad: widths[1]: expected at most 2, as [2, 3] has, given [0, 3]',
      ({ x }) => np.pad(x, [0, [0, 3]], { mode: 'reflect' }),
    ],
    ['ERR_SIZES pad: widths[0]: expected at most 2, as [2, 3] has, given [3, 3]', ({ x }) => np.pad(x, 3, { mode: 'symmetric' })],
    ['ERR_OUT_OF_RANGE topK: k: expected 1 to 3, given 4', ({ x }) => np.topK(x, 4)],
    [
      'ERR_SIZES cross: y.sizes: expected sizes that broadcast with [2, 3], given [3, 2]',
      ({ x }) => np.cross(x, np.matrixTranspose(x)),
    ],
    [
      'ERR_SIZES add: y.sizes: expected sizes that broadcast with [2, 3] of x, given [3, 2] (from the last one on, sizes must be equal or 1: 2 is not 3)',
      ({ x }) => np.add(x, np.matrixTranspose(x)),
    ],
    [
      "ERR_DATA_TYPE pow: x.dataType: expected one of float32, float16, int32, int16, int8, uint32, uint16, uint8, given 'int64'",
      ({ x }) => np.pow(np.astype(x, 'int64'), 2),
    ],
    ['ERR_INVALID_ARGUMENT zeros: sizes: expected whole numbers from 1 on, given 0', ({ d }) => np.zeros(d, 0)],
    ['ERR_INVALID_ARGUMENT arange: stop: expected a whole number, as int32 has, given 2.5', ({ d }) => np.arange(d, 2.5)],
    [
      'ERR_INVALID_ARGUMENT arange: step: expected a number, given NaN',
      ({ d }) => np.arange(d, 0, 2, { step: NaN, dataType: 'float32' }),
    ],
    ['ERR_INVALID_ARGUMENT sum: x: expected a tensor, given 1', () => np.sum(1)],
    ['ERR_INVALID_ARGUMENT broadcastArrays: arrays: expected an array of tensors, given nothing', () => np.broadcastArrays()],
    [
      'ERR_SIZES broadcastArrays: arrays[1].sizes: expected sizes that broadcast with [2, 3], given [3, 2]',
      ({ x }) => np.broadcastArrays(x, np.matrixTranspose(x)),
    ],
    ['ERR_SIZES roll: shift: expected 2 numbers, as many as axes, given 3', ({ x }) => np.roll(x, [1, 2, 3], { axis: [0, 1] })],
    ['ERR_SIZES repeat: counts: expected 2 numbers, given [1, 2, 3]', ({ x }) => np.repeat(x, [1, 2, 3], { axis: 0 })],
    [
      'ERR_SIZES repeat: counts: expected at least one element, given none (DirectML has no empty tensors)',
      ({ x }) => np.repeat(x, [0, 0], { axis: 0 }),
    ],
    [
      'ERR_INVALID_ARGUMENT repeat: counts[1]: expected a whole number from 0 on, given -1',
      ({ x }) => np.repeat(x, [1, -1], { axis: 0 }),
    ],
    [
      "ERR_INVALID_ARGUMENT pad: options.mode: expected one of constant, edge, reflect, symmetric, given 'mirror'",
      ({ x }) => np.pad(x, 1, { mode: 'mirror' }),
    ],
    [
      'ERR_INVALID_ARGUMENT pad: options.mode: expected one of constant, edge, reflect, symmetric, given 1',
      ({ x }) => np.pad(x, 1, { mode: 1 }),
    ],
    ['ERR_SIZES pad: widths: expected 2 numbers or pairs, given an array of 3 numbers', ({ x }) => np.pad(x, [1, 2, 3])],
    [
      'ERR_INVALID_ARGUMENT pad: widths[0]: expected a number, or one for before and one for after, given an array of 3 numbers',
      ({ x }) => np.pad(x, [[1, 2, 3], 0]),
    ],
    ['ERR_INVALID_ARGUMENT pad: widths[0]: expected a whole number from 0 on, given -1', ({ x }) => np.pad(x, -1)],
    ['ERR_INVALID_ARGUMENT sum: axis: expected a whole number, given 1.5', ({ x }) => np.sum(x, { axis: 1.5 })],
    ["ERR_INVALID_ARGUMENT sum: axis: expected a whole number, given '0'", ({ x }) => np.sum(x, { axis: '0' })],
    ['ERR_OUT_OF_RANGE sum: axis: expected -2 to 1, given -3', ({ x }) => np.sum(x, { axis: -3 })],
    ['ERR_INVALID_ARGUMENT mean: axis: expected each axis once, given [1, 1]', ({ x }) => np.mean(x, { axis: [1, 1] })],
    [
      "ERR_INVALID_ARGUMENT zeros: options.dataType: expected a data type, given 'float'",
      ({ d }) => np.zeros(d, [2], { dataType: 'float' }),
    ],
    ['ERR_INVALID_ARGUMENT zeros: device: expected a device or a graph, given an object', () => np.zeros({}, [2])],
    ['ERR_INVALID_ARGUMENT arange: step: expected a number other than 0, given 0', ({ d }) => np.arange(d, 0, 2, { step: 0 })],
    [
      'ERR_SIZES arange: stop: expected at least one number, given 0 (DirectML has no empty tensors)',
      ({ d }) => np.arange(d, 2, 0),
    ],
    [
      'ERR_INVALID_ARGUMENT arange: stop: expected a whole number, as int32 has, given Infinity',
      ({ d }) => np.arange(d, 0, Infinity),
    ],
    ["ERR_INVALID_ARGUMENT arange: stop: expected a whole number, as int32 has, given '2'", ({ d }) => np.arange(d, '2')],
    [
      'ERR_INVALID_ARGUMENT arange: stop: expected a whole number, as int32 has, given 2.5',
      ({ d }) => np.arange(d, 1, 2.5, { dataType: 'int32' }),
    ],
    ['ERR_INVALID_ARGUMENT linspace: count: expected a whole number from 1 on, given 0', ({ d }) => np.linspace(d, 0, 1, 0)],
    ['ERR_INVALID_ARGUMENT eye: rows: expected a whole number from 1 on, given 0', ({ d }) => np.eye(d, 0)],
    ['ERR_INVALID_ARGUMENT eye: rows: expected a whole number from 1 on, given 2.5', ({ d }) => np.eye(d, 2.5)],
    ['ERR_DIMENSION_COUNT tril: x: expected 2 or more dimensions, given 1', ({ v }) => np.tril(v)],
    ['ERR_INVALID_ARGUMENT meshgrid: arrays: expected an array of tensors, given an empty array', () => np.meshgrid([])],
    ['ERR_INVALID_ARGUMENT meshgrid: arrays: expected an array of tensors, given a tensor', ({ v }) => np.meshgrid(v)],
    [
      "ERR_INVALID_ARGUMENT meshgrid: options.indexing: expected 'xy' or 'ij', given 'yx'",
      ({ v }) => np.meshgrid([v, v], { indexing: 'yx' }),
    ],
    ['ERR_DIMENSION_COUNT meshgrid: arrays[0]: expected one dimension, given 2', ({ x }) => np.meshgrid([x])],
    [
      'ERR_SIZES diff: n: expected less than the 3 elements, given 3 (DirectML has no empty tensors)',
      ({ x }) => np.diff(x, { n: 3 }),
    ],
    [
      'ERR_SIZES diff: n: expected less than the 2 elements, given 2 (DirectML has no empty tensors)',
      ({ x }) => np.diff(x, { n: 2, axis: 0 }),
    ],
    ["ERR_INVALID_ARGUMENT einsum: arrays: expected an array of tensors, given 'i'", () => np.einsum('i')],
    ["ERR_INVALID_ARGUMENT einsum: subscripts: expected a text such as 'ij,jk->ik', given 1", ({ x }) => np.einsum(1, x)],
    [
      'ERR_SIZES fft: x.sizes: expected a last size of 2, for real and imaginary parts, given [2, 3] (rfft takes real numbers)',
      ({ x }) => np.fft.fft(x, { norm: 'both' }),
    ],
    [
      'ERR_SIZES ifft: x.sizes: expected a last size of 2, for real and imaginary parts, given [3] (rfft takes real numbers)',
      ({ v }) => np.fft.ifft(v),
    ],
    [
      'ERR_SIZES ifft: x.sizes: expected a last size of 2, for real and imaginary parts, given [2, 3, 3] (rfft takes real numbers)',
      ({ d }) => np.fft.ifft(np.zeros(d, [2, 3, 3])),
    ],
    ['ERR_INVALID_ARGUMENT fftfreq: device: expected a device, given an object', () => np.fft.fftfreq({}, 4)],
    ['ERR_INVALID_ARGUMENT fftfreq: d: expected a number other than 0, given 0', ({ d }) => np.fft.fftfreq(d, 4, { d: 0 })],
    ["ERR_INVALID_ARGUMENT fftfreq: d: expected a number other than 0, given '1'", ({ d }) => np.fft.fftfreq(d, 4, { d: '1' })],
    ['ERR_INVALID_ARGUMENT fftshift: axis: expected a dimension, or several, given nothing', ({ x }) => np.fft.fftshift(x)],
    ['ERR_INVALID_ARGUMENT fftshift: axis: expected a dimension, or several, given nothing', ({ x }) => np.fft.fftshift(x, {})],
    [
      'ERR_SIZES fft: x.sizes: expected a last size of 2, for real and imaginary parts, given [3] (rfft takes real numbers)',
      ({ v }) => np.fft.fft(v, { n: 0 }),
    ],
    [
      'ERR_SIZES fft: x.sizes: expected a last size of 2, for real and imaginary parts, given [2] (rfft takes real numbers)',
      ({ n }) => np.fft.fft(n),
    ],
    [
      'ERR_SIZES irfft: x.sizes: expected a last size of 2, for real and imaginary parts, given [2] (rfft takes real numbers)',
      ({ n }) => np.fft.irfft(n),
    ],
    [
      'ERR_SIZES istft: x.sizes: expected a last size of 2, for real and imaginary parts, given [2] (rfft takes real numbers)',
      ({ n }) => np.fft.istft(n, { nFft: 1 }),
    ],
    ['ERR_INVALID_ARGUMENT melFilters: device: expected a device, given an object', () => np.fft.melFilters({}, mel)],
    [
      'ERR_INVALID_ARGUMENT melFilters: nFft: expected a whole number from 1 on, given nothing',
      ({ d }) => np.fft.melFilters(d, { sampleRate: 8000 }),
    ],
    [
      'ERR_INVALID_ARGUMENT melFilters: sampleRate: expected a number from 0 on, given nothing',
      ({ d }) => np.fft.melFilters(d, { nFft: 16 }),
    ],
    ...[-1, Infinity, "'8000'"].map((given): Row => [
      `ERR_INVALID_ARGUMENT melFilters: sampleRate: expected a number from 0 on, given ${given}`,
      ({ d }) => np.fft.melFilters(d, { ...mel, sampleRate: typeof given === 'string' ? '8000' : given }),
    ]),
    [
      'ERR_INVALID_ARGUMENT melFilters: fMin: expected a number from 0 on, given -1',
      ({ d }) => np.fft.melFilters(d, { ...mel, fMin: -1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT melFilters: fMax: expected a number from 0 on, given NaN',
      ({ d }) => np.fft.melFilters(d, { ...mel, fMax: NaN }),
    ],
    [
      'ERR_INVALID_ARGUMENT melFilters: fMax: expected a number above 3000, which fMin is, given 3000',
      ({ d }) => np.fft.melFilters(d, { ...mel, fMin: 3000, fMax: 3000 }),
    ],
    [
      'ERR_INVALID_ARGUMENT melFilters: fMax: expected a number above 4500, which fMin is, given 4000',
      ({ d }) => np.fft.melFilters(d, { ...mel, fMin: 4500 }),
    ],
    [
      'ERR_INVALID_ARGUMENT melFilters: nMels: expected a whole number from 1 on, given 0',
      ({ d }) => np.fft.melFilters(d, { ...mel, nMels: 0 }),
    ],
    [
      "ERR_INVALID_ARGUMENT melFilters: norm: expected 'slaney' or null, given 'other'",
      ({ d }) => np.fft.melFilters(d, { ...mel, norm: 'other' }),
    ],
    [
      'ERR_INVALID_ARGUMENT melFilters: options.htk: expected true or false, given 1',
      ({ d }) => np.fft.melFilters(d, { ...mel, htk: 1 }),
    ],
    [
      "ERR_INVALID_ARGUMENT melFilters: options.mels: expected one of sampleRate, nFft, nMels, fMin, fMax, htk, norm, given 'mels' (did you mean 'nMels'?)",
      ({ d }) => np.fft.melFilters(d, { ...mel, mels: 1 }),
    ],
    ['ERR_INVALID_ARGUMENT stft: nFft: expected a whole number from 1 on, given nothing', ({ v }) => np.fft.stft(v)],
    [
      'ERR_INVALID_ARGUMENT stft: hopLength: expected a whole number from 1 on, given 0',
      ({ v }) => np.fft.stft(v, { nFft: 4, hopLength: 0 }),
    ],
    [
      'ERR_INVALID_ARGUMENT stft: options.center: expected true or false, given 1',
      ({ v }) => np.fft.stft(v, { nFft: 4, center: 1 }),
    ],
    [
      "ERR_INVALID_ARGUMENT stft: options.length: expected one of nFft, hopLength, window, center, given 'length' (did you mean 'hopLength'?)",
      ({ v }) => np.fft.stft(v, { nFft: 4, length: 2 }),
    ],
    [
      'ERR_SIZES stft: x.sizes: expected a last size of at least 4, given [3]',
      ({ v }) => np.fft.stft(v, { nFft: 4, center: false }),
    ],
    ['ERR_SIZES stft: window.sizes: expected [4], given [2]', ({ v, n }) => np.fft.stft(v, { nFft: 4, window: n })],
    ['ERR_SIZES stft: window.sizes: expected [2], given [2, 2]', ({ v, square }) => np.fft.stft(v, { nFft: 2, window: square })],
    [
      "ERR_INVALID_ARGUMENT stft: window: expected a tensor, or one of hann, hamming, blackman, ones, given 'toString'",
      ({ v }) => np.fft.stft(v, { nFft: 2, window: 'toString' }),
    ],
    [
      'ERR_INVALID_ARGUMENT istft: length: expected a whole number from 1 on, given 0',
      ({ d }) => np.fft.istft(np.zeros(d, [3, 1, 2]), { nFft: 4, length: 0 }),
    ],
    ['ERR_INVALID_ARGUMENT fftfreq: device: expected a device, given an object', () => np.fft.fftfreq({}, 4)],
    ['ERR_INVALID_ARGUMENT fftfreq: n: expected a whole number from 1 on, given 0', ({ d }) => np.fft.fftfreq(d, 0)],
    ['ERR_INVALID_ARGUMENT rfftfreq: d: expected a number other than 0, given 0', ({ d }) => np.fft.rfftfreq(d, 4, { d: 0 })],
    ["ERR_INVALID_ARGUMENT fftfreq: d: expected a number other than 0, given 'a'", ({ d }) => np.fft.fftfreq(d, 4, { d: 'a' })],
    ['ERR_DATA_TYPE take: indices: expected integers, given float32', ({ x, v }) => np.take(x, v, { axis: 0 })],
    [
      'ERR_SIZES takeAlongAxis: indices.sizes: expected sizes that but for the axis broadcast with [2, 3], given [2]',
      ({ x, n }) => np.takeAlongAxis(x, n, { axis: 0 }),
    ],
    [
      'ERR_SIZES takeAlongAxis: indices.sizes: expected sizes that but for the axis broadcast with [2, 3], given [3, 1]',
      ({ d, x }) => np.takeAlongAxis(x, d.tensor([[0], [0], [0]], { dataType: 'int32' }), { axis: 1 }),
    ],
    [
      "ERR_INVALID_ARGUMENT oneHot: options.dataType: expected a data type, given 'bool'",
      ({ n }) => np.oneHot(n, 3, { dataType: 'bool' }),
    ],
    ['ERR_OUT_OF_RANGE oneHot: axis: expected -2 to 1, given 3', ({ n }) => np.oneHot(n, 3, { axis: 3 })],
    ['ERR_INVALID_ARGUMENT oneHot: count: expected a whole number from 1 on, given 0', ({ n }) => np.oneHot(n, 0)],
    [
      "ERR_INVALID_ARGUMENT searchSorted: options.side: expected 'left' or 'right', given 'middle'",
      ({ v }) => np.searchSorted(v, v, { side: 'middle' }),
    ],
    ['ERR_DIMENSION_COUNT searchSorted: x: expected one dimension, given 2', ({ x, v }) => np.searchSorted(x, v)],
    ['ERR_INVALID_ARGUMENT nonzero: x: expected a tensor, given 1', () => np.nonzero(1)],
    [
      'ERR_SIZES nonzero: x: expected at least one element that is not 0, given none (DirectML has no empty tensors)',
      ({ d }) => np.nonzero(np.zeros(d, [2])),
    ],
    [
      "ERR_INVALID_ARGUMENT matrixNorm: ord: expected 'fro', 1, -1, Infinity or -Infinity, given 'fro2'",
      ({ x }) => np.linalg.matrixNorm(x, { ord: 'fro2' }),
    ],
    [
      "ERR_INVALID_ARGUMENT matrixNorm: ord: expected 'fro', 1, -1, Infinity or -Infinity, given 3",
      ({ x }) => np.linalg.matrixNorm(x, { ord: 3 }),
    ],
    ['ERR_DIMENSION_COUNT matrixNorm: x: expected 2 or more dimensions, given 1', ({ v }) => np.linalg.matrixNorm(v)],
    ["ERR_INVALID_ARGUMENT vectorNorm: ord: expected a number, given 'max'", ({ v }) => np.linalg.vectorNorm(v, { ord: 'max' })],
    ['ERR_DIMENSION_COUNT matrixPower: x: expected 2 or more dimensions, given 1', ({ v }) => np.linalg.matrixPower(v, 2)],
    ['ERR_DIMENSION_COUNT trace: x: expected 2 or more dimensions, given 1', ({ v }) => np.linalg.trace(v)],
    ['ERR_OUT_OF_RANGE diagonal: offset: expected -1 to 2, given 3', ({ x }) => np.linalg.diagonal(x, { offset: 3 })],
    ['ERR_OUT_OF_RANGE diagonal: offset: expected -1 to 2, given -2', ({ x }) => np.linalg.diagonal(x, { offset: -2 })],
    [
      'ERR_SIZES matmul: y.sizes: expected 3 rows, as many as [3] has columns, given [2, 2]',
      ({ v, square }) => np.matmul(v, square),
    ],
    [
      'ERR_SIZES matmul: y.sizes: expected 2 elements, as many as [2, 2] has columns, given [3]',
      ({ v, square }) => np.matmul(square, v),
    ],
    [
      'ERR_SIZES matmul: y.sizes: expected sizes whose first ones repeat to those of [2, 2, 3], given [3, 3, 2]',
      ({ d }) => np.matmul(np.zeros(d, [2, 2, 3]), np.zeros(d, [3, 3, 2])),
    ],
    [
      'ERR_SIZES vecdot: y.sizes: expected sizes that broadcast with [3], and equal ones along the axis, given [2]',
      ({ v, n }) => np.vecdot(v, n),
    ],
    [
      'ERR_SIZES tensordot: y.sizes: expected 2 elements along dimension 1, given [2, 3]',
      ({ x }) => np.tensordot(x, x, { axes: [[0], [1]] }),
    ],
    [
      'ERR_SIZES tensordot: axes: expected equally many of both, given 2 and 1',
      ({ x }) => np.tensordot(x, x, { axes: [[0, 1], [1]] }),
    ],
    [
      'ERR_INVALID_ARGUMENT tensordot: axes: expected a whole number from 0 on, given -1',
      ({ x }) => np.tensordot(x, x, { axes: -1 }),
    ],
    [
      "ERR_INVALID_ARGUMENT tensordot: axes: expected a whole number from 0 on, given '1'",
      ({ x }) => np.tensordot(x, x, { axes: '1' }),
    ],
    ['ERR_SIZES cross: y.sizes: expected sizes that broadcast with [2, 3], given [2]', ({ x, n }) => np.cross(x, n)],
    ['ERR_SIZES cross: x.sizes: expected 3 elements along the axis, given [2, 2]', ({ square }) => np.cross(square, square)],
    ['ERR_INVALID_ARGUMENT concat: arrays: expected an array of tensors, given an empty array', () => np.concat([])],
    [
      'ERR_DIMENSION_COUNT concat: arrays[1].sizes: expected 2 dimensions, as output has, given 1',
      ({ x, n }) => np.concat([x, n]),
    ],
    ['ERR_INVALID_ARGUMENT stack: arrays: expected an array of tensors, given an empty array', () => np.stack([])],
    ['ERR_DIMENSION_COUNT stack: arrays[1].sizes: expected 3 dimensions, as output has, given 2', ({ x, v }) => np.stack([x, v])],
    ['ERR_DIMENSION_COUNT matrixTranspose: x: expected 2 or more dimensions, given 1', ({ v }) => np.matrixTranspose(v)],
    ['ERR_SIZES moveaxis: destination: expected 2 axes, given [0]', ({ x }) => np.moveaxis(x, [0, 1], [0])],
    ['ERR_SIZES squeeze: axis: expected a dimension of size 1, given size 2', ({ x }) => np.squeeze(x, { axis: 0 })],
    ['ERR_OUT_OF_RANGE expandDims: axis: expected -3 to 2, given 4', ({ x }) => np.expandDims(x, { axis: 4 })],
    [
      'ERR_SIZES broadcastTo: sizes: expected sizes to which [2, 3] can be repeated, given [3]',
      ({ x }) => np.broadcastTo(x, [3]),
    ],
    [
      'ERR_INVALID_ARGUMENT reshape: sizes: expected whole numbers from 1 on, one of which may be -1, given an array of 2 numbers',
      ({ x }) => np.reshape(x, [-1, -1]),
    ],
    [
      'ERR_INVALID_ARGUMENT reshape: sizes: expected whole numbers from 1 on, one of which may be -1, given an array of 2 numbers',
      ({ x }) => np.reshape(x, [0, 6]),
    ],
    [
      'ERR_INVALID_ARGUMENT reshape: sizes: expected whole numbers from 1 on, one of which may be -1, given an array of 2 numbers',
      ({ x }) => np.reshape(x, [2.5, -1]),
    ],
    [
      'ERR_INVALID_ARGUMENT reshape: sizes: expected whole numbers from 1 on, one of which may be -1, given an array of 1 string',
      ({ x }) => np.reshape(x, ['6']),
    ],
    [
      'ERR_SIZES reshape: sizes: expected sizes of 6 elements, as [2, 3] has, given an array of 2 numbers',
      ({ x }) => np.reshape(x, [7, -1]),
    ],
    ['ERR_INVALID_ARGUMENT tile: counts: expected a whole number from 1 on, given 0', ({ x }) => np.tile(x, [0])],
    ["ERR_INVALID_ARGUMENT tile: counts: expected a whole number from 1 on, given 'a'", ({ x }) => np.tile(x, 'a')],
    ["ERR_DIMENSION_COUNT slice: parts: expected at most 2, and '...' once, given 3", ({ x }) => np.slice(x, 0, 0, 0)],
    [
      'ERR_INVALID_ARGUMENT slice: parts[0]: expected a number, null, or an array of start, stop and step, given an array of 4 numbers',
      ({ x }) => np.slice(x, [0, 1, 1, 1]),
    ],
    [
      'ERR_INVALID_ARGUMENT slice: parts[0]: expected a number, null, or an array of start, stop and step, given an array of 2 elements',
      ({ x }) => np.slice(x, ['0', 1]),
    ],
    [
      'ERR_INVALID_ARGUMENT slice: parts[0]: expected a step other than 0, given an array of 3 numbers',
      ({ x }) => np.slice(x, [0, 2, 0]),
    ],
    ["ERR_DIMENSION_COUNT slice: parts: expected at most 2, and '...' once, given 2", ({ x }) => np.slice(x, '...', '...')],
    ['ERR_OUT_OF_RANGE flip: axis: expected -2 to 1, given 2', ({ x }) => np.flip(x, { axis: 2 })],
    ['ERR_INVALID_ARGUMENT sort: descending: expected true or false, given 1', ({ v }) => np.sort(v, { descending: 1 })],
    [
      "ERR_INVALID_ARGUMENT argsort: options.stable: expected one of axis, descending, given 'stable'",
      ({ v }) => np.argsort(v, { stable: 1 }),
    ],
    ['ERR_INVALID_ARGUMENT topK: k: expected a whole number from 1 on, given 0', ({ v }) => np.topK(v, 0)],
    ['ERR_INVALID_ARGUMENT topK: k: expected a whole number from 1 on, given 1.5', ({ v }) => np.topK(v, 1.5)],
    ['ERR_INVALID_ARGUMENT sum: keepDims: expected true or false, given 1', ({ x }) => np.sum(x, { keepDims: 1 })],
    ["ERR_INVALID_ARGUMENT var: correction: expected a number, given '1'", ({ x }) => np.var(x, { correction: '1' })],
    ["ERR_INVALID_ARGUMENT clip: min: expected a tensor, a number, or null, given 'a'", ({ x }) => np.clip(x, 'a', 1)],
    ['ERR_INVALID_ARGUMENT clip: min: expected a tensor, a number, or null, given an object', ({ x }) => np.clip(x, { min: 1 })],
    ["ERR_INVALID_ARGUMENT where: y: expected a tensor or a number, given '2'", ({ x }) => np.where(x, 1, '2')],
    ["ERR_INVALID_ARGUMENT astype: dataType: expected a data type, given 'float8'", ({ x }) => np.astype(x, 'float8')],
    ['ERR_INVALID_ARGUMENT add: y: expected a tensor or a number, given null', ({ x }) => np.add(x, null)],
    ['ERR_INVALID_ARGUMENT add: x: expected a tensor, given 1', () => np.add(1, 2)],
    ["ERR_INVALID_ARGUMENT pow: y: expected a tensor or a number, given 'a'", ({ x }) => np.pow(x, 'a')],
    ["ERR_INVALID_ARGUMENT searchSorted: values: expected a tensor, given 'a'", ({ v }) => np.searchSorted(v, 'a')],
    ["ERR_INVALID_DESCRIPTOR full: value: expected a float32 as number or bigint, given 'a'", ({ d }) => np.full(d, [2], 'a')],
    [
      'ERR_OUT_OF_RANGE full: value: expected a whole number from -2147483648 to 2147483647, given 2.5',
      ({ d }) => np.full(d, [2], 2.5, { dataType: 'int32' }),
    ],
    ["ERR_INVALID_ARGUMENT ones: sizes: expected whole numbers from 1 on, given 'a'", ({ d }) => np.ones(d, 'a')],
    [
      'ERR_INVALID_ARGUMENT ones: sizes: expected whole numbers from 1 on, given an array of 1 number',
      ({ d }) => np.ones(d, [1.5]),
    ],
    ['ERR_OUT_OF_RANGE cumulativeSum: axis: expected -2 to 1, given 5', ({ x }) => np.cumulativeSum(x, { axis: 5 })],
    ["ERR_INVALID_ARGUMENT setSlice: parts[0]: expected a whole number, given 'a'", ({ x, v }) => np.setSlice(x, v, 'a')],
    [
      'ERR_INVALID_ARGUMENT setSlice: parts[0]: expected a number, null, or an array of start, stop and step, given an array of 2 elements',
      ({ x, n }) => np.setSlice(x, n, [0, [0, 2]]),
    ],
    [
      'ERR_SIZES setSlice: parts[0]: expected at least one element, given none (DirectML has no empty tensors)',
      ({ x }) => np.setSlice(x, 1, [2]),
    ],
    ['ERR_SIZES permuteDims: axes: expected 2 axes, given [0]', ({ x }) => np.permuteDims(x, [0])],
    ['ERR_INVALID_ARGUMENT permuteDims: axes: expected each axis once, given [0, 0]', ({ x }) => np.permuteDims(x, [0, 0])],
    ['ERR_SIZES permuteDims: axes: expected 2 axes, given [1]', ({ x }) => np.permuteDims(x, 1)],
    ['ERR_INVALID_ARGUMENT uniqueValues: x: expected a tensor, given 1', () => np.uniqueValues(1)],
    [
      "ERR_INVALID_ARGUMENT linspace: options.dataType: expected one of floats, given 'int32'",
      ({ d }) => np.linspace(d, 0, 1, 3, { dataType: 'int32' }),
    ],
    [
      "ERR_INVALID_ARGUMENT fft: norm: expected 'backward', 'ortho' or 'forward', given 'both'",
      ({ d }) => np.fft.fft(np.zeros(d, [3, 2]), { norm: 'both' }),
    ],
    [
      'ERR_INVALID_ARGUMENT fft: n: expected a whole number from 1 on, given 0',
      ({ d }) => np.fft.fft(np.zeros(d, [3, 2]), { n: 0 }),
    ],
    [
      'ERR_INVALID_ARGUMENT fft: n: expected a whole number from 1 on, given 1.5',
      ({ d }) => np.fft.fft(np.zeros(d, [3, 2]), { n: 1.5 }),
    ],
    ['ERR_DATA_TYPE oneHot: indices: expected integers, given float32', ({ v }) => np.oneHot(v, 3)],
    [
      'ERR_SIZES atSet: indices.sizes: expected at most 1 coordinates in the last dimension, as [3] has dimensions, given [2]',
      ({ v, n }) => np.atSet(v, n, 'a'),
    ],
    ['ERR_DATA_TYPE atAdd: indices: expected integers, given float32', ({ v }) => np.atAdd(v, v, 1)],
    ['ERR_INVALID_ARGUMENT bits: key: expected a key, which key, split and foldIn make, given 3', () => np.random.bits(3, [2])],
    [
      'ERR_SIZES solve: y.sizes: expected 2 rows, as many as [2, 2] has, and sizes before that broadcast with its first ones, given [3, 3]',
      ({ d, square }) => np.linalg.solve(square, np.eye(d, 3)),
    ],
    ['ERR_OUT_OF_RANGE norm: axis: expected -1 to 0, given 1', ({ v }) => np.linalg.norm(v, { ord: 1.5, axis: [0, 1, 2] })],
    ['ERR_OUT_OF_RANGE vecdot: axis: expected -1 to 0, given 1', ({ x, v }) => np.vecdot(x, v, { axis: 1 })],
    ['ERR_DIMENSION_COUNT diagonal: x: expected 2 or more dimensions, given 1', ({ v }) => np.diagonal(v)],
    ['ERR_DIMENSION_COUNT outer: x: expected one dimension, given 2', ({ x, v }) => np.outer(x, v)],
    ['ERR_OUT_OF_RANGE unstack: axis: expected -2 to 1, given 2', ({ x }) => np.unstack(x, { axis: 2 })],
    ["ERR_INVALID_ARGUMENT logicalAnd: y: expected a tensor or a number, given 'a'", ({ x }) => np.logicalAnd(x, 'a')],
    ...[[3], [2, 1]].map((sizes): Row => [
      `ERR_INVALID_ARGUMENT bits: key: expected a key, which key, split and foldIn make, given uint32 [${sizes.join(', ')}]`,
      ({ d }) => np.random.bits(d.createTensor({ dataType: 'uint32', sizes }), [2]),
    ]),
    ['ERR_DATA_TYPE bitwiseAnd: x: expected integers, given float32', ({ x }) => np.bitwiseAnd(x, 1)],
    ["ERR_INVALID_ARGUMENT floorDivide: y: expected a tensor or a number, given 'a'", ({ x }) => np.floorDivide(x, 'a')],
    ['ERR_INVALID_ARGUMENT take: indices: expected a tensor, given 1.5', ({ x }) => np.take(x, 1.5)],
    ['ERR_INVALID_ARGUMENT concat: arrays[1]: expected a tensor, given 1', ({ x }) => np.concat([x, 1])],
    ["ERR_INVALID_ARGUMENT stack: arrays[1]: expected a tensor, given 'a'", ({ x }) => np.stack([x, 'a'])],
    ["ERR_INVALID_ARGUMENT maximum: y: expected a tensor or a number, given 'a'", ({ x }) => np.maximum(x, 'a')],
    ['ERR_DATA_TYPE bitwiseOr: y: expected integers, given float32', ({ v, n }) => np.bitwiseOr(n, v)],
    ['ERR_DATA_TYPE bitwiseXor: x: expected integers, given float32', ({ v, n }) => np.bitwiseXor(v, n)],
    ['ERR_DATA_TYPE bitwiseLeftShift: x: expected integers, given float32', ({ v }) => np.bitwiseLeftShift(v, 1)],
    ['ERR_DATA_TYPE bitwiseRightShift: y: expected integers, given float32', ({ v, n }) => np.bitwiseRightShift(n, v)],
    ['ERR_DATA_TYPE bitwiseInvert: x: expected integers, given float32', ({ v }) => np.bitwiseInvert(v)],
    [
      'ERR_OUT_OF_RANGE bitwiseAnd: y: expected a whole number from -2147483648 to 2147483647, given 1.5',
      ({ n }) => np.bitwiseAnd(n, 1.5),
    ],
    [
      'ERR_SIZES setSlice: values.sizes: expected sizes that can be repeated to [2], given [3]',
      ({ x, v }) => np.setSlice(x, v, 0, [0, 2]),
    ],
    ["ERR_SIZES einsum: subscripts: expected equal sizes for each 'i', given [2, 3]", ({ x }) => np.einsum('ii->i', x)],
    ["ERR_SIZES einsum: subscripts: expected equal sizes for each 'j', given [3, 2]", ({ x }) => np.einsum('ij,jk->ik', x, x)],
    [
      "ERR_SIZES einsum: subscripts: expected equal sizes for each '...', given [3, 2]",
      ({ x, n }) => np.einsum('i...,...->i...', x, n),
    ],
    [
      "ERR_SIZES einsum: subscripts: expected equal sizes for each 'i', given [1, 3, 2]",
      ({ d, v, n }) => np.einsum('i,i,i', np.ones(d, 1), v, n),
    ],
    [
      'ERR_SIZES atSet: values.sizes: expected sizes that can be repeated to [2], given [3]',
      ({ d, v }) => np.atSet(v, d.tensor([[0], [1]], { dataType: 'int32' }), v),
    ],
    [
      'ERR_SIZES tensordot: y.sizes: expected 2 elements along dimension 0, given [3]',
      ({ x, v }) => np.tensordot(x, v, { axes: [[0], [0]] }),
    ],
    ['ERR_SIZES inv: x.sizes: expected square matrices of at most 64 rows, given [2, 3]', ({ x }) => np.linalg.inv(x)],
    [
      'ERR_SIZES inv: x.sizes: expected square matrices of at most 64 rows, given [65, 65]',
      ({ d }) => np.linalg.inv(np.eye(d, 65)),
    ],
    [
      'ERR_DATA_TYPE det: x: expected float32, float16 or integers, given float64',
      ({ d }) => np.linalg.det(d.createTensor({ dataType: 'float64', sizes: [2, 2] })),
    ],
    [
      'ERR_DATA_TYPE solve: y: expected float32, float16 or integers, given float64',
      ({ d, square }) => np.linalg.solve(square, d.createTensor({ dataType: 'float64', sizes: [2, 2] })),
    ],
    [
      'ERR_DATA_TYPE add: y: expected data types that have a common one, given int64 and uint64 (no data type has the integers of both; cast one of them)',
      ({ d }) => np.add(d.tensor([1n], { dataType: 'int64' }), d.tensor([1n], { dataType: 'uint64' })),
    ],
    [
      'ERR_INVALID_GRAPH nonzero: the size of the result depends on the elements, which are not known while tracing or building a graph',
      ({ d, x }) => d.jit((a) => np.nonzero(a) as Promise<Tensor>)(x),
    ],
    [
      'ERR_INVALID_GRAPH uniqueValues: the size of the result depends on the elements, which are not known while tracing or building a graph',
      ({ d, x }) => d.jit((a) => np.uniqueValues(a) as Promise<Tensor>)(x),
    ],
    [
      'ERR_INVALID_ARGUMENT abs: args[1]: expected tensors, numbers, strings, and plain objects and arrays of them, given a date',
      ({ x }) => np.abs(x, new Date()),
    ],
    ['ERR_INVALID_ARGUMENT add: x: expected a tensor, given 1', () => np.add(1, 2)],
    ['ERR_INVALID_ARGUMENT pow: x: expected a tensor, given 1', ({ x }) => np.pow(1, 2, [x])],
    ['ERR_INVALID_ARGUMENT remainder: x: expected a tensor, given 7', ({ x }) => np.remainder(7, 2, x)],
    ['ERR_INVALID_ARGUMENT logicalOr: x: expected a tensor, given 1', ({ x }) => np.logicalOr(1, 0, x)],
    ['ERR_INVALID_ARGUMENT add: y: expected a tensor or a number, given an array of 1 tensor', ({ x, v }) => np.add(x, [v])],
    [
      'ERR_INVALID_ARGUMENT add: y: expected a tensor or a number, given an array of 1 value of a graph',
      ({ d, x }) => d.jit((a) => np.add(a, [a]) as Promise<Tensor>)(x),
    ],
    ['ERR_INVALID_ARGUMENT concat: arrays: expected an array of tensors, given a tensor', ({ x }) => np.concat(x)],
    ['ERR_INVALID_ARGUMENT astype: dataType: expected a data type, given a tensor', ({ x }) => np.astype(x, x)],
    [
      'ERR_INVALID_ARGUMENT exp: x: expected a tensor, given an object whose weight is a tensor',
      ({ x }) => np.exp({ weight: x }),
    ],
    ['ERR_INVALID_ARGUMENT uniqueCounts: x: expected a tensor, given Infinity', () => np.uniqueCounts(Infinity)],
    ['ERR_INVALID_ARGUMENT uniqueInverse: x: expected a tensor, given an empty array', () => np.uniqueInverse([])],
  ])('%s', async (expected, run) => {
    const given = { ...givenOn(device()), square: np.eye(device(), 2) };
    expect(await refusalOf(() => run(given))).toBe(expected);
  });
});
