/**
 * Cases and tolerances of regions of interest. All elements of a case have about the same magnitude, so that a wrong weight is
 * equally visible everywhere. In some cases, sums and differences overflow; some have infinities and NaN. Regions are of two kinds.
 * Exact regions have corners at multiples of 1/4 and a power of two as the number of samples, so that edges and ties occur.
 * The other regions lie anywhere, but not near a position where another element or another number of samples begins.
 */
import type { TensorDesc } from 'node-directml';
import { float16FromBits } from '#lib/tensors/float16.js';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType, WholeDescriptor } from '../../cases/case.js';
import { floatElement } from '../../cases/element-values.js';
import { fillTensors, ones, randomTensor } from '../../cases/layout.js';
import { floatsOfOneMagnitude } from '../../cases/magnitudes.js';
import { align, largestProduct, OF_PRODUCTS } from './bounds.js';
import { SAME_VALUE } from '../../tolerance/row.js';

export const tolerances = {
  roiPooling: SAME_VALUE,
  roiAlign: align,
  roiAlign1: align,
  roiAlignGrad: {
    ulp: 16,
    perTerm: 16,
    magnitude: OF_PRODUCTS,
    magnitudesOf: largestProduct,
    reason:
      'each part has the error of roiAlign, with gradients as factors and slopes of up to 2 · max |x| times the image size; ' +
      'the sum rounds by 0.5 ULP per part',
  },
};

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const LEAST_DISTANCE = 0.002;
const FUNCTIONS = ['average', 'max'] as const;
const MODES = ['linear', 'nearestNeighbor'] as const;

const SPECIAL_INDICES = [NaN, Infinity, -Infinity, 1e9, -3e38, 65504, 1e-40];
/** The finite corners go no further: in larger regions, float32 does not determine where bins begin and end. */
const SPECIAL_CORNERS = [NaN, 5000, -5000, 1e-40];

export function roiPooling(random: Random, index: number): ConformanceCase {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const [batches, channels, height, width, count] = [1, 2, 9, 9, 4].map((most) => random.int(1, most));
  const pooledSize = { width: random.int(1, 12), height: random.int(1, 6) };
  const inputTensor = randomTensor(random, dataType, [batches ?? 1, channels ?? 1, height ?? 1, width ?? 1], 'input');
  const roiTensor = randomTensor(random, dataType, [1, 1, count ?? 1, 5], 'input');
  const shareOfSpecial = random.chance(0.3) ? 0.2 : 0;
  const special = (i: number) =>
    random.chance(shareOfSpecial) ? random.pick(i % 5 === 0 ? SPECIAL_INDICES : SPECIAL_CORNERS) : null;
  const spatialScale = random.pick([1, 0.5, 2, 0.0625, 1, 0, -1]);
  // Some corners are halves, which round to the even neighbour; some regions end before they begin.
  const corner = (size: number) => random.int(-4, size * 2 + 4) / 2 / (spatialScale === 0 ? 1 : spatialScale);
  const numbers = Array.from({ length: count ?? 1 }, () => [
    random.pick([random.int(0, batches ?? 1), random.int(0, (batches ?? 1) - 1), -1, 0.75]),
    ...[width, height, width, height].map((size) => corner(size ?? 1)),
  ]).flat();
  return {
    descriptor: {
      type: 'roiPooling',
      inputTensor,
      roiTensor,
      outputTensor: randomTensor(random, dataType, [count ?? 1, channels ?? 1, pooledSize.height, pooledSize.width], 'output'),
      spatialScale,
      pooledSize,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, floatsOfOneMagnitude(random, dataType)],
      roiTensor: [roiTensor, (i) => floatElement(dataType, special(i) ?? numbers[i] ?? 0)],
    }),
  };
}

type Align = WholeDescriptor<'roiAlign1'>;

/** The parts that roiAlign, roiAlign1 and roiAlignGrad share. */
interface Aligned {
  readonly dataType: DataType;
  /** The images: batch, channels, height, width. */
  readonly image: readonly [number, number, number, number];
  /** The result: regions, channels, height, width. */
  readonly result: readonly [number, number, number, number];
  readonly regions: Pick<Align, 'roiTensor' | 'batchIndicesTensor'>;
  readonly sampling: Pick<
    Align,
    | 'reductionFunction'
    | 'interpolationMode'
    | 'spatialScaleX'
    | 'spatialScaleY'
    | 'minimumSamplesPerOutput'
    | 'maximumSamplesPerOutput'
  >;
  readonly placing: Pick<Align, 'inputPixelOffset' | 'outputPixelOffset' | 'alignRegionsToCorners'>;
  readonly corner: (i: number) => number;
  /** True if no sample lies exactly on an element. */
  readonly isBetween: boolean;
  /** The image of a region. With `orNone`, sometimes an index out of range. */
  readonly batchIndex: (orNone: boolean) => number | bigint;
}

