/** The examples in the texts of lib/operators whose tensors have several dimensions, or data types other than float32. */
import { tensor, type Stated } from '../../checks/cases/example.js';
import { bytes, floats, floatTensor, own, unary } from '../../checks/cases/own-example.js';

const channels = [1, 8, 1, 1];
const blocks = [1, 2, 2, 2];

/** For each text, its examples in the order in which they appear. */
export const stackedExamples: Readonly<Record<string, readonly Stated[]>> = {
  depthToSpace: [moved('depthToSpace', channels, blocks)],
  spaceToDepth: [moved('spaceToDepth', blocks, channels)],
  depthToSpace1: [
    moved('depthToSpace1', channels, blocks, { order: 'depthColumnRow' }),
    moved('depthToSpace1', channels, blocks, { order: 'columnRowDepth' }),
  ],
  spaceToDepth1: [
    moved('spaceToDepth1', blocks, channels, { order: 'depthColumnRow' }),
    moved('spaceToDepth1', blocks, channels, { order: 'columnRowDepth' }),
  ],
  diagonalMatrix1: [diagonals(0, 2), diagonals(2, 0)],
  elementWiseQuantizeLinear: [
    (input, output) => {
      const [scaleTensor, zeroPointTensor] = [floats(...input.map(() => 0.5)), bytes(...input.map(() => 10))];
      const inputs = { inputTensor: floats(...input), scaleTensor, zeroPointTensor };
      return own('elementWiseQuantizeLinear', inputs, { outputTensor: bytes(...output) });
    },
  ],
  elementWiseDequantizeLinear: [
    (input, output) => {
      const [scaleTensor, zeroPointTensor] = [floats(...input.map(() => 0.5)), bytes(...input.map(() => 10))];
      const inputs = { inputTensor: bytes(...input), scaleTensor, zeroPointTensor };
      return own('elementWiseDequantizeLinear', inputs, { outputTensor: floats(...output) });
    },
  ],
  fillValueSequence: [
    ([valueStart, valueDelta], output) =>
      own('fillValueSequence', {}, { outputTensor: bytes(...output) }, { valueDataType: 'uint8', valueStart, valueDelta }),
  ],
  gather: [
    (input, output) => {
      const inputs = { inputTensor: floatTensor([3, 2], ...input), indicesTensor: tensor('uint32', [1, 2], [2, 0]) };
      return own('gather', inputs, { outputTensor: floatTensor([2, 2], ...output) }, { axis: 0, indexDimensions: 1 });
    },
  ],
  gatherNd: [gatherTuples('gatherNd')],
  gatherNd1: [gatherTuples('gatherNd1')],
  localResponseNormalization: [
    (input, output) =>
      unary('localResponseNormalization', floatTensor([1, 3, 1, 1], ...input), floatTensor([1, 3, 1, 1], ...output), {
        crossChannel: true,
        localSize: 3,
        alpha: 3,
        beta: 1,
        bias: 1,
      }),
  ],
  maxPooling1: [peakIndices('maxPooling1')],
  maxPooling2: [peakIndices('maxPooling2')],
  maxUnpooling: [
    (input, output) => {
      const indicesTensor = tensor('uint32', [2, 1, 1, 1], [1, 2]);
      const inputs = { inputTensor: floatTensor([2, 1, 1, 1], ...input), indicesTensor };
      return own('maxUnpooling', inputs, { outputTensor: floatTensor([2, 1, 1, 2], ...output) });
    },
  ],
  nonzeroCoordinates: [
    (input, output) => {
      const outputCoordinatesTensor = tensor('uint32', [4, 2], [...output, null, null, null, null]);
      const outputs = { outputCountTensor: tensor('uint32', [1], [2]), outputCoordinatesTensor };
      return own('nonzeroCoordinates', { inputTensor: floatTensor([2, 2], ...input) }, outputs);
    },
  ],
  oneHot: [
    (input, output) => {
      const inputs = { indicesTensor: tensor('int32', [3, 1], input), valuesTensor: floatTensor([1, 2], 0, 1) };
      return own('oneHot', inputs, { outputTensor: floatTensor([3, 3], ...output) }, { axis: 1 });
    },
  ],
};

function moved(
  type: 'depthToSpace' | 'depthToSpace1' | 'spaceToDepth' | 'spaceToDepth1',
  from: readonly number[],
  to: readonly number[],
  fields: Readonly<Record<string, unknown>> = {},
): Stated {
  return (input, output) => unary(type, floatTensor(from, ...input), floatTensor(to, ...output), { blockSize: 2, ...fields });
}

function diagonals(diagonalFillBegin: number, diagonalFillEnd: number): Stated {
  const fields = { valueDataType: 'float32', value: 7, diagonalFillBegin, diagonalFillEnd };
  const matrix = (values: readonly number[]) => floatTensor([1, 1, 3, 3], ...values);
  return (input, output) => unary('diagonalMatrix1', matrix(input), matrix(output), fields);
}

function gatherTuples(type: 'gatherNd' | 'gatherNd1'): Stated {
  const counts = { inputDimensionCount: 2, indicesDimensionCount: 2 };
  const fields = type === 'gatherNd1' ? { ...counts, batchDimensionCount: 0 } : counts;
  return (input, output) => {
    const inputs = { inputTensor: floatTensor([2, 2], ...input), indicesTensor: tensor('uint32', [2, 2], [0, 1, 1, 0]) };
    return own(type, inputs, { outputTensor: floatTensor([1, 2], ...output) }, fields);
  };
}

function peakIndices(type: 'maxPooling1' | 'maxPooling2'): Stated {
  const window = { strides: [1, 1], windowSize: [1, 2], startPadding: [0, 0], endPadding: [0, 0] };
  return (input, output) => {
    const outputIndicesTensor = tensor('uint32', [2, 1, 1, 1], output);
    const outputs = { outputTensor: tensor('float32', [2, 1, 1, 1], null), outputIndicesTensor };
    return own(type, { inputTensor: floatTensor([2, 1, 1, 2], ...input) }, outputs, window);
  };
}
