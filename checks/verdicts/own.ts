/** Descriptors that the generators never or rarely produce, each with its purpose. */
import type { LooseDescriptor } from '../descriptors/candidate.js';

const float = (...sizes: number[]) => ({ dataType: 'float32' as const, sizes });
const bytes = (...sizes: number[]) => ({ dataType: 'uint8' as const, sizes });
const ints = (...sizes: number[]) => ({ dataType: 'int32' as const, sizes });
const uint = (...sizes: number[]) => ({ dataType: 'uint32' as const, sizes });

export const ownDescriptors: readonly LooseDescriptor[] = [
  // Too few and too many coordinates for the input's dimensions.
  ...[1, 3].map((width) => ({
    type: 'nonzeroCoordinates' as const,
    inputTensor: float(2, 3),
    outputCountTensor: uint(1),
    outputCoordinatesTensor: uint(6, width),
  })),
  // B repeats one row: strides of 0 are valid.
  {
    type: 'gemm',
    aTensor: float(1, 1, 2, 3),
    bTensor: { ...float(1, 1, 3, 4), strides: [0, 0, 0, 1] },
    outputTensor: float(1, 1, 2, 4),
    transA: 'none',
    transB: 'none',
    alpha: 1,
    beta: 1,
  },
  // B is one matrix for the whole batch: a fused softmax1 may only run along the last axis.
  ...[[3], [2], [2, 3]].map((axes) => ({
    type: 'gemm' as const,
    aTensor: float(2, 1, 2, 3),
    bTensor: { ...float(2, 1, 3, 4), strides: [0, 0, 4, 1] },
    outputTensor: float(2, 1, 2, 4),
    transA: 'none',
    transB: 'none',
    alpha: 1,
    beta: 1,
    fusedActivation: { type: 'activationSoftmax1', axes },
  })),
  // The same with other strides of the batch: B is one matrix only if every batch stride is 0.
  ...[
    { sizes: [1, 2, 3, 4], strides: [0, 0, 4, 1] },
    { sizes: [1, 2, 3, 4], strides: [5, 0, 4, 1] },
    { sizes: [1, 2, 3, 4], strides: [0, 12, 4, 1] },
    { sizes: [2, 2, 3, 4], strides: [0, 12, 4, 1] },
    { sizes: [1, 1, 3, 4], strides: [0, 0, 4, 1] },
  ].map(({ sizes: [batch = 1, channels = 1, ...matrix], strides }) => ({
    type: 'gemm' as const,
    aTensor: float(batch, channels, 2, 3),
    bTensor: { ...float(batch, channels, ...matrix), strides },
    outputTensor: float(batch, channels, 2, 4),
    transA: 'none',
    transB: 'none',
    alpha: 1,
    beta: 1,
    fusedActivation: { type: 'activationSoftmax1', axes: [2] },
  })),
  // A window as large as the input, with a single position, in one to three dimensions. Dilations and padding are refused
  // only if DirectML multiplies matrices instead.
  ...[
    {},
    { mode: 'convolution' },
    { direction: 'backward' },
    { groupCount: 2 },
    { dilations: [1], startPadding: [0], endPadding: [0] },
    { dilations: [1], startPadding: [1], endPadding: [0], strides: [2] },
    { outputPadding: [1], outputTensor: float(1, 1, 2) },
    { direction: 'backward', startPadding: [3], endPadding: [3], outputTensor: float(1, 1, 1) },
  ].map((change) => wholeInput(1, change)),
  ...[2, 3].map((dimensions) => wholeInput(dimensions, {})),
  // Only the filter may have a zero point per output channel.
  ...['inputZeroPointTensor', 'filterZeroPointTensor'].map((name) => ({
    type: 'convolutionInteger' as const,
    inputTensor: bytes(1, 2, 3, 3),
    filterTensor: bytes(2, 2, 3, 3),
    outputTensor: { dataType: 'int32' as const, sizes: [1, 2, 1, 1] },
    [name]: bytes(1, 2, 1, 1),
    strides: [1, 1],
    dilations: [1, 1],
    startPadding: [0, 0],
    endPadding: [0, 0],
    groupCount: 1,
  })),
  // The slice ends at the input's last element, and one after it.
  ...[2, 3].map((offset) => ({
    type: 'slice' as const,
    inputTensor: float(4),
    outputTensor: float(2),
    offsets: [offset],
    sizes: [2],
    strides: [1],
  })),
  // The output has half the steps of a window that spans a whole dimension, alone and with another dimension.
  ...[1, 2].map((columns) => ({
    type: 'slice1' as const,
    inputTensor: float(4, columns),
    outputTensor: float(2, columns),
    inputWindowOffsets: [0, 0],
    inputWindowSizes: [4, columns],
    inputWindowStrides: [1, 1],
  })),
  // The stride of the sequence lengths matters only in a batch of several.
  ...[
    { batch: 1, stride: 0 },
    { batch: 1, stride: 3 },
    { batch: 2, stride: 1 },
    { batch: 2, stride: 3 },
  ].map(({ batch, stride }) => ({
    type: 'multiheadAttention1' as const,
    queryTensor: float(batch, 1, 2),
    keyTensor: float(batch, 1, 2),
    valueTensor: float(batch, 1, 2),
    pastSequenceLengthsTensor: { dataType: 'int32' as const, sizes: [batch], strides: [stride] },
    outputTensor: float(batch, 1, 2),
    outputPresentKeyTensor: float(batch, 1, 4, 2),
    outputPresentValueTensor: float(batch, 1, 4, 2),
    scale: 1,
    maskFilterValue: -1,
    queryHeadCount: 1,
    keyValueHeadCount: 1,
    maskType: 'none',
  })),
  // The past is keys and values, or neither.
  ...(['pastKeyTensor', 'pastValueTensor'] as const).map((past) => ({
    type: 'multiheadAttention' as const,
    ...{ queryTensor: float(1, 1, 2), keyTensor: float(1, 1, 2), valueTensor: float(1, 1, 2), outputTensor: float(1, 1, 2) },
    [past]: float(1, 1, 2, 2),
    ...{ scale: 1, maskFilterValue: -1, headCount: 1, maskType: 'none' },
  })),
  // As many window elements as every GPU can process in time, and more; for a small and a large image.
  ...[
    { image: [4, 4], windowSize: [1024, 1024] },
    { image: [4, 4], windowSize: [1025, 1024] },
    { image: [1024, 1025], windowSize: [2048, 1025] },
    { image: [1024, 1025], windowSize: [2049, 1025] },
  ].map(({ image, windowSize }) => ({
    type: 'maxPooling' as const,
    inputTensor: float(1, 1, ...image),
    outputTensor: float(1, 1, 1, 1),
    strides: image,
    windowSize,
    startPadding: windowSize.map((size, axis) => size - (image[axis] ?? 0)),
    endPadding: [0, 0],
  })),
  // The scales of regions are invalid.
  ...['spatialScaleX', 'spatialScaleY'].flatMap((name) =>
    [0, -0.5, Infinity, NaN].map((scale) => ({
      type: 'roiAlign' as const,
      inputTensor: float(1, 1, 5, 5),
      roiTensor: float(1, 1, 1, 4),
      batchIndicesTensor: uint(1, 1, 1, 1),
      outputTensor: float(1, 1, 2, 2),
      reductionFunction: 'max',
      interpolationMode: 'linear',
      spatialScaleX: 1,
      spatialScaleY: 1,
      outOfBoundsInputValue: 0,
      minimumSamplesPerOutput: 2,
      maximumSamplesPerOutput: 2,
      [name]: scale,
    })),
  ),
  // The largest useful number of samples, and one more; then the largest of int32, and one more.
  ...[64, 65, 2 ** 31 - 1, 2 ** 31].map((minimumSamplesPerOutput) => ({
    type: 'roiAlign1' as const,
    inputTensor: float(1, 1, 5, 5),
    roiTensor: float(1, 1, 2, 4),
    batchIndicesTensor: uint(1, 1, 1, 2),
    outputTensor: float(2, 1, 2, 2),
    reductionFunction: 'max',
    interpolationMode: 'linear',
    spatialScaleX: 1,
    spatialScaleY: 1,
    inputPixelOffset: 0.5,
    outputPixelOffset: -0.5,
    outOfBoundsInputValue: 0,
    minimumSamplesPerOutput,
    maximumSamplesPerOutput: 2 ** 32 - 1,
    alignRegionsToCorners: false,
  })),
  // The most samples along an axis that 32 bits can count, and more.
  ...[
    [1, 2 ** 31 - 1],
    [1, 2 ** 31],
    [2 ** 31, 1],
  ].map((size) => ({
    type: 'roiAlign' as const,
    inputTensor: float(1, 1, 5, 5),
    roiTensor: float(1, 1, 1, 4),
    batchIndicesTensor: uint(1, 1, 1, 1),
    outputTensor: float(1, 1, ...size),
    reductionFunction: 'max',
    interpolationMode: 'linear',
    spatialScaleX: 1,
    spatialScaleY: 1,
    outOfBoundsInputValue: 0,
    minimumSamplesPerOutput: 2,
    maximumSamplesPerOutput: 2,
  })),
  // Statistics with equal sizes: two that do not fit the input, and one that does.
  ...[float(1, 1), float(2), float(3)].map((statistics) => ({
    type: 'batchNormalizationGrad' as const,
    inputTensor: float(3),
    inputGradientTensor: float(3),
    meanTensor: statistics,
    varianceTensor: statistics,
    scaleTensor: statistics,
    outputGradientTensor: float(3),
    outputScaleGradientTensor: statistics,
    outputBiasGradientTensor: statistics,
    epsilon: 0.001,
  })),
  // Blocks: how many quantization tensors there are, their data types and their sizes; of both operators, whose sides are swapped.
  ...[
    { quantizationType: 'none', quantizationTensors: [] },
    { quantizationTensors: [] },
    { quantizationTensors: [float(2, 3), bytes(2, 3)] },
    { quantizationType: 'scaleZeroPoint' },
    { quantizationType: 'scaleZeroPoint', quantizationTensors: [bytes(2, 3), bytes(2, 3)] },
    { quantizationType: 'scaleZeroPoint', quantizationTensors: [float(2, 3), float(2, 3)] },
    { quantizationTensors: [float(2, 4)] },
    { quantizationType: 'scaleZeroPoint', quantizationTensors: [float(2, 3), bytes(2, 1)] },
    { quantizationType: 'scaleZeroPoint', quantizationTensors: [float(2, 3), bytes(2, 3)] },
  ].flatMap((change) => {
    const common = { quantizationType: 'scale', quantizationTensors: [float(2, 3)], ...change };
    return [
      { type: 'quantize' as const, inputTensor: float(2, 6), ...common, outputTensor: bytes(2, 6) },
      { type: 'dequantize' as const, inputTensor: bytes(2, 6), ...common, outputTensor: float(2, 6) },
    ];
  }),
  // Blocks of 2 that do not fit the height, the width or the channels, and an output of another size; a block of 0.
  ...[float(1, 1, 3, 4), float(1, 1, 4, 3), float(1, 1, 4, 4)].map((inputTensor) => ({
    ...{ type: 'spaceToDepth1' as const, inputTensor, outputTensor: float(1, 4, 2, 1) },
    ...{ blockSize: 2, order: 'depthColumnRow' },
  })),
  ...[float(1, 6, 2, 2), float(1, 2, 2, 2), float(1, 8, 2, 2)].map((inputTensor) => ({
    ...{ type: 'depthToSpace1' as const, inputTensor, outputTensor: float(1, 1, 4, 4) },
    ...{ blockSize: 2, order: 'depthColumnRow' },
  })),
  ...(['spaceToDepth', 'depthToSpace'] as const).map((type) => ({
    ...{ type, inputTensor: float(1, 4, 2, 2), outputTensor: float(1, 4, 2, 2), blockSize: 0 },
  })),
  // As many elements as one dispatch has threads for, and one more; elements along the axes do not count.
  ...[16_776_960, 16_776_961].flatMap((most): LooseDescriptor[] => {
    const [along, line] = [float(2, most), float(1, most)];
    const grad = { type: 'batchNormalizationGrad' as const, ...allOf(line), epsilon: 0.001 };
    const training = { inputTensor: line, scaleTensor: line, biasTensor: line, fusedAddTensor: null, epsilon: 0.001 };
    const results = { outputTensor: line, outputMeanTensor: line, outputVarianceTensor: line, fusedActivation: null };
    const normalized = { scaleTensor: null, biasTensor: null, normalizeVariance: true, epsilon: 0.001, fusedActivation: null };
    return [
      { type: 'activationSoftmax1', inputTensor: along, outputTensor: along, axes: [0] },
      { type: 'activationSoftmax1', inputTensor: along, outputTensor: along, axes: [1] },
      { type: 'reduce', function: 'sum', inputTensor: along, outputTensor: line, axes: [0] },
      { type: 'argmax', inputTensor: along, outputTensor: uint(1, most), axes: [0], axisDirection: 'increasing' },
      { type: 'meanVarianceNormalization1', inputTensor: along, outputTensor: along, axes: [0], ...normalized },
      {
        ...{ type: 'nonzeroCoordinates' as const, inputTensor: float(most) },
        ...{ outputCountTensor: uint(1), outputCoordinatesTensor: uint(most, 1) },
      },
      grad,
      { ...grad, type: 'batchNormalizationTrainingGrad' },
      { type: 'batchNormalizationTraining', ...training, ...results },
    ];
  }),
  // Data types that no rule of the table refuses.
  { type: 'reduce', function: 'argmax', inputTensor: float(3), outputTensor: float(1), axes: [0] },
  ...(['fold', 'unfold'] as const).map((type) => ({
    type,
    inputTensor: { dataType: 'float64' as const, sizes: [1, 2, 4] },
    outputTensor: { dataType: 'float64' as const, sizes: [1, 2, 4] },
    ...{ windowSizes: [1], dilations: [1], strides: [1], startPadding: [0], endPadding: [0] },
  })),
  // Masks and caches of other sizes.
  ...(
    [
      { maskType: 'keySequenceLength', maskTensor: ints(2, 1) },
      { maskType: 'keySequenceEndStart', maskTensor: ints(1, 2) },
      { maskType: 'keyQuerySequenceLengthStartEnd', maskTensor: ints(1, 2) },
      { maskType: 'boolean', maskTensor: ints(1, 1, 1, 1) },
      { outputPresentKeyTensor: float(2, 1, 4, 2) },
      { outputPresentValueTensor: float(2, 1, 4, 2) },
    ] as const
  ).map((change) => ({
    type: 'multiheadAttention' as const,
    ...{ queryTensor: float(2, 1, 2), keyTensor: float(2, 3, 2), valueTensor: float(2, 3, 2), outputTensor: float(2, 1, 2) },
    ...{ scale: 1, maskFilterValue: -1, headCount: 1, maskType: 'none' },
    ...change,
  })),
  // The last axis is valid, too.
  { type: 'activationSoftmax1', inputTensor: float(2, 3), outputTensor: float(2, 3), axes: [1] },
];

/** The tensors of a batch normalization's gradient. */
function allOf(tensor: ReturnType<typeof float>) {
  const names = ['inputTensor', 'inputGradientTensor', 'meanTensor', 'varianceTensor', 'scaleTensor'];
  const outputs = ['outputGradientTensor', 'outputScaleGradientTensor', 'outputBiasGradientTensor'];
  return Object.fromEntries([...names, ...outputs].map((name) => [name, tensor]));
}

/** Dilations of 2, and padding at both ends so that the window has a single position. */
function wholeInput(dimensions: number, change: Record<string, unknown>): LooseDescriptor {
  const each = (value: number) => new Array<number>(dimensions).fill(value);
  const channels = change['groupCount'] === 2 ? 2 : 1;
  const places = change['direction'] === 'backward' ? each(5) : each(1);
  return {
    type: 'convolution',
    inputTensor: float(1, channels, ...each(3)),
    filterTensor: float(channels, 1, ...each(3)),
    outputTensor: float(1, channels, ...places),
    mode: 'crossCorrelation',
    direction: 'forward',
    strides: each(1),
    dilations: each(2),
    startPadding: each(1),
    endPadding: each(1),
    outputPadding: each(0),
    groupCount: 1,
    ...change,
  };
}
