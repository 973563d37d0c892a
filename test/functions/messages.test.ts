/** What the functions of operators say about wrong arguments. Where a message says what would fit, that works. */
import type { Device, Tensor } from 'node-directml';
import * as operators from 'node-directml/operators';
import {
  elementWiseAdd as add,
  elementWiseIf,
  convolution,
  convolutionInteger,
  gather,
  gemm,
  matrixMultiplyInteger,
  reduce,
} from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';

type Make = (...sizes: number[]) => Tensor<'float32'>;
type MakeBytes = (...sizes: number[]) => Tensor<'uint8'>;

/** Tensors of these sizes. */
interface Makers {
  readonly f: Make;
  readonly bytes: MakeBytes;
  readonly ids: (...sizes: number[]) => Tensor<'uint32'>;
  readonly device: Device;
}

/** Calls a function with arguments that its types do not allow. */
function call(name: keyof typeof operators, ...args: readonly unknown[]): unknown {
  return Reflect.apply(operators[name], undefined, args);
}

const rule = 'from the last one on, sizes must be equal or 1';
const gemmFields = '{ cTensor, outputTensor, transA, transB, alpha, beta, fusedActivation }';

type Row = readonly [wrong: (makers: Makers) => unknown, message: string, mended?: (makers: Makers) => unknown];

