/** Cases of reductions, argMin, argMax and cumulativeSum. */
import type { Random } from '../../harness/random.js';
import { castNumber, isFloatType, largestOf, natural, roundTo } from '../elements.js';
import { ulp, type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import { sizeOf, type PlainTensor, type Shape } from '../plain-tensor.js';
import type { ArgumentOptions } from '../webnn-case.js';
import { anyElement, drawElements, edgesOf, ordinaryElement, type Draw, type Elements } from './numbers.js';
import { drawShape, type Drawing } from './operands.js';
import { lineOf, single } from './unary.js';

const layouts = ['all dimensions', 'one axis', 'several axes', 'no axes', 'keepDimensions', 'views', 'many elements'];

function reduce(tolerance: CheckedOperator['tolerance'], elements = terms): CheckedOperator {
  const plan = ({ random, layout }: Drawing) => {
    const shape = shapeFor(random, layout, layout === 'one axis' ? 1 : 0);
    const axes = axesOf(random, shape, layout);
    const keeps = layout === 'keepDimensions' || random.chance(0.3);
    return [shape, { ...(axes === null ? {} : { axes }), ...(keeps ? { keepDimensions: true } : {}) }] as const;
  };
  return single(tolerance, layouts, plan, elements);
}

/** `many elements` are more than one thread group reduces: DirectML then uses other shaders. */
function shapeFor(random: Random, layout: string, lowRank: number): Shape {
  if (layout !== 'many elements') return drawShape(random, lowRank);
  return random.pick([[1025], [2100], [2, 600], [600, 2], [33, 40], [1, 1500, 1], [7, 3, 100]]);
}

function axesOf(random: Random, { length }: Shape, layout: string): readonly number[] | null {
  if (layout === 'all dimensions') return random.chance(0.5) ? null : random.distinct(length, length);
  if (layout === 'no axes') return [];
  if (layout === 'one axis') return [random.int(0, length - 1)];
  return random.distinct(random.int(0, length), length);
}

/** Draws positive, whole, ordinary or large numbers, or ordinary numbers with a few edges. */
function terms(elements: Elements): Draw {
  const { random, dataType } = elements;
  if (!isFloatType(dataType)) return drawElements(elements);
  const kind = random.int(0, 4);
  const edges = [...edgesOf(dataType), largestOf(dataType), -largestOf(dataType), 60000, -60000];
  return () => {
    if (kind === 0) return Math.abs(Number(ordinaryElement(elements)));
    if (kind === 1) return random.int(-40, 40);
    if (kind === 2) return ordinaryElement(elements);
    if (kind === 3) return roundTo(dataType, (random.fraction() - 0.5) * largestOf(dataType) * random.pick([1, 2 ** -3]));
    return random.chance(0.1) ? roundTo(dataType, Number(random.pick(edges))) : ordinaryElement(elements);
  };
}

/** Mostly positive numbers of one magnitude, from small, with sums below the normal float16 numbers, to large. */
function positive(elements: Elements): Draw {
  const { random, dataType } = elements;
  if (random.chance(0.2)) return terms(elements);
  const exponent = random.pick(dataType === 'float32' ? [-100, -30, -10, 0, 5, 40, 120] : [-20, -16, -10, 0, 5, 13]);
  return () => castNumber((1 + random.fraction()) * 2 ** (exponent + random.int(-3, 2)), dataType);
}

/** Draws exponents. Some of their exponentials overflow or underflow. */
function exponents({ random, dataType }: Elements): Draw {
  const range = random.pick([1, 12, 100, 1000]);
  const shift = random.pick([0, 0, 100, -100, 500]);
  const special = random.chance(0.2);
  return () =>
    special && random.chance(0.1)
      ? random.pick([-Infinity, Infinity, NaN, 0])
      : castNumber(shift + (random.fraction() * 2 - 1) * range, dataType);
}

/** Draws floats near 1, so that products mostly stay in range, and sometimes any floats. */
function factors(elements: Elements): Draw {
  const { random, dataType } = elements;
  if (!isFloatType(dataType))
    return random.chance(0.5) ? () => anyElement(elements) : () => natural(dataType, BigInt(random.int(0, 3)));
  if (random.chance(0.3)) return drawElements(elements);
  const range = random.pick([0.01, 0.3, 1]);
  return () => castNumber((random.chance(0.3) ? -1 : 1) * 2 ** ((random.fraction() * 2 - 1) * range), dataType);
}

/** The number of input elements per output element. */
function reducedCount({ operands }: ShapedCase, { shape }: PlainTensor): number {
  return sizeOf(operands['input']?.shape ?? []) / sizeOf(shape);
}

/** One ULP per reduced element, plus the ULP of the further operators of which the reduction consists. */
function perElement(float32 = 0, float16 = float32): CheckedOperator['tolerance'] {
  return ulp(
    (test, output) => reducedCount(test, output) + float32,
    (test, output) => reducedCount(test, output) + float16,
  );
}

/** An operator along one axis, with options that follow from the layout. */
function alongAxis(
  tolerance: CheckedOperator['tolerance'],
  options: Readonly<Record<string, ArgumentOptions>>,
  elements = drawElements,
): CheckedOperator {
  const plan = ({ random, layout }: Drawing) => {
    const shape = shapeFor(random, layout, 1);
    return [shape, random.int(0, shape.length - 1), options[layout] ?? {}] as const;
  };
  return single(tolerance, [...Object.keys(options), 'views', 'many elements'], plan, elements);
}

const extremePlace = alongAxis(ulp(0), {
  int32: { outputDataType: 'int32' },
  int64: { outputDataType: 'int64' },
  keepDimensions: { keepDimensions: true },
});

export const reductions = {
  argMax: extremePlace,
  argMin: extremePlace,
  cumulativeSum: alongAxis(
    ulp(
      (test) => lineOf(test) - 1,
      (test) => Math.max(1, lineOf(test) - 1),
    ),
    {
      inclusive: {},
      exclusive: { exclusive: true },
      reversed: { reversed: true },
      'exclusive and reversed': { exclusive: true, reversed: true },
    },
    terms,
  ),
  reduceL1: reduce(perElement()),
  reduceL2: reduce(perElement()),
  reduceLogSum: reduce(perElement(8), positive),
  reduceLogSumExp: reduce(perElement(8 + 32, 8 + 1), exponents),
  reduceMax: reduce(ulp(0), drawElements),
  reduceMean: reduce(perElement()),
  reduceMin: reduce(ulp(0), drawElements),
  reduceProduct: reduce(perElement(), factors),
  reduceSum: reduce(perElement()),
  reduceSumSquare: reduce(perElement()),
} satisfies Partial<CheckedOperators>;
