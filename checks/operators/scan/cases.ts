/** Cases and tolerances of the cumulative operators. */
import { isFloat } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, INDEX_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { floatElement, wrappingInteger } from '../../cases/element-values.js';
import { fillTensor, randomTensor, shapeInTurn } from '../../cases/layout.js';
import type { OperatorTolerance } from '../../tolerance/row.js';
import { PRODUCT, SUM } from '../../tolerance/shared-rows.js';

/** Each element is a reduction. */
export const tolerances = {
  cumulativeProduct: PRODUCT,
  cumulativeSummation: SUM,
} satisfies Record<string, OperatorTolerance>;

const TYPES: readonly DataType[] = ['float32', 'float16', ...INDEX_TYPES];

export function cumulativeSummation(random: Random, index: number): ConformanceCase {
  const { dataType, sizes, axis, axisDirection } = shape(random, index);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const specials = [...SPECIALS, 1e-40];
  // DirectML sums along the axis, so sums of large elements are exact until they overflow, and then stay infinite.
  const unit = random.chance(0.2) ? LARGE_UNITS[dataType] : undefined;
  const value = () => (unit === undefined ? (random.fraction() - 0.5) * 16 : random.int(-100, 100) * unit);
  const bytes = fillTensor(random, inputTensor, () => elementOf(random, dataType, value(), specials));
  return {
    descriptor: {
      type: 'cumulativeSummation',
      inputTensor,
      outputTensor,
      axis,
      axisDirection,
      hasExclusiveSum: random.chance(0.5),
    },
    data: { inputTensor: base64(bytes) },
  };
}

export function cumulativeProduct(random: Random, index: number): ConformanceCase {
  const { dataType, sizes, axis, length, axisDirection } = shape(random, index);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  // All partial products stay between 2⁻¹² and 2¹², or overflow or underflow in one step. They never become subnormal, because a
  // subnormal product loses digits.
  const isExtreme = dataType === 'float32' && random.chance(0.2);
  const exponent = () => (isExtreme ? random.pick([-100, 100, 100]) : ((random.fraction() - 0.5) * 24) / length);
  const factor = () => (random.chance(0.5) ? 1 : -1) * 2 ** exponent();
  const bytes = fillTensor(random, inputTensor, () => elementOf(random, dataType, factor(), SPECIALS));
  return {
    descriptor: {
      type: 'cumulativeProduct',
      inputTensor,
      outputTensor,
      axis,
      axisDirection,
      hasExclusiveProduct: random.chance(0.5),
    },
    data: { inputTensor: base64(bytes) },
  };
}

function shape(random: Random, index: number) {
  const { dataType, sizes } = shapeInTurn(random, index, TYPES, random.chance(0.2) ? 2000 : 300);
  const axis = random.int(0, sizes.length - 1);
  const axisDirection = random.pick(['increasing', 'decreasing'] as const);
  return { dataType, sizes, axis, length: sizes[axis] ?? 1, axisDirection };
}

/** A sum of 128 units overflows the data type. */
const LARGE_UNITS: Readonly<Partial<Record<DataType, number>>> = { float32: 2 ** 121, float16: 2 ** 9 };

const SPECIALS: readonly number[] = [0, -0, Infinity, -Infinity, NaN];

function elementOf(random: Random, dataType: DataType, value: number, specials: readonly number[]): number | bigint {
  if (!isFloat(dataType)) return wrappingInteger(random);
  return floatElement(dataType, random.chance(0.01) ? random.pick(specials) : value);
}