// One line per part of a row, however long.
// prettier-ignore
const rows: Readonly<Record<string, readonly Row[]>> = {
  'sizes that do not broadcast': [
    [({ f }) => add(f(2, 3), f(2)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2, 3] of aTensor, given [2] (${rule}: 2 is not 3; bTensor.reshape([2, 1]) would fit)`,
      ({ f }) => add(f(2, 3), f(2).reshape([2, 1]))],
    [({ f }) => add(f(2), f(2, 3)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2] of aTensor, given [2, 3] (${rule}: 3 is not 2; aTensor.reshape([2, 1]) would fit)`],
    [({ f }) => add(f(1, 3, 8, 8), f(3)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [1, 3, 8, 8] of aTensor, given [3] (${rule}: 3 is not 8; bTensor.reshape([3, 1, 1]) would fit)`,
      ({ f }) => add(f(1, 3, 8, 8), f(3).reshape([3, 1, 1]))],
    [({ f }) => add(f(2, 2, 3), f(2)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2, 2, 3] of aTensor, given [2] (${rule}: 2 is not 3; bTensor.reshape([2, 1, 1]) or bTensor.reshape([2, 1]) would fit)`],
    [({ f }) => add(f(2, 2, 2, 3), f(2)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2, 2, 2, 3] of aTensor, given [2] (${rule}: 2 is not 3)`],
    [({ f }) => add(f(2, 3), f(3, 2)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2, 3] of aTensor, given [3, 2] (${rule}: 2 is not 3)`],
    [({ f, bytes }) => elementWiseIf(bytes(2, 1), f(3), f(4)),
      `elementWiseIf: bTensor.sizes: expected sizes that broadcast with [2, 3] of conditionTensor and aTensor, given [4] (${rule}: 4 is not 3)`],
    [({ device, f }) => add(device.createGraph().input('x', { dataType: 'float32', sizes: [2, 3] }), f(2)),
      `elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2, 3] of aTensor, given [2] (${rule}: 2 is not 3; bTensor.reshape([2, 1]) would fit) (aTensor is 'x')`],
    [({ f, device }) => device.run({ type: 'elementWiseAdd', aTensor: f(2, 3), bTensor: f(2) }),
      'elementWiseAdd: bTensor.sizes: expected 2 dimensions, as aTensor has, given 1 (bTensor.reshape([2, 1]).broadcastTo([2, 3]) would fit)',
      ({ f, device }) => device.run({ type: 'elementWiseAdd', aTensor: f(2, 3), bTensor: f(2).reshape([2, 1]).broadcastTo([2, 3]) })],
    [({ f, device }) => device.run({ type: 'elementWiseAdd', aTensor: f(3, 3, 8), bTensor: f(3) }),
      'elementWiseAdd: bTensor.sizes: expected 3 dimensions, as aTensor has, given 1'],
  ],
  'matrices that do not fit': [
    [({ f }) => gemm(f(2, 3), f(2, 4)),
      "gemm: bTensor.sizes: expected [3, 4], given [2, 4] (to multiply aTensor by; transA: 'transpose' would fit)",
      ({ f }) => gemm(f(2, 3), f(2, 4), { transA: 'transpose' })],
    [({ f }) => gemm(f(2, 3), f(3, 4), { transA: 'transpose' }),
      "gemm: bTensor.sizes: expected [2, 4], given [3, 4] (to multiply aTensor by; transA: 'none' would fit)",
      ({ f }) => gemm(f(2, 3), f(3, 4))],
    [({ f }) => gemm(f(2, 3), f(3, 4), { transB: 'transpose' }),
      "gemm: bTensor.sizes: expected [3, 3], given [4, 3] (to multiply aTensor by; transB: 'none' would fit)",
      ({ f }) => gemm(f(2, 3), f(3, 4))],
    [({ f }) => gemm(f(3, 2), f(4, 3), { transA: 'transpose' }),
      "gemm: bTensor.sizes: expected [3, 3], given [4, 3] (to multiply aTensor by; transB: 'transpose' would fit)",
      ({ f }) => gemm(f(3, 2), f(4, 3), { transA: 'transpose', transB: 'transpose' })],
  ],
  'the C of gemm': [
    [({ f }) => gemm(f(2, 4), f(4, 5), { cTensor: f(3) }),
      'gemm: cTensor.sizes: expected sizes that repeat to [2, 5] of the product, given [3]'],
    [({ f }) => gemm(f(2, 4), f(4, 5), { cTensor: f(2) }),
      'gemm: cTensor.sizes: expected sizes that repeat to [2, 5] of the product, given [2] (cTensor.reshape([2, 1]) would fit)',
      ({ f }) => gemm(f(2, 4), f(4, 5), { cTensor: f(2).reshape([2, 1]) })],
    // It is B that is wrong.
    [({ f }) => gemm(f(2, 4), f(5, 4), { cTensor: f(5) }),
      `gemm: bTensor.sizes: expected [4, 4], given [5, 4] (to multiply aTensor by; transB: 'transpose' would fit)`,
      ({ f }) => gemm(f(2, 4), f(5, 4), { cTensor: f(5), transB: 'transpose' })],
    [({ f }) => gemm(f(7, 2, 4), f(6, 4, 5), { cTensor: f(3) }),
      'gemm: bTensor.sizes: expected [7, 4, 5], given [6, 4, 5] (to multiply aTensor by)'],
  ],
  'vectors and batches in products': [
    [({ f }) => gemm(f(2, 3), f(3)),
      'gemm: bTensor.sizes: expected 2 to 4 dimensions, given 1 (bTensor.reshape([3, 1]) is one column)',
      ({ f }) => gemm(f(2, 3), f(3).reshape([3, 1]))],
    [({ f }) => gemm(f(2), f(2, 3)),
      'gemm: aTensor.sizes: expected 2 to 4 dimensions, given 1 (aTensor.reshape([1, 2]) is one row)',
      ({ f }) => gemm(f(2).reshape([1, 2]), f(2, 3))],
    [({ bytes }) => matrixMultiplyInteger(bytes(2, 3), bytes(3)),
      'matrixMultiplyInteger: bTensor.sizes: expected 2 to 4 dimensions, given 1 (bTensor.reshape([3, 1]) is one column)',
      ({ bytes }) => matrixMultiplyInteger(bytes(2, 3), bytes(3).reshape([3, 1]))],
    [({ f }) => gemm(f(5, 2, 3), f(3, 4)),
      'gemm: bTensor.sizes: expected 3 dimensions, as aTensor has, given 2 (bTensor.broadcastTo([5, 3, 4]) would fit)',
      ({ f }) => gemm(f(5, 2, 3), f(3, 4).broadcastTo([5, 3, 4]))],
    [({ f }) => gemm(f(2, 3), f(5, 3, 4)),
      'gemm: bTensor.sizes: expected 2 dimensions, as aTensor has, given 3 (aTensor.broadcastTo([5, 2, 3]) would fit)',
      ({ f }) => gemm(f(2, 3).broadcastTo([5, 2, 3]), f(5, 3, 4))],
    [({ f }) => gemm(f(5, 2, 3), f(1, 3, 4)),
      'gemm: bTensor.sizes: expected [5, 3, 4], given [1, 3, 4] (to multiply aTensor by; bTensor.broadcastTo([5, 3, 4]) would fit)',
      ({ f }) => gemm(f(5, 2, 3), f(1, 3, 4).broadcastTo([5, 3, 4]))],
    [({ f }) => gemm(f(3, 2), f(3, 4)),
      `gemm: bTensor.sizes: expected [2, 4], given [3, 4] (to multiply aTensor by; transA: 'transpose' would fit)`,
      ({ f }) => gemm(f(3, 2), f(3, 4), { transA: 'transpose' })],
    [({ f }) => gemm(f(2, 3), f(2, 3)),
      `gemm: bTensor.sizes: expected [3, 3], given [2, 3] (to multiply aTensor by; transB: 'transpose' or transA: 'transpose' would fit)`],
    [({ f }) => gemm(f(2, 3), f(3, 4), { transB: 'transpose' }),
      `gemm: bTensor.sizes: expected [3, 3], given [4, 3] (to multiply aTensor by; transB: 'none' would fit)`],
    [({ bytes }) => matrixMultiplyInteger(bytes(2, 3), bytes(4, 3)),
      'matrixMultiplyInteger: bTensor.sizes: expected [3, 3], given [4, 3] (to multiply aTensor by; bTensor with its last two dimensions transposed would fit)',
      ({ bytes }) => matrixMultiplyInteger(bytes(2, 3), bytes(4, 3).transpose())],
    [({ f, device }) => device.run({ type: 'gemm', aTensor: f(2, 4), bTensor: f(4, 5), cTensor: f(5) }),
      'gemm: cTensor.sizes: expected 2 to 4 dimensions, given 1 (cTensor.broadcastTo(sizes), with the sizes of outputTensor, repeats it, as the function gemm does)',
      ({ f, device }) => device.run({ type: 'gemm', aTensor: f(2, 4), bTensor: f(4, 5), cTensor: f(5).broadcastTo([2, 5]) })],
  ],
  'indices with fewer dimensions': [
    [({ f, ids }) => gather(f(10, 4), ids(3), { axis: 0, indexDimensions: 1 }),
      'gather: indicesTensor.sizes: expected 2 dimensions, as inputTensor has, given 1 (indicesTensor.reshape([1, 3]) would fit)',
      ({ f, ids }) => gather(f(10, 4), ids(3).reshape([1, 3]), { axis: 0, indexDimensions: 1 })],
    // Not broadcastTo([10, 3]), which would be other indices.
    [({ f, ids }) => gather(f(10, 3), ids(3), { axis: 0, indexDimensions: 1 }),
      'gather: indicesTensor.sizes: expected 2 dimensions, as inputTensor has, given 1 (indicesTensor.reshape([1, 3]) would fit)'],
    [({ f, ids }) => gather(f(10), ids(3, 2), { axis: 0, indexDimensions: 2 }),
      'gather: indicesTensor.sizes: expected 1 dimensions, as inputTensor has, given 2 (inputTensor.reshape([1, 10]), with axis counted in it, would fit)',
      ({ f, ids }) => gather(f(10).reshape([1, 10]), ids(3, 2), { axis: 1, indexDimensions: 2 })],
    [({ f, ids }) => operators.gatherElements(f(10, 4), ids(4), { axis: 0 }),
      'gatherElements: indicesTensor.sizes: expected 2 dimensions, as inputTensor has, given 1'],
  ],
  'channels that are last': [
    [({ f }) => convolution(f(1, 24, 24, 3), f(16, 3, 3, 3)),
      'convolution: filterTensor.sizes: expected [16, 24, 3, 3], given [16, 3, 3, 3] (output channels, input channels of a group; if the channels are last now, inputTensor.transpose([0, 3, 1, 2]) would fit)',
      ({ f }) => convolution(f(1, 24, 24, 3).transpose([0, 3, 1, 2]), f(16, 3, 3, 3))],
    [({ f }) => convolution(f(1, 24, 24, 3), f(3, 3, 3, 16)),
      'convolution: filterTensor.sizes[3]: expected a window that fits, given 16 (3 elements with 0 of padding leave no place for a window that reaches over 16; if the channels are last now, inputTensor.transpose([0, 3, 1, 2]) with filterTensor.transpose([3, 2, 0, 1]) would fit)',
      ({ f }) => convolution(f(1, 24, 24, 3).transpose([0, 3, 1, 2]), f(3, 3, 3, 16).transpose([3, 2, 0, 1]))],
    [({ f }) => convolution(f(1, 3, 24, 24), f(16, 5, 5, 3)),
      'convolution: filterTensor.sizes: expected [16, 3, 5, 3], given [16, 5, 5, 3] (output channels, input channels of a group; if the channels are last now, filterTensor.transpose([0, 3, 1, 2]) would fit)',
      ({ f }) => convolution(f(1, 3, 24, 24), f(16, 5, 5, 3).transpose([0, 3, 1, 2]))],
    [({ f }) => convolution(f(1, 25, 25, 6), f(6, 1, 3, 3), { groupCount: 6 }),
      'convolution: groupCount: expected a divisor of the channels, given 6 (inputTensor has 25 channels; if the channels are last now, inputTensor.transpose([0, 3, 1, 2]) would fit)',
      ({ f }) => convolution(f(1, 25, 25, 6).transpose([0, 3, 1, 2]), f(6, 1, 3, 3), { groupCount: 6 })],
    [({ f }) => convolution(f(1, 24, 24, 16), f(16, 3, 3, 3), { direction: 'backward' }),
      'convolution: filterTensor.sizes: expected [24, 3, 3, 3], given [16, 3, 3, 3] (input channels, output channels of a group; if the channels are last now, inputTensor.transpose([0, 3, 1, 2]) would fit)',
      ({ f }) => convolution(f(1, 24, 24, 16).transpose([0, 3, 1, 2]), f(16, 3, 3, 3), { direction: 'backward' })],
    [({ bytes }) => convolutionInteger(bytes(1, 24, 24, 3), bytes(16, 3, 3, 3)),
      'convolutionInteger: filterTensor.sizes: expected [16, 24, 3, 3], given [16, 3, 3, 3] (output channels, input channels of a group; if the channels are last now, inputTensor.transpose([0, 3, 1, 2]) would fit)'],
    [({ f }) => convolution(f(3, 24, 24), f(16, 3, 3, 3)),
      'convolution: filterTensor.sizes: expected 3 dimensions, as inputTensor has, given 4 (inputTensor.reshape([1, 3, 24, 24]) would fit)',
      ({ f }) => convolution(f(3, 24, 24).reshape([1, 3, 24, 24]), f(16, 3, 3, 3))],
    // One batch dimension is all that a convolution has.
    [({ f }) => convolution(f(3, 24, 24), f(16, 3, 3, 3, 3)),
      'convolution: filterTensor.sizes: expected 3 dimensions, as inputTensor has, given 5'],
    // A wrong number of channels, in whichever order.
    [({ f }) => convolution(f(1, 4, 8, 8), f(16, 2, 3, 3)),
      'convolution: filterTensor.sizes: expected [16, 4, 3, 3], given [16, 2, 3, 3] (output channels, input channels of a group)'],
  ],
  'something else in the place of the options': [
    [({ f }) => call('cast', f(2), 'int32'),
      `cast: options: expected an object with the other fields { outputTensor }, given 'int32' (did you mean { outputTensor: { dataType: 'int32' } }?)`,
      ({ f }) => operators.cast(f(2), { outputTensor: { dataType: 'int32' } })],
    [({ f }) => call('gemm', f(2, 3), f(3, 4), f(4)),
      `gemm: options: expected an object with the other fields ${gemmFields}, given a tensor (did you mean { cTensor }?)`],
    [({ f }) => call('gemm', f(2, 3), f(3, 4), Promise.resolve(f(4))),
      `gemm: options: expected an object with the other fields ${gemmFields}, given a promise that was not awaited (did you mean { cTensor }?)`],
    [({ f }) => call('gemm', f(2, 3), f(3, 4), 'transpose'),
      `gemm: options: expected an object with the other fields ${gemmFields}, given 'transpose' (did you mean { transA: 'transpose' } or { transB: 'transpose' }?)`],
    [({ f }) => call('gemm', f(2, 3), f(3, 4), 7),
      `gemm: options: expected an object with the other fields ${gemmFields}, given 7 (did you mean { alpha: 7 } or { beta: 7 }?)`],
    [({ f }) => call('join', f(2), f(2)),
      'join: options: expected an object with the other fields { outputTensor, axis }, given a tensor (inputTensors is one array: [a, b])'],
    [({ f }) => call('join', f(2), f(2), f(2)),
      'join: options: expected an object with the other fields { outputTensor, axis }, given a tensor (inputTensors is one array: [a, b])'],
    [({ f }) => call('join', [f(2), f(2)], 0),
      'join: options: expected an object with the other fields { outputTensor, axis }, given 0 (did you mean { axis: 0 }?)'],
    [({ f }) => call('reduce', f(2), 'sum'),
      `reduce: options: expected an object with the other fields { function, outputTensor, axes }, given 'sum' (did you mean { function: 'sum' }?)`],
    [({ f }) => call('argmax', f(2, 3), 1),
      'argmax: options: expected an object with the other fields { outputTensor, axes, axisDirection }, given 1 (did you mean { axes: [1] }?)'],
    [({ f }) => call('argmax', f(2, 3), [1]),
      'argmax: options: expected an object with the other fields { outputTensor, axes, axisDirection }, given an array of 1 number (did you mean { axes }?)'],
    [({ f }) => call('cumulativeSummation', f(2), true),
      'cumulativeSummation: options: expected an object with the other fields { outputTensor, axis, axisDirection, hasExclusiveSum }, given true (did you mean { hasExclusiveSum: true }?)'],
    [({ f }) => call('elementWiseAdd', f(2), f(2), f(2)),
      'elementWiseAdd: options: expected an object with the other fields { outputTensor }, given a tensor'],
    [({ f }) => call('elementWiseAdd', f(2), f(2), true),
      'elementWiseAdd: options: expected an object with the other fields { outputTensor }, given true'],
  ],
  'missing and misnamed fields': [
    [({ f }) => call('reduce', f(2, 3), { axes: [0] }),
      `reduce: function: expected one of 'argmax', 'argmin', 'average', 'l1', 'l2', 'logSum', 'logSumExp', 'max', 'min', 'multiply', 'sum', 'sumSquare', given nothing`,
      ({ f }) => reduce(f(2, 3), { function: 'sum', axes: [0] })],
    [({ f }) => call('gemm', f(2, 3), f(3, 4), { bias: f(4) }),
      `gemm: bias: expected one of type, aTensor, bTensor, cTensor, outputTensor, transA, transB, alpha, beta, fusedActivation, given 'bias' (did you mean 'cTensor'?)`],
    [({ f }) => call('gemm', f(2, 3), f(4, 3), { transposeB: true }),
      `gemm: transposeB: expected one of type, aTensor, bTensor, cTensor, outputTensor, transA, transB, alpha, beta, fusedActivation, given 'transposeB' (did you mean 'transB'?)`],
    [({ f }) => call('maxPooling', f(1, 3, 8, 8), { kernel_size: [2, 2] }),
      `maxPooling: kernel_size: expected one of type, inputTensor, outputTensor, dimensionCount, strides, windowSize, startPadding, endPadding, given 'kernel_size' (did you mean 'windowSize'?)`],
    [({ f }) => call('resample2', f(1, 1, 2, 2), { interpolationMode: 'linear', roundingDirection: 'increasing', outputTensor: { sizes: [4, 4] } }),
      'resample2: outputTensor.sizes: expected 4 dimensions, as inputTensor has, given 2'],
    [({ f }) => call('resampleGrad', f(1, 1, 4, 4), { interpolationMode: 'linear', outputGradientTensor: { sizes: [2, 2] } }),
      'resampleGrad: outputGradientTensor.sizes: expected 4 dimensions, as inputGradientTensor has, given 2'],
  ],
  'numbers that do not fit': [
    [({ bytes }) => add(bytes(1), 256), 'elementWiseAdd: bTensor: expected a whole number from 0 to 255, given 256'],
    [({ device }) => add(device.createGraph().input('x', { dataType: 'uint8', sizes: [1] }), 0.5),
      "elementWiseAdd: bTensor: expected a whole number from 0 to 255, given 0.5 (aTensor is 'x')"],
  ],
};

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);
  const make =
    <T extends 'float32' | 'uint8' | 'uint32'>(dataType: T) =>
    (...sizes: number[]) =>
      device().createTensor({ dataType, sizes });
  const makers = (): Makers => ({ f: make('float32'), bytes: make('uint8'), ids: make('uint32'), device: device() });

  test.each(Object.entries(rows))('%s', async (_, cases) => {
    for (const [wrong, message, mended] of cases) {
      expect((await rejected((async () => wrong(makers()))())).message).toBe(message);
      await mended?.(makers());
    }
  });
});
