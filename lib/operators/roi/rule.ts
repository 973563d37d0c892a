/** Operators on regions of interest: parts of an image that are pooled or resampled to a common size. */
import type { ReduceFunction } from '../../tensors/generated/enums.js';
import { needSizes, type Drafted, type TensorOrDraft } from '../../descriptors/drafted.js';
import { strict, strictly } from '../../descriptors/strict.js';
import { hasSizes, inRange, sameDataType, sameSizes } from '../../descriptors/checks.js';
import { refuse, tensorOf, type Rule, type WithTensors } from '../../descriptors/rule.js';

/** The most samples per output element that DirectML accepts along one dimension. */
const MAX_SAMPLES = 2 ** 31 - 1;
/**
 * The most samples along one dimension that are useful. Detectors take 1 to 4, and a large region has one for each
 * element of the image in any case. With this limit an output element costs at most 64² = 4096 samples that its
 * region does not ask for.
 */
const MAX_USEFUL_SAMPLES = 64;

/**
 * All tensors have the same data type. `roiTensor` has the sizes [1, 1, regions, 5]: the index of an image in the
 * batch, then left, top, right and bottom. `outputTensor` has the sizes [regions, channels of `inputTensor`, height,
 * width], with the height and the width of `pooledSize`.
 */
export const roiPooling: Rule<'roiPooling'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'roiTensor', 'outputTensor');
  const regions = operator.roiTensor.sizes[2] ?? 1;
  hasSizes(operator, 'roiTensor', [1, 1, regions, 5], 'five numbers for each region');
  const { height, width } = operator.pooledSize;
  const expected = [regions, channelsOf(operator.inputTensor), height, width];
  hasSizes(operator, 'outputTensor', expected, 'regions, channels of inputTensor, and pooledSize');
};

/**
 * All tensors except `batchIndicesTensor` have the same data type. {@inheritDoc regionsOf} `outputTensor` has the
 * sizes [regions, channels of `inputTensor`, height, width], with any height and width. {@inheritDoc samplesFit} The
 * sizes of `outputTensor` must be given.
 */
export const roiAlign: Rule<'roiAlign' | 'roiAlign1'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'roiTensor', 'outputTensor');
  const regions = regionsOf(operator);
  holdsRegions(operator, 'outputTensor', regions, 'inputTensor', operator.inputTensor);
  samplesFit(operator, 'outputTensor', operator.outputTensor);
};
export const roiAlign1 = roiAlign;

/**
 * All tensors except `batchIndicesTensor` have the same data type. {@inheritDoc regionsOf} At least one of
 * `outputGradientTensor` and `outputRoiGradientTensor` is given. `inputTensor` is given if, and only if,
 * `outputRoiGradientTensor` is given or `reductionFunction` is `'max'`. `outputGradientTensor` has the sizes of
 * `inputTensor`, and `outputRoiGradientTensor` those of `roiTensor`. `inputGradientTensor` has the sizes [regions,
 * channels, height, width], with the channels of the image and any height and width. {@inheritDoc samplesFit} The sizes
 * of `outputGradientTensor` must be given if there is no `inputTensor`.
 */
export const roiAlignGrad: Rule<'roiAlignGrad'> = (operator) => {
  const { inputTensor, outputGradientTensor, outputRoiGradientTensor } = operator;
  const image = inputTensor ?? outputGradientTensor;
  if (outputGradientTensor === null && outputRoiGradientTensor === null) {
    const why = 'there is nothing to compute without it and without outputRoiGradientTensor';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'outputGradientTensor', 'a tensor', 'none', why);
  }
  const needsInput = outputRoiGradientTensor !== null || operator.reductionFunction === 'max';
  if ((needsInput && inputTensor === null) || image === null) {
    const why = `outputRoiGradientTensor and the reduction 'max' need it`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'inputTensor', 'a tensor', 'none', why);
  }
  sameDataType(operator, 'inputGradientTensor', 'roiTensor', 'outputGradientTensor', 'outputRoiGradientTensor');
  strictly('image-data-type', () => sameDataType(operator, 'inputGradientTensor', 'inputTensor'));
  const regions = regionsOf(operator);
  sameSizes(operator, 'roiTensor', 'outputRoiGradientTensor');
  sameSizes(operator, 'inputTensor', 'outputGradientTensor');
  const imageName = inputTensor === null ? 'outputGradientTensor' : 'inputTensor';
  holdsRegions(operator, 'inputGradientTensor', regions, imageName, image);
  samplesFit(operator, 'inputGradientTensor', operator.inputGradientTensor);
  if (!needsInput && inputTensor !== null) {
    const why = `only outputRoiGradientTensor and the reduction 'max' need it`;
    throw strict('unused-input', refuse(operator, 'ERR_FIELD_COMBINATION', 'inputTensor', 'none', 'a tensor', why));
  }
};