function aligned(random: Random, index: number, indexTypes: readonly DataType[], usual: boolean): Aligned {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const indexType = indexTypes[Math.floor(index / 2) % indexTypes.length] ?? 'uint32';
  const exact = random.chance(0.4);
  const alignRegionsToCorners = !usual && random.chance(0.4);
  const [batches, channels, height, width] = [random.int(1, 3), random.int(1, 2), random.int(1, 8), random.int(1, 8)];
  const count = random.int(1, 3);
  // An exact region is divided by these sizes (with aligned corners: by the size minus 1) without rounding.
  const size = () => (exact ? random.pick(alignRegionsToCorners ? [1, 2, 3, 5] : [1, 2, 4]) : random.int(1, 4));
  const [outputHeight, outputWidth] = [size(), size()];
  const least = exact && !alignRegionsToCorners ? random.pick([1, 2]) : exact ? 1 : random.int(1, 2);
  const scales = dataType === 'float32' && !exact ? [1, 0.5, 2, 0.0625, 0.3, 1.7] : [1, 0.5, 2, 0.25];
  const anywhere = !usual && !exact && random.chance(0.3);
  const placing = {
    inputPixelOffset: usual ? 0.5 : anywhere ? Math.fround(random.fraction() - 0.5) : random.pick([0.5, 0]),
    outputPixelOffset: usual ? -0.5 : anywhere ? Math.fround(random.fraction() - 0.5) : random.pick([-0.5, 0]),
    alignRegionsToCorners,
  };
  const sampling = {
    reductionFunction: FUNCTIONS[Math.floor(index / 4) % 2] ?? 'average',
    interpolationMode: MODES[Math.floor(index / 8) % 2] ?? 'linear',
    spatialScaleX: Math.fround(random.pick(scales)),
    spatialScaleY: Math.fround(random.pick(scales)),
    minimumSamplesPerOutput: least,
    maximumSamplesPerOutput: exact ? least : random.int(least, 4),
  };
  let isBetween = !exact;
  const ends = (length: number, target: number, scale: number) =>
    Array.from({ length: count }, () => {
      const fields = { ...sampling, ...placing };
      for (let attempt = 0; !exact && attempt < 50; attempt++) {
        const pair = [0, 1].map(() => stored(dataType, ((random.fraction() * 2 - 0.5) * length) / scale));
        if (
          isClear(
            pair.map((value) => value * scale),
            target,
            fields,
          )
        )
          return pair;
      }
      isBetween = false;
      return [0, 1].map(() => random.int(-2 * length, 6 * length) / 4 / (exact ? scale : 2 ** Math.round(Math.log2(scale))));
    });
  const [horizontal, vertical] = [
    ends(width, outputWidth, sampling.spatialScaleX),
    ends(height, outputHeight, sampling.spatialScaleY),
  ];
  const rank = random.int(2, 4);
  // A sample on an element gives the next element weight 0. Whether NaN spreads to it depends on the position's rounding.
  const isSpecial = !usual && isBetween && random.chance(0.2);
  const special = () => (isSpecial && random.chance(0.3) ? NaN : null);
  return {
    dataType,
    image: [batches, channels, height, width],
    result: [count, channels, outputHeight, outputWidth],
    regions: {
      roiTensor: regionTensor(random, dataType, rank, count),
      batchIndicesTensor: randomTensor(random, indexType, [...ones(random.int(0, 3)), count], 'input'),
    },
    sampling,
    placing,
    isBetween,
    corner: (i) => floatElement(dataType, special() ?? (i % 2 === 0 ? horizontal : vertical)[i >> 2]?.[(i >> 1) & 1] ?? 0),
    batchIndex: (orNone) => {
      const batch = orNone && random.chance(0.1) ? batches + random.int(0, 5) : random.int(0, batches - 1);
      return indexType === 'uint64' ? BigInt(batch) : batch;
    },
  };
}

/** Only whole regions are broadcast. Mixed corners would make regions for which {@link isClear} was not checked. */
function regionTensor(random: Random, dataType: DataType, rank: number, count: number): TensorDesc {
  const sizes = [...ones(rank - 2), count, 4];
  return random.chance(0.2)
    ? randomTensor(random, dataType, sizes, 'input', [rank - 2])
    : randomTensor(random, dataType, sizes, 'output');
}

