/** The number of terms in the sums and products of an operator, for tolerances that grow with it. */
import type { WholeDescriptor } from '../cases/case.js';
import { product } from '../cases/layout.js';
import type { Descriptor } from './row.js';

export function termsOf(descriptor: Descriptor): number {
  switch (descriptor.type) {
    case 'reduce':
    case 'activationSoftmax1':
    case 'activationLogSoftmax1':
      return elementsAlong(descriptor.inputTensor.sizes, new Set(descriptor.axes));
    case 'activationSoftmax':
    case 'activationLogSoftmax':
      return descriptor.inputTensor.sizes.at(-1) ?? 1;
    case 'cumulativeSummation':
    case 'cumulativeProduct':
    case 'lpNormalization':
      return descriptor.inputTensor.sizes[descriptor.axis] ?? 1;
    case 'fold':
      return product(descriptor.windowSizes);
    case 'convolution': {
      const { filterTensor, groupCount, direction } = descriptor;
      const [from = 1, to = 1, ...window] = filterTensor.sizes;
      return (direction === 'forward' ? to : from / groupCount) * product(window);
    }
    case 'averagePooling':
    case 'averagePooling1':
    case 'averagePoolingGrad':
    case 'lpPooling':
    case 'lpPooling1':
      return product(descriptor.windowSize);
    case 'gemm':
      return Math.max(descriptor.aTensor.sizes.at(descriptor.transA === 'none' ? -1 : -2) ?? 1, softmaxTerms(descriptor));
    case 'matrixMultiplyIntegerToFloat':
      return descriptor.aTensor.sizes.at(-1) ?? 1;
    case 'rnn':
    case 'gru':
    case 'lstm': {
      const { weightTensor, recurrenceTensor } = descriptor;
      return (weightTensor.sizes.at(-1) ?? 1) + (recurrenceTensor.sizes.at(-1) ?? 1) + 3;
    }
    case 'multiheadAttention':
    case 'multiheadAttention1':
      return attentionTerms(descriptor);
    case 'upsample2d':
    case 'resample':
    case 'resample1':
    case 'resample2':
    case 'resample3':
      return total(descriptor.inputTensor.sizes);
    case 'resampleGrad':
    case 'resampleGrad1':
      return total(descriptor.inputGradientTensor.sizes);
    case 'meanVarianceNormalization':
    case 'meanVarianceNormalization1':
    case 'meanVarianceNormalization2':
      return elementsAlong(descriptor.inputTensor.sizes, meanVarianceAxes(descriptor));
    case 'batchNormalizationTraining':
      return product(descriptor.inputTensor.sizes) / product(descriptor.scaleTensor.sizes);
    case 'batchNormalizationGrad':
    case 'batchNormalizationTrainingGrad':
      return product(descriptor.inputTensor.sizes) / product(descriptor.meanTensor.sizes);
    case 'localResponseNormalization':
    case 'localResponseNormalizationGrad': {
      const { inputTensor, crossChannel, localSize } = descriptor;
      const window = inputTensor.sizes.slice(crossChannel ? 1 : 2, crossChannel ? 2 : 4);
      return product(window.map((size) => Math.min(localSize, size)));
    }
    case 'roiAlign':
    case 'roiAlign1':
      return total(descriptor.inputTensor.sizes.slice(-2));
    case 'roiAlignGrad': {
      const image = descriptor.outputGradientTensor ?? descriptor.inputTensor;
      const [regions = 1, channels = 1, ...size] = descriptor.inputGradientTensor.sizes;
      return total(image?.sizes?.slice(-2) ?? []) * Math.max(regions, channels) * product(size);
    }
    default:
      return 1;
  }
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

type MeanVariance = WholeDescriptor<`meanVarianceNormalization${'' | 1 | 2}`>;

export function meanVarianceAxes(descriptor: MeanVariance): ReadonlySet<number> {
  if (descriptor.type !== 'meanVarianceNormalization') return new Set(descriptor.axes);
  return new Set(descriptor.crossChannel ? [1, 2, 3] : [2, 3]);
}

function elementsAlong(sizes: readonly number[], axes: ReadonlySet<number>): number {
  return sizes.reduce((count, size, axis) => (axes.has(axis) ? count * size : count), 1);
}

function softmaxTerms({ fusedActivation, outputTensor }: WholeDescriptor<'gemm'>): number {
  const sizes = outputTensor?.sizes ?? [];
  if (fusedActivation?.type === 'activationSoftmax') return sizes.at(-1) ?? 1;
  return fusedActivation?.type === 'activationSoftmax1' ? elementsAlong(sizes, new Set(fusedActivation.axes)) : 1;
}

/** A product and a sum for each element of a query, for the score; then one term for each key. */
function attentionTerms(descriptor: WholeDescriptor<'multiheadAttention' | 'multiheadAttention1'>): number {
  const { queryTensor, keyTensor, stackedQueryKeyTensor, stackedKeyValueTensor, pastKeyTensor } = descriptor;
  const headCount = 'headCount' in descriptor ? descriptor.headCount : descriptor.queryHeadCount;
  const stacked = stackedQueryKeyTensor ?? descriptor.stackedQueryKeyValueTensor;
  const size = queryTensor ? (queryTensor.sizes.at(-1) ?? 1) / headCount : (stacked?.sizes.at(-1) ?? 1);
  const keys = keyTensor?.sizes.at(-2) ?? (stackedKeyValueTensor ?? stacked)?.sizes[1] ?? 1;
  if ('pastSequenceLengthsTensor' in descriptor && descriptor.pastSequenceLengthsTensor) {
    return 2 * size + (descriptor.outputPresentKeyTensor?.sizes?.at(-2) ?? 1);
  }
  return 2 * size + keys + (pastKeyTensor?.sizes.at(-2) ?? 0);
}