type Aligned = Drafted<'roiAlign' | 'roiAlign1' | 'roiAlignGrad'>;

/**
 * The last two sizes of `roiTensor` are the number of regions and 4: left, top, right and bottom. The last size of
 * `batchIndicesTensor` is the number of regions. Leading sizes of `roiTensor` and `batchIndicesTensor` are 1.
 */
function regionsOf(operator: Aligned): number {
  const { sizes } = operator.roiTensor;
  const regions = sizes.at(-2) ?? 1;
  const leading = (count: number) => new Array<number>(count).fill(1);
  hasSizes(operator, 'roiTensor', [...leading(sizes.length - 2), regions, 4], 'four numbers for each region');
  const { length } = operator.batchIndicesTensor.sizes;
  hasSizes(operator, 'batchIndicesTensor', [...leading(length - 1), regions], 'one index for each region');
  return regions;
}

function channelsOf(image: TensorOrDraft): number {
  return needSizes(image)[1] ?? 1;
}

/** The tensor has the sizes [regions, channels of the image, height, width]. Height and width must be given. */
function holdsRegions<Name extends string>(
  operator: WithTensors<NoInfer<Name>>,
  name: Name,
  regions: number,
  imageName: string,
  image: TensorOrDraft,
): void {
  const tensor = tensorOf<Name, TensorOrDraft>(operator, name);
  const sizes = needSizes(tensor, `[${regions}, ${channelsOf(image)}, height, width]`);
  const expected = [regions, channelsOf(image), ...sizes.slice(2)];
  hasSizes<Name>(operator, name, expected, `regions, then channels of ${imageName}`);
}

/** The type of descriptors leaves out the other functions, a program may not. */
const REDUCTIONS: ReadonlySet<ReduceFunction> = new Set(['average', 'max']);

/**
 * `reductionFunction` is `'average'` or `'max'`. `spatialScaleX` and `spatialScaleY` are not negative and not
 * infinite. `minimumSamplesPerOutput` is 1 to 64 and at most `maximumSamplesPerOutput`; multiplied by the height or
 * the width of a pooled region, it is less than 2³².
 */
function samplesFit(operator: Aligned, regionsName: string, regions: TensorOrDraft): void {
  const name = operator.reductionFunction;
  if (!REDUCTIONS.has(name)) {
    throw refuse(operator, 'ERR_OUT_OF_RANGE', 'reductionFunction', `'average' or 'max'`, `'${name}'`);
  }
  for (const scale of ['spatialScaleX', 'spatialScaleY'] as const) {
    const value = operator[scale];
    if (value < 0 || value === Infinity) {
      throw refuse(operator, 'ERR_OUT_OF_RANGE', scale, 'a finite number, not below 0', `${value}`);
    }
  }
  const maximum = operator.maximumSamplesPerOutput;
  const minimum = inRange(operator, 'minimumSamplesPerOutput', 1, Math.min(maximum, MAX_SAMPLES));
  for (const [axis, size] of needSizes(regions).entries()) {
    // DirectML counts the samples along an axis in 32 bits.
    if (axis < 2 || size * minimum < 2 ** 32) continue;
    const why = `minimumSamplesPerOutput is ${minimum}`;
    throw refuse(
      operator,
      'ERR_SIZES',
      `${regionsName}.sizes[${axis}]`,
      `at most ${Math.floor((2 ** 32 - 1) / minimum)}`,
      `${size}`,
      why,
    );
  }
  strictly('region-samples', () => inRange(operator, 'minimumSamplesPerOutput', 1, MAX_USEFUL_SAMPLES));
}
