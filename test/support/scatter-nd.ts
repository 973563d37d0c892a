/** The example of ScatterND's reference page. */
import type { ScatterNdDescriptor } from 'node-directml';

export const example: ScatterNdDescriptor = {
  type: 'scatterNd',
  inputTensor: { dataType: 'float32', sizes: [1, 8] },
  indicesTensor: { dataType: 'uint32', sizes: [4, 1] },
  updatesTensor: { dataType: 'float32', sizes: [1, 4] },
  outputTensor: { dataType: 'float32', sizes: [1, 8] },
  inputDimensionCount: 1,
  indicesDimensionCount: 2,
};

/** The example with four dimensions, which feature level 2.1 requires. */
export const example4d: ScatterNdDescriptor = {
  ...example,
  inputTensor: { dataType: 'float32', sizes: [1, 1, 1, 8] },
  indicesTensor: { dataType: 'uint32', sizes: [1, 1, 4, 1] },
  updatesTensor: { dataType: 'float32', sizes: [1, 1, 1, 4] },
  outputTensor: { dataType: 'float32', sizes: [1, 1, 1, 8] },
};

export const exampleInput = [1, 2, 3, 4, 5, 6, 7, 8];
export const exampleIndices = [4, 3, 1, 7];
export const exampleUpdates = [9, 10, 11, 12];
export const exampleOutput = [1, 11, 3, 10, 9, 6, 7, 12];
