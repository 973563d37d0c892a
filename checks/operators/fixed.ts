/** Cases that random ones rarely hit. Each reveals a small mistake of a kernel that no other case would notice. */
import type { TensorDesc } from 'node-directml';
import { float16ToBits } from '#lib/tensors/float16.js';
import { Random } from '../harness/random.js';
import { base64, type ConformanceCase } from '../cases/case.js';

const floats = (...values: readonly number[]): string => base64(new Uint8Array(Float32Array.from(values).buffer));
const halves = (...values: readonly number[]): string => base64(new Uint8Array(Uint16Array.from(values, float16ToBits).buffer));
const signed = (...values: readonly number[]): string => base64(new Uint8Array(Int8Array.from(values).buffer));

/** Floats between two float16 subnormals, and around the smallest normal float16. */
export function castToSubnormals(): ConformanceCase {
  const values = [1.5 * 2 ** -24, 2 ** -15 + 1.5 * 2 ** -25, 2 ** -14 - 2 ** -25, 2 ** -14 + 2 ** -25, 2 ** -25, 1.75 * 2 ** -23];
  const sizes = [2 * values.length];
  return {
    descriptor: {
      type: 'cast',
      inputTensor: { dataType: 'float32', sizes },
      outputTensor: { dataType: 'float16', sizes },
    },
    data: { inputTensor: floats(...values, ...values.map((value) => -value)) },
  };
}

/** Powers beyond float16, also with exponents of narrow types. The largest exponents saturate as int32, whose maximum is odd. */
export function largePowers(): ConformanceCase[] {
  const bases = floats(10, 2, -3, -10, -1, 1.5, -2, 300);
  const float32 = { dataType: 'float32' as const, sizes: [8] };
  const of = (exponentTensor: TensorDesc, exponents: string): ConformanceCase => ({
    descriptor: { type: 'elementWisePow', inputTensor: float32, exponentTensor, outputTensor: float32 },
    data: { inputTensor: bases, exponentTensor: exponents },
  });
  return [
    of(float32, floats(6, 40, 21, 5, 3e9, 50, 2 ** 31, 3)),
    of({ dataType: 'float16', sizes: [8] }, halves(6, 40, 21, 5, 3, 50, 17, 3)),
    of({ dataType: 'int8', sizes: [8] }, signed(6, 40, 21, 5, 3, 50, 17, 3)),
  ];
}

/**
 * Rows with many NaN elements, which matter in rows longer than half a block of 1024. Whole blocks are followed by few elements,
 * almost half a block, half a block, and almost a whole block. In rows longer than a block, element 0 would win if it did not lose
 * to the NaN at 512.
 */
export const extremesAmongNaN = (type: 'argmax' | 'argmin') => (): ConformanceCase[] =>
  [513, 700, 1023, 1024, 1025, 1100, 1535, 1536, 2047, 2049, 2600].map((length, i): ConformanceCase => {
    const shares = length > 1024 ? [0, 0.02, 0.1, 0.5] : [0.5, 0.5, 0.5];
    const [random, among] = [Random.of(type, length), length > 1024 ? 1000 : 3];
    const rows = shares.map((share) => Array.from({ length }, () => (random.chance(share) ? NaN : random.int(-among, among))));
    if (length > 1024) for (const row of rows.slice(0, 2)) [row[0], row[512]] = [type === 'argmax' ? 2000 : -2000, NaN];
    return {
      descriptor: {
        type,
        inputTensor: { dataType: 'float32', sizes: [rows.length, length] },
        outputTensor: { dataType: 'uint32', sizes: [rows.length, 1] },
        axes: [1],
        axisDirection: i % 2 === 0 ? 'increasing' : 'decreasing',
      },
      data: { inputTensor: floats(...rows.flat()) },
    };
  });

/**
 * Quantizes NaN in rows that are padded to a multiple of four elements, which DirectML treats as vectors, and in rows that are not.
 */
export const nanInFilledRows = (): ConformanceCase[] =>
  [8, 7, 9, 6].map((stride): ConformanceCase => {
    const sizes = [3, 6];
    const single = { sizes, strides: [0, 0] };
    return {
      descriptor: {
        type: 'elementWiseQuantizeLinear',
        inputTensor: { dataType: 'float32', sizes },
        scaleTensor: { dataType: 'float32', ...single },
        zeroPointTensor: { dataType: 'int8', ...single },
        outputTensor: { dataType: 'int8', sizes, strides: [stride, 1] },
      },
      data: {
        inputTensor: floats(...Array.from({ length: 18 }, (_, i) => (i % 2 === 0 ? NaN : i))),
        scaleTensor: floats(0.5),
        zeroPointTensor: signed(5, 0, 0, 0),
      },
    };
  });

/**
 * Products beyond float16 that a bias brings back into range. DirectML truncates after adding a bias per row, but before adding any
 * other bias.
 */
