// @ts-check
// What the pictures on the pages of operators show: for each operator small inputs, and the fields of its descriptor. The
// reference computes the outputs while the site is built (compute.mjs), and draw.mjs draws both.

/** @typedef {import('../../../dist/index.mjs').DataType} DataType */
/** @typedef {{ sizes: number[], values: number[], dataType: DataType }} Data */
/** @typedef {{ text: string, inputs: Record<string, Data | Data[]>, fields?: Record<string, unknown> }} Drawn */

/** @returns {Data} */
const matrix = (/** @type {number[][]} */ ...rows) => ({
  sizes: [rows.length, rows[0]?.length ?? 0],
  values: rows.flat(),
  dataType: 'float32',
});
/** @returns {Data} */
const list = (/** @type {number[]} */ ...values) => ({ sizes: [values.length], values, dataType: 'float32' });
/** Whole numbers that say where or how many. */
const whole = (/** @type {Data} */ data) => ({ ...data, dataType: /** @type {const} */ ('uint32') });
/** Images or channels, of the same size, in one tensor. */
const image = (/** @type {Data[]} */ ...channels) => ({
  sizes: [1, channels.length, ...(channels[0]?.sizes ?? [])],
  values: channels.flatMap(({ values }) => values),
  dataType: /** @type {const} */ ('float32'),
});
/** 1, 2, 3 and so on, row by row. */
const counted = (/** @type {number[]} */ ...sizes) => ({
  sizes,
  values: Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, (_, i) => i + 1),
  dataType: /** @type {const} */ ('float32'),
});

const square = image(matrix([0, 0, 0, 0, 0], [0, 8, 8, 8, 0], [0, 8, 8, 8, 0], [0, 8, 8, 8, 0], [0, 0, 0, 0, 0]));
const rough = image(matrix([1, 3, 2, 0], [5, 2, 7, 1], [0, 4, 6, 8], [2, 1, 3, 9]));
const quarters = { strides: [2, 2], windowSize: [2, 2] };
const unsorted = matrix([3, 9, 1, 7], [8, 2, 6, 4]);
const slope = image(counted(6, 6));
const region = { roiTensor: matrix([1, 1, 5, 5]), batchIndicesTensor: whole(list(0)) };

