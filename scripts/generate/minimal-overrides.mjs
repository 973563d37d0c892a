// The fields of some operators that need other values than minimal-descriptors.mjs chooses: shapes, counts, enum members.

/** @typedef {Record<string, unknown>} Overrides */

const tensor =
  (/** @type {string} */ dataType) =>
  (/** @type {number[]} */ ...sizes) => ({ dataType, sizes });
const f32 = tensor('float32');
const i32 = tensor('int32');
const u32 = tensor('uint32');
const u8 = tensor('uint8');
const one = f32(1, 1, 1, 1);
const tanh = { type: 'activationTanh' };
const sigmoid = { type: 'activationSigmoid' };

const perChannel = { meanTensor: one, varianceTensor: one, scaleTensor: one, biasTensor: one };
const channelGradients = { outputScaleGradientTensor: one, outputBiasGradientTensor: one };
const matrix = { bTensor: f32(1, 1, 3, 3) };
const integerMatrix = { bTensor: u8(1, 1, 3, 3) };
const matrixScales = { aScaleTensor: one, bScaleTensor: one };
const alongLastAxis = { outputTensor: i32(1, 1, 2, 1) };
const topK = { outputValueTensor: f32(1, 1, 2, 1), outputIndexTensor: u32(1, 1, 2, 1) };
const tuples = { indicesTensor: i32(1, 1, 1, 4), inputDimensionCount: 4, indicesDimensionCount: 2 };
const region = {
  roiTensor: f32(1, 1, 1, 4),
  batchIndicesTensor: u32(1, 1, 1, 1),
  reductionFunction: 'average',
};
const attention = {
  queryTensor: f32(1, 2, 3),
  keyTensor: f32(1, 2, 3),
  valueTensor: f32(1, 2, 3),
  outputTensor: f32(1, 2, 3),
};
/** A recurrent operator over one step, with input size 2 and 3 hidden units; each unit has `gates` rows of weights. */
const recurrent = (/** @type {number} */ gates, /** @type {Overrides[]} */ activationDescs) => ({
  inputTensor: f32(1, 1, 1, 2),
  weightTensor: f32(1, 1, 3 * gates, 2),
  recurrenceTensor: f32(1, 1, 3 * gates, 3),
  outputSequenceTensor: f32(1, 1, 1, 3),
  activationDescs,
});

/** @type {Record<string, Overrides>} */
export const overrides = {
  adamOptimizer: { trainingStepTensor: u32(1, 1, 1, 1) },
  argmax: alongLastAxis,
  argmin: alongLastAxis,
  batchNormalizationGrad: { ...perChannel, ...channelGradients },
  batchNormalizationTraining: { ...perChannel, outputMeanTensor: one, outputVarianceTensor: one },
  batchNormalizationTrainingGrad: { ...perChannel, ...channelGradients },
  convolution: { filterTensor: one },
  convolutionInteger: { filterTensor: u8(1, 1, 1, 1) },
  dequantize: { quantizationType: 'scale' },
  dynamicQuantizeLinear: { outputScaleTensor: one, outputZeroPointTensor: u8(1, 1, 1, 1) },
  elementWiseQuantizedLinearAdd: { ...matrixScales, outputScaleTensor: one },
  fold: { inputTensor: f32(1, 1, 6) },
  gather: { indicesTensor: i32(1, 1, 1, 1), outputTensor: f32(1, 1, 2, 1) },
  gatherNd: { ...tuples, outputTensor: one },
  gatherNd1: { ...tuples, batchDimensionCount: 0, outputTensor: one },
  gemm: matrix,
  gru: recurrent(3, [sigmoid, tanh]),
  lstm: recurrent(4, [sigmoid, tanh, tanh]),
  matrixMultiplyInteger: integerMatrix,
  matrixMultiplyIntegerToFloat: { ...integerMatrix, ...matrixScales },
  multiheadAttention: attention,
  multiheadAttention1: attention,
  nonzeroCoordinates: { outputCountTensor: u32(1), outputCoordinatesTensor: u32(6, 4) },
  oneHot: { indicesTensor: u32(1, 1, 2, 1), valuesTensor: f32(1, 1, 1, 2) },
  quantize: { quantizationType: 'scale' },
  quantizedLinearAveragePooling: { inputScaleTensor: one, outputScaleTensor: one },
  quantizedLinearConvolution: {
    filterTensor: u8(1, 1, 1, 1),
    inputScaleTensor: one,
    filterScaleTensor: one,
    outputScaleTensor: one,
  },
  quantizedLinearMatrixMultiply: { ...integerMatrix, ...matrixScales, outputScaleTensor: one },
  randomGenerator: { inputStateTensor: u32(1, 1, 1, 6) },
  reduce: { function: 'sum', outputTensor: f32(1, 1, 2, 1) },
  reverseSubsequences: { sequenceLengthsTensor: u32(1, 1, 2, 1) },
  rnn: recurrent(1, [tanh]),
  roiAlign: { ...region, outputTensor: one },
  roiAlign1: { ...region, outputTensor: one },
  roiAlignGrad: { ...region, inputGradientTensor: one, outputGradientTensor: f32(1, 1, 2, 3) },
  roiPooling: { roiTensor: f32(1, 1, 1, 5), outputTensor: one },
  scatterNd: { ...tuples, updatesTensor: one },
  topK,
  topK1: topK,
  unfold: { outputTensor: f32(1, 1, 6) },
};