export function biasesBeyondFloat16(): ConformanceCase[] {
  const scale = { dataType: 'float16' as const, sizes: [1] };
  return [
    [1, 0],
    [0, 1],
    [0, 0],
    [2, 1],
  ].map((strides) => ({
    descriptor: {
      type: 'matrixMultiplyIntegerToFloat',
      aTensor: { dataType: 'int8', sizes: [2, 1] },
      aScaleTensor: scale,
      bTensor: { dataType: 'int8', sizes: [1, 2] },
      bScaleTensor: scale,
      biasTensor: { dataType: 'float16', sizes: [2, 2], strides },
      outputTensor: { dataType: 'float16', sizes: [2, 2] },
    },
    data: {
      aTensor: signed(100, 90, 0, 0),
      aScaleTensor: halves(1, 0),
      bTensor: signed(100, 80, 0, 0),
      bScaleTensor: halves(10, 0),
      biasTensor: halves(...[-50_000, -40_000, -30_000, -20_000].slice(0, strides[0] === 2 ? 4 : 2)),
    },
  }));
}

/**
 * An element and a mean whose difference overflows float32 although the result would not. Each element has its own
 * parameters, so that DirectML does not multiply them out.
 */
export function differencesBeyondFloat32(): ConformanceCase {
  const sizes = [1, 1, 2, 2];
  const statistics = { dataType: 'float32' as const, sizes };
  return {
    descriptor: {
      type: 'batchNormalization',
      inputTensor: { dataType: 'float32', sizes },
      meanTensor: statistics,
      varianceTensor: statistics,
      scaleTensor: statistics,
      biasTensor: statistics,
      outputTensor: { dataType: 'float32', sizes },
      spatial: false,
      epsilon: 0,
    },
    data: {
      inputTensor: floats(3e38, -3e38, 1, 0),
      meanTensor: floats(-3e38, 3e38, -1, 0),
      varianceTensor: floats(1e10, 1e10, 1, 1),
      scaleTensor: floats(1, 1, 2, 3),
      biasTensor: floats(0, 0, 1, 2),
    },
  };
}

/**
 * Gathers whose index dimensions begin before the first of eight dimensions, and gathers whose dimensions are just few enough. The
 * output leaves out the ones at the front.
 */
export function wideGathers(): ConformanceCase[] {
  return [
    { input: [1, 1, 1, 1, 1, 1, 2, 3], axis: 6, indices: [1, 2, 2, 2, 2, 2, 2, 2], most: 7 },
    { input: [1, 1, 1, 1, 1, 1, 2, 3], axis: 6, indices: [1, 1, 1, 1, 2, 1, 2, 2], most: 7 },
    { input: [1, 1, 1, 1, 2, 3, 2, 1], axis: 4, indices: [1, 1, 1, 2, 2, 2, 2, 2], most: 5 },
    { input: [1, 1, 1, 1, 2, 3, 2], axis: 4, indices: [1, 1, 2, 2, 2, 2, 2], most: 6 },
  ].flatMap(({ input, axis, indices, most }) =>
    Array.from({ length: indices.length - most + 1 }, (_, i): ConformanceCase => {
      const all = [...input.slice(0, axis), ...indices, ...input.slice(axis + 1)];
      const count = indices.reduce((product, size) => product * size, 1);
      const elements = input.reduce((product, size) => product * size, 1);
      return {
        descriptor: {
          type: 'gather',
          inputTensor: { dataType: 'float32', sizes: input },
          indicesTensor: { dataType: 'uint32', sizes: indices },
          outputTensor: { dataType: 'float32', sizes: all.slice(-input.length) },
          ...{ axis, indexDimensions: most + i },
        },
        data: {
          inputTensor: floats(...Array.from({ length: elements }, (_element, element) => element + 1)),
          indicesTensor: base64(new Uint8Array(Uint32Array.from({ length: count }, (_index, index) => index % 2).buffer)),
        },
      };
    }),
  );
}

/**
 * Attention whose scale lies halfway between two numbers of float16, and whose weights depend on its last bits: rounding it would
 * change the results by at least five times the tolerance.
 */
export function attentionScales(type: 'multiheadAttention' | 'multiheadAttention1'): ConformanceCase[] {
  return [1 + 2 ** -11, -0.5 - 2 ** -12, 0.25 + 2 ** -13].map((scale) => {
    const [queries, keys, values] = [
      [1 / scale, -1 / scale],
      [1, -1],
      [2, -2],
    ];
    const tensor = { dataType: 'float32' as const, sizes: [1, 2, 1] };
    const absent = {
      ...{ stackedQueryKeyTensor: null, stackedKeyValueTensor: null, stackedQueryKeyValueTensor: null, biasTensor: null },
      ...{ maskTensor: null, relativePositionBiasTensor: null, pastKeyTensor: null, pastValueTensor: null },
      ...{ outputPresentKeyTensor: null, outputPresentValueTensor: null },
    };
    const fields = {
      ...{ queryTensor: tensor, keyTensor: tensor, valueTensor: tensor, outputTensor: tensor, ...absent },
      ...{ maskType: 'none' as const, maskFilterValue: -10000, scale },
    };
    return {
      descriptor:
        type === 'multiheadAttention'
          ? { type, ...fields, headCount: 1 }
          : { type, ...fields, pastSequenceLengthsTensor: null, queryHeadCount: 1, keyValueHeadCount: 1 },
      data: { queryTensor: floats(...queries), keyTensor: floats(...keys), valueTensor: floats(...values) },
    };
  });
}
