/**
 * Resampling, pooling and regions at the ends of float32: intermediate differences, sums and powers overflow although the
 * result would fit. On Windows the real DirectML computes them, too.
 */
import { describe, expect, it } from 'vitest';
import { tensor, type ExampleTensor } from '../../checks/cases/example.js';
import { floats, own, unary } from '../../checks/cases/own-example.js';
import { runExample } from '../../checks/conformance/run-example.js';
import { backends, deviceOn } from '../support/devices.js';

const BIG = Math.fround(3e38);
const THIRD = Math.fround(1e38);

const image = (width: number, ...values: readonly number[]): ExampleTensor =>
  tensor('float32', [1, 1, values.length / width, width], values);
const row = (...values: readonly number[]): ExampleTensor => image(values.length, ...values);

const centers = { inputPixelOffsets: [0.5], outputPixelOffsets: [-0.5] };
const doubled = { interpolationMode: 'linear', scales: [2], ...centers };
const doubledTwice = {
  interpolationMode: 'linear',
  scales: [2, 2],
  inputPixelOffsets: [0.5, 0.5],
  outputPixelOffsets: [-0.5, -0.5],
};
const upTo = (width: number, height: number) => ({ interpolationMode: 'linear', scaleSize: { width, height } });

const windowOf = (width: number) => ({ windowSize: [1, width], strides: [1, 1], startPadding: [0, 0], endPadding: [0, 0] });
const averaged = { ...windowOf(3), dilations: [1, 1], includePadding: false };
/** Windows of one element's size at all positions that reach the image. */
const around = (width: number) => ({ ...windowOf(width), startPadding: [0, width - 1], endPadding: [0, width - 1] });

const aligned = (elements: ExampleTensor, region: readonly number[], output: ExampleTensor, fields: object) =>
  own(
    'roiAlign1',
    { inputTensor: elements, roiTensor: tensor('float32', [1, 4], region), batchIndicesTensor: tensor('uint32', [1], [0]) },
    { outputTensor: output },
    {
      ...{ reductionFunction: 'average', interpolationMode: 'linear', spatialScaleX: 1, spatialScaleY: 1 },
      ...{ inputPixelOffset: 0.5, outputPixelOffset: -0.5, outOfBoundsInputValue: 0, alignRegionsToCorners: false },
      ...{ minimumSamplesPerOutput: 1, maximumSamplesPerOutput: 4 },
      ...fields,
    },
  );

const columns = (...values: readonly number[]): ExampleTensor => tensor('float32', [1, 3, 3], values);
const folded = { windowSizes: [3], strides: [1], dilations: [1], startPadding: [2], endPadding: [2] };
const toOne = (value: number): ExampleTensor => tensor('float32', [1, 1, 1], [value]);

const examples = {
  'resample1 takes an infinity from itself': unary('resample1', floats(-Infinity, 4), floats(NaN, NaN, NaN, 4), doubled),
  'resample2 takes an infinity from itself': unary('resample2', floats(4, Infinity), floats(4, Infinity, Infinity, NaN), {
    ...doubled,
    roundingDirection: 'increasing',
  }),
  'resample1 multiplies an infinite difference by a weight of 0': unary(
    'resample1',
    floats(1, Infinity, 2, 3),
    floats(NaN, Infinity, NaN, NaN, 2, 2.5, 3, 3),
    { ...doubled, inputPixelOffsets: [0], outputPixelOffsets: [0] },
  ),
  'resample3 overflows between finite elements': unary('resample3', floats(BIG, -BIG), floats(BIG, -Infinity, -Infinity, -BIG), {
    ...doubled,
    antialiased: false,
    roundingDirection: 'increasing',
  }),
  'resample1 interpolates the outermost dimension first': unary(
    'resample1',
    tensor('float32', [2, 2], [BIG, BIG, -BIG, -BIG]),
    tensor(
      'float32',
      [4, 4],
      [...new Array<number>(4).fill(BIG), ...new Array<number>(8).fill(NaN), ...new Array<number>(4).fill(-BIG)],
    ),
    doubledTwice,
  ),
  'upsample2d takes an infinity from itself': unary('upsample2d', row(-Infinity, 4), row(NaN, NaN, NaN, 4), upTo(2, 1)),
  'upsample2d overflows between finite elements': unary(
    'upsample2d',
    row(BIG, -BIG),
    row(BIG, -Infinity, -Infinity, -BIG),
    upTo(2, 1),
  ),
  'upsample2d weighs neighbours where it keeps the size': unary('upsample2d', row(1, Infinity, 2), row(NaN, NaN, 2), upTo(1, 1)),
  'averagePooling1 overflows on its way': unary('averagePooling1', row(BIG, BIG, -BIG), row(Infinity), averaged),
  'averagePooling1 adds in row-major order': unary('averagePooling1', row(BIG, -BIG, BIG), row(THIRD), averaged),
  'averagePooling overflows in one window of two': unary('averagePooling', row(BIG, BIG, -BIG, BIG), row(Infinity, THIRD), {
    ...windowOf(3),
    includePadding: false,
  }),
  'averagePoolingGrad adds window after window': own(
    'averagePoolingGrad',
    { inputGradientTensor: row(BIG, BIG, -BIG) },
    { outputGradientTensor: row(Infinity) },
    { ...around(3), includePadding: false },
  ),
  'maxPoolingGrad adds window after window': own(
    'maxPoolingGrad',
    { inputTensor: row(5), inputGradientTensor: row(BIG, BIG, -BIG) },
    { outputGradientTensor: row(Infinity) },
    { ...around(3), dilations: [1, 1] },
  ),
  'lpPooling squares beyond float32': unary('lpPooling', row(1e20, 1e20), row(Infinity), { ...windowOf(2), p: 2 }),
  'lpPooling has no subnormal powers': unary('lpPooling', row(1e-13, 1e-13), row(0), { ...windowOf(2), p: 3 }),
  'fold overflows': unary('fold', columns(0, 0, -BIG, 0, BIG, 0, BIG, 0, 0), toOne(Infinity), folded),
  'fold adds window after window': unary('fold', columns(0, 0, BIG, 0, BIG, 0, -BIG, 0, 0), toOne(BIG), folded),
  'valueScale2d overflows before the bias': unary('valueScale2d', row(BIG, 1), row(Infinity, Math.fround(2 - BIG)), {
    scale: 2,
    bias: [-BIG],
  }),
  'resampleGrad adds in row-major order': own(
    'resampleGrad',
    { inputGradientTensor: floats(BIG, BIG, -BIG, -BIG) },
    { outputGradientTensor: floats(Infinity) },
    { interpolationMode: 'nearestNeighbor', scales: [4], ...centers },
  ),
  'roiAlign1 overflows between finite elements': aligned(row(BIG, -BIG), [0, 0, 2, 1], row(BIG, -Infinity, -Infinity, -BIG), {}),
  'roiAlign1 adds sample after sample': aligned(row(BIG, BIG, -BIG, -BIG), [0, 0, 4, 1], row(Infinity), {
    interpolationMode: 'nearestNeighbor',
  }),
  'roiAlign1 adds samples outside of the image in their turn': aligned(row(1, 1), [-2, 0, 2, 1], row(Infinity), {
    outOfBoundsInputValue: BIG,
  }),
};

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  it.each(Object.entries(examples))('%s', async (title, example) => {
    expect(await runExample(device(), { page: '', title, ...example })).toBeNull();
  });
});