/** True if no sample, and no number of samples, lies near a value where another element or another number begins. */
function isClear(
  [low = 0, high = 0]: readonly number[],
  count: number,
  fields: Aligned['placing'] & Pick<Align, 'minimumSamplesPerOutput' | 'maximumSamplesPerOutput'>,
): boolean {
  const wanted = Math.abs(high - low) / count;
  const each = Math.min(Math.max(Math.ceil(wanted), fields.minimumSamplesPerOutput), fields.maximumSamplesPerOutput);
  const total = each * count;
  const last = fields.alignRegionsToCorners ? total - 1 : total;
  const at = (i: number) => {
    const way = last === 0 ? 0.5 : (i - fields.outputPixelOffset) / last;
    return way * (high - low) + low - fields.inputPixelOffset;
  };
  const doubled = Array.from({ length: total }, (_, i) => 2 * at(i));
  return [wanted, ...doubled].every((value) => Math.abs(value - Math.round(value)) > 2 * LEAST_DISTANCE);
}

const INDEX_TYPES: readonly DataType[] = ['uint32', 'uint64'];

export function roiAlign(random: Random, index: number): ConformanceCase {
  const { dataType, image, result, regions, sampling, corner, batchIndex } = aligned(random, index, INDEX_TYPES, true);
  const inputTensor = randomTensor(random, dataType, image, 'input');
  const outputTensor = randomTensor(random, dataType, result, 'output');
  const outOfBoundsInputValue = outsideOf(random);
  return {
    descriptor: { type: 'roiAlign', inputTensor, ...regions, outputTensor, ...sampling, outOfBoundsInputValue },
    data: fillTensors(random, {
      inputTensor: [inputTensor, floatsOfOneMagnitude(random, dataType)],
      roiTensor: [regions.roiTensor, corner],
      batchIndicesTensor: [regions.batchIndicesTensor, () => batchIndex(true)],
    }),
  };
}

export function roiAlign1(random: Random, index: number): ConformanceCase {
  const { dataType, image, result, regions, sampling, placing, corner, batchIndex } = aligned(random, index, INDEX_TYPES, false);
  const inputTensor = randomTensor(random, dataType, image, 'input');
  const outputTensor = randomTensor(random, dataType, result, 'output');
  const outOfBoundsInputValue = outsideOf(random);
  return {
    descriptor: { type: 'roiAlign1', inputTensor, ...regions, outputTensor, ...sampling, ...placing, outOfBoundsInputValue },
    data: fillTensors(random, {
      inputTensor: [inputTensor, floatsOfOneMagnitude(random, dataType)],
      roiTensor: [regions.roiTensor, corner],
      batchIndicesTensor: [regions.batchIndicesTensor, () => batchIndex(true)],
    }),
  };
}

export function roiAlignGrad(random: Random, index: number): ConformanceCase {
  const { dataType, image, result, regions, sampling, placing, corner, isBetween, batchIndex } = aligned(
    random,
    index,
    ['uint32'],
    false,
  );
  // If a sample lies on an element, an infinite gradient may or may not give NaN to the next element; see `special` above.
  const special = isBetween ? 0.1 : 0;
  const wanted = random.int(1, 3);
  const needsInput = wanted > 1 || sampling.reductionFunction === 'max';
  const inputTensor = needsInput ? randomTensor(random, dataType, image, 'input') : null;
  const inputGradientTensor = randomTensor(random, dataType, result, 'input');
  const outputGradientTensor = wanted % 2 === 1 ? randomTensor(random, dataType, image, 'output') : null;
  const outputRoiGradientTensor = wanted > 1 ? randomTensor(random, dataType, regions.roiTensor.sizes, 'output') : null;
  const tensors = { inputTensor, inputGradientTensor, ...regions, outputGradientTensor, outputRoiGradientTensor };
  return {
    descriptor: { type: 'roiAlignGrad', ...tensors, ...sampling, ...placing },
    data: fillTensors(random, {
      inputTensor: [inputTensor, floatsOfOneMagnitude(random, dataType, { isModerate: true })],
      inputGradientTensor: [inputGradientTensor, floatsOfOneMagnitude(random, dataType, { special, isModerate: true })],
      roiTensor: [regions.roiTensor, corner],
      // The gradient of corners for an image index out of range is whatever lies in the tensor's memory.
      batchIndicesTensor: [regions.batchIndicesTensor, () => batchIndex(outputRoiGradientTensor === null)],
    }),
  };
}

/** The value for samples outside the image. */
function outsideOf(random: Random): number {
  return random.chance(0.7) ? random.pick([0, 1.5, -2]) : random.pick([Infinity, -Infinity, NaN, 3e38, -3e38, 1e-30]);
}

/** The number, rounded to the data type. */
function stored(dataType: DataType, value: number): number {
  const kept = floatElement(dataType, value);
  return dataType === 'float16' ? float16FromBits(kept) : kept;
}