/** @type {Record<string, Drawn>} */
export const drawn = {
  convolution: {
    text: 'Each output element is the weighted sum of a 3 × 3 window. This filter finds edges: it gives 0 where all is equal.',
    inputs: { inputTensor: square, filterTensor: image(matrix([0, -1, 0], [-1, 4, -1], [0, -1, 0])) },
    fields: { startPadding: [1, 1], endPadding: [1, 1] },
  },
  maxPooling: { text: 'The largest element of each 2 × 2 window.', inputs: { inputTensor: rough }, fields: quarters },
  maxPooling2: {
    text: 'The largest element of each 2 × 2 window, and its place, counted row by row.',
    inputs: { inputTensor: rough },
    fields: { ...quarters, outputIndicesTensor: {} },
  },
  averagePooling: {
    text: 'The mean of each 2 × 2 window.',
    inputs: { inputTensor: rough },
    fields: { ...quarters, includePadding: false },
  },
  lpPooling: {
    text: 'The length of each 2 × 2 window as a vector.',
    inputs: { inputTensor: rough },
    fields: { ...quarters, p: 2 },
  },
  maxUnpooling: {
    text: 'Each element goes to the place that the indices name, counted row by row. The rest is 0.',
    inputs: { inputTensor: image(matrix([5, 7], [4, 9])), indicesTensor: whole(image(matrix([4, 6], [9, 15]))) },
    fields: { outputTensor: { sizes: [1, 1, 4, 4] } },
  },
  resample2: {
    text: 'Linear interpolation between the elements of a smaller image.',
    inputs: { inputTensor: image(matrix([0, 8], [8, 16])) },
    fields: { outputTensor: { sizes: [1, 1, 4, 4] }, interpolationMode: 'linear', roundingDirection: 'decreasing' },
  },
  upsample2d: {
    text: 'Each element is repeated twice in each direction.',
    inputs: { inputTensor: image(matrix([1, 2], [3, 4])) },
    fields: { scaleSize: { width: 2, height: 2 }, interpolationMode: 'nearestNeighbor' },
  },
  roiAlign: {
    text: 'The region from (1, 1) to (5, 5), in 2 × 2 means.',
    inputs: { inputTensor: slope, ...region },
    fields: { outputTensor: { sizes: [1, 1, 2, 2] }, maximumSamplesPerOutput: 4 },
  },
  gather: {
    text: 'The indices choose rows, in any order and more than once.',
    inputs: { inputTensor: counted(4, 3), indicesTensor: whole(matrix([3, 0, 0])) },
    fields: { axis: 0, indexDimensions: 1 },
  },
  gatherElements: {
    text: 'Each index names the row from which its column takes an element.',
    inputs: { inputTensor: counted(3, 3), indicesTensor: whole(matrix([1, 2, 0], [2, 0, 0])) },
    fields: { axis: 0 },
  },
  gatherNd: {
    text: 'Each row of indices is the place of one element: row and column.',
    inputs: { inputTensor: counted(3, 3), indicesTensor: whole(matrix([0, 0], [2, 1], [1, 2])) },
    fields: { inputDimensionCount: 2, indicesDimensionCount: 2 },
  },
  scatterElements: {
    text: 'Each index names the row into which its column gets the update.',
    inputs: {
      inputTensor: counted(3, 3),
      indicesTensor: whole(matrix([2, 0, 1])),
      updatesTensor: matrix([20, 30, 40]),
    },
    fields: { axis: 0 },
  },
  scatterNd: {
    text: 'The indices name whole rows, which the updates replace.',
    inputs: {
      inputTensor: counted(4, 3),
      indicesTensor: whole(matrix([3], [1])),
      updatesTensor: matrix([20, 21, 22], [30, 31, 32]),
    },
    fields: { inputDimensionCount: 2, indicesDimensionCount: 2 },
  },
  padding: {
    text: 'The elements beside an edge appear again outside of it, mirrored.',
    inputs: { inputTensor: counted(3, 3) },
    fields: { paddingMode: 'reflection', startPadding: [1, 2], endPadding: [1, 2] },
  },
  padding1: {
    text: 'What leaves on one side comes in on the other.',
    inputs: { inputTensor: counted(3, 3) },
    fields: { paddingMode: 'wrap', startPadding: [1, 2], endPadding: [1, 2] },
  },
  slice: {
    text: 'Every second column, from the second row on.',
    inputs: { inputTensor: counted(4, 5) },
    fields: { offsets: [1, 0], sizes: [3, 3], strides: [1, 2] },
  },
  slice1: {
    text: 'A negative stride takes the rows from the last to the first.',
    inputs: { inputTensor: counted(3, 4) },
    fields: { inputWindowOffsets: [0, 1], inputWindowSizes: [3, 3], inputWindowStrides: [-1, 1] },
  },
  sliceGrad: {
    text: 'The elements return to the places from which a slice took them. The rest is 0.',
    inputs: { inputGradientTensor: counted(2, 2) },
    fields: {
      outputGradientTensor: { sizes: [4, 4] },
      inputWindowOffsets: [0, 1],
      inputWindowSizes: [3, 3],
      inputWindowStrides: [2, 2],
    },
  },
  tile: {
    text: 'The whole tensor twice, in each direction.',
    inputs: { inputTensor: counted(2, 3) },
    fields: { repeats: [2, 2] },
  },
  join: {
    text: 'Both tensors, one beside the other.',
    inputs: { inputTensors: [counted(2, 2), matrix([11, 12, 13], [14, 15, 16])] },
    fields: { axis: 1 },
  },
  split: {
    text: 'The first row, and the other three.',
    inputs: { inputTensor: counted(4, 3) },
    fields: { outputTensors: [{ sizes: [1, 3] }, { sizes: [3, 3] }], axis: 0 },
  },
  depthToSpace: {
    text: 'Each output block of 2 × 2 has one element of each channel.',
    inputs: { inputTensor: counted(1, 4, 2, 2) },
    fields: { blockSize: 2 },
  },
  spaceToDepth: {
    text: 'The elements of each block of 2 × 2 go to four channels.',
    inputs: { inputTensor: counted(1, 1, 4, 4) },
    fields: { blockSize: 2 },
  },
  unfold: {
    text: 'Each column of the output is one 2 × 2 window.',
    inputs: { inputTensor: counted(1, 1, 3, 3) },
    fields: { windowSizes: [2, 2] },
  },
  reverseSubsequences: {
    text: 'As many elements of each row as its length says, in reverse order.',
    inputs: { inputTensor: counted(3, 4), sequenceLengthsTensor: whole(matrix([2], [4], [3])) },
    fields: { axis: 1 },
  },
  cumulativeSummation: {
    text: 'Each element is the sum of its row up to here.',
    inputs: { inputTensor: matrix([2, 1, 3, 5], [3, 8, 7, 3], [9, 6, 2, 4]) },
    fields: { axis: 1 },
  },
  cumulativeProduct: {
    text: 'Each element is the product of its row up to here.',
    inputs: { inputTensor: matrix([1, 2, 3, 4], [2, 2, 2, 2]) },
    fields: { axis: 1 },
  },
  reduce: {
    text: 'The sum of each row.',
    inputs: { inputTensor: matrix([1, 2, 3], [3, 0, 4], [2, 4, 2]) },
    fields: { function: 'sum', axes: [1] },
  },
  argmax: { text: 'The column of the largest element of each row.', inputs: { inputTensor: unsorted }, fields: { axes: [1] } },
  topK: {
    text: 'The two largest elements of each row, and their columns.',
    inputs: { inputTensor: unsorted },
    fields: { axis: 1, k: 2 },
  },
  topK1: {
    text: 'All elements of each row, from the smallest on: a sort. The indices say where each of them was.',
    inputs: { inputTensor: unsorted },
    fields: { axis: 1, k: 4, axisDirection: 'increasing' },
  },
  oneHot: {
    text: 'Each index becomes a row with a 1 in its column.',
    inputs: { indicesTensor: whole(matrix([0], [3], [2])), valuesTensor: matrix([0, 1]) },
    fields: { outputTensor: { sizes: [3, 4] }, axis: 1 },
  },
  diagonalMatrix: {
    text: 'Ones along a diagonal.',
    inputs: {},
    fields: { outputTensor: { dataType: 'float32', sizes: [4, 5] }, offset: 1, value: 1 },
  },
  diagonalMatrix1: {
    text: 'The value wherever a column is at most its row: a causal mask.',
    inputs: {},
    fields: {
      outputTensor: { dataType: 'float32', sizes: [4, 4] },
      value: 1,
      diagonalFillBegin: -4,
      diagonalFillEnd: 1,
    },
  },
  fillValueSequence: {
    text: 'Begins with the start, and adds the step for each element.',
    inputs: {},
    fields: { outputTensor: { dataType: 'float32', sizes: [6] }, valueStart: 10, valueDelta: -3 },
  },
  gemm: {
    text: 'Each element is the product of a row of a and a column of b, summed up.',
    inputs: { aTensor: counted(2, 3), bTensor: matrix([1, 0, 2, -1], [0, 1, 2, 0], [1, 1, 2, 0]) },
  },
  elementWiseIf: {
    text: 'Takes an element of a where the condition is not 0, and else one of b.',
    inputs: {
      conditionTensor: { ...matrix([1, 0, 1], [0, 1, 1]), dataType: 'uint8' },
      aTensor: counted(2, 3),
      bTensor: matrix([11, 12, 13], [14, 15, 16]),
    },
  },
  activationRelu: { text: 'Negative elements become 0.', inputs: { inputTensor: matrix([-3, 2, -1, 4], [5, -6, 0, 1]) } },
  activationSoftmax1: {
    text: 'Positive numbers that add up to 1 in each row.',
    inputs: { inputTensor: matrix([1, 2, 3], [0, 0, 4]) },
    fields: { axes: [1] },
  },
  meanVarianceNormalization1: {
    text: 'Each row gets the mean 0 and the variance 1.',
    inputs: { inputTensor: matrix([1, 3, 5, 7], [2, 2, 8, 8]) },
    fields: { axes: [1], epsilon: 0 },
  },
};
