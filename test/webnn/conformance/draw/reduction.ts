/** Cases of reductions, argMin, argMax and cumulativeSum. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, largestOf, natural, roundTo } from '../elements.js';
import * as formulas from '../formulas/reduction.js';
import { ulp, type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import { sizeOf, type Element, type PlainTensor, type Shape } from '../plain-tensor.js';
import { caseOf, type ArgumentOptions, type OperatorName, type WebnnCase } from '../webnn-case.js';
import { anyElement, drawElements, edgesOf, ordinaryElement } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';

type Reduce = Exclude<keyof typeof formulas, 'argMin' | 'argMax' | 'cumulativeSum'>;
type Elements = (random: Random, dataType: MLOperandDataType) => () => Element;

const layouts = ['all dimensions', 'one axis', 'several axes', 'no axes', 'keepDimensions', 'views', 'many elements'];

function drawReduce(operator: OperatorName, elements: Elements): CheckedOperator['draw'] {
  return (random, dataType, layout): WebnnCase => {
    const isLarge = layout === 'many elements';
    const shape = isLarge ? largeShape(random) : drawShape(random, layout === 'one axis' ? 1 : 0);
    const axes = axesOf(random, shape, layout);
    const keeps = layout === 'keepDimensions' || random.chance(0.3);
    const options: ArgumentOptions = { ...(axes === null ? {} : { axes }), ...(keeps ? { keepDimensions: true } : {}) };
    const input = drawOperand(random, dataType, shape, elements(random, dataType), layout === 'views');
    return caseOf(operator, { input }, options);
  };
}

/** DirectML takes other ways for more elements than one group of threads reduces. */
function largeShape(random: Random): Shape {
  return random.pick([[1025], [2100], [2, 600], [600, 2], [33, 40], [1, 1500, 1], [7, 3, 100]]);
}

function axesOf(random: Random, { length }: Shape, layout: string): readonly number[] | null {
  if (layout === 'all dimensions') return random.chance(0.5) ? null : random.distinct(length, length);
  if (layout === 'no axes') return [];
  if (layout === 'one axis') return [random.int(0, length - 1)];
  return random.distinct(random.int(0, length), length);
}

/** Numbers of one sign, of both, or whole; some lists have an edge. */
const terms: Elements = (random, dataType) => {
  if (!isFloatType(dataType)) return drawElements(random, dataType);
  const kind = random.int(0, 4);
  const edges = [...edgesOf(dataType), largestOf(dataType), -largestOf(dataType), 60000, -60000];
  return () => {
    if (kind === 0) return Math.abs(Number(ordinaryElement(random, dataType)));
    if (kind === 1) return random.int(-40, 40);
    if (kind === 2) return ordinaryElement(random, dataType);
    if (kind === 3) return roundTo(dataType, (random.fraction() - 0.5) * largestOf(dataType) * random.pick([1, 2 ** -3]));
    return random.chance(0.1) ? roundTo(dataType, Number(random.pick(edges))) : ordinaryElement(random, dataType);
  };
};

/** Positive, from small to large, with sums below the normal float16. */
const positive: Elements = (random, dataType) => {
  if (random.chance(0.2)) return terms(random, dataType);
  const exponent = random.pick(dataType === 'float32' ? [-100, -30, -10, 0, 5, 40, 120] : [-20, -16, -10, 0, 5, 13]);
  return () => elementOf(dataType, (1 + random.fraction()) * 2 ** (exponent + random.int(-3, 2)));
};

/** Exponents, whose exponentials may overflow and underflow. */
const exponents: Elements = (random, dataType) => {
  const range = random.pick([1, 12, 100, 1000]);
  const shift = random.pick([0, 0, 100, -100, 500]);
  const special = random.chance(0.2);
  return () =>
    special && random.chance(0.1)
      ? random.pick([-Infinity, Infinity, NaN, 0])
      : elementOf(dataType, shift + (random.fraction() * 2 - 1) * range);
};

/** Near 1, so that products stay in range; sometimes not. */
const factors: Elements = (random, dataType) => {
  if (!isFloatType(dataType))
    return random.chance(0.5) ? () => anyElement(random, dataType) : () => natural(dataType, BigInt(random.int(0, 3)));
  if (random.chance(0.3)) return drawElements(random, dataType);
  const range = random.pick([0.01, 0.3, 1]);
  return () => elementOf(dataType, (random.chance(0.3) ? -1 : 1) * 2 ** ((random.fraction() * 2 - 1) * range));
};

function elementOf(dataType: MLOperandDataType, value: number): Element {
  return isFloatType(dataType) ? roundTo(dataType, value) : natural(dataType, BigInt(Math.trunc(value)));
}

/** How many elements of the input each element of the output is made of. */
function reducedCount({ operands }: ShapedCase, { shape }: PlainTensor): number {
  return sizeOf(operands['input']?.shape ?? []) / sizeOf(shape);
}

/** So many ULP for each element, and those of further operators that the reduction stands for. */
function perElement(float32 = 0, float16 = float32): CheckedOperator['tolerance'] {
  return ulp(
    (test, output) => reducedCount(test, output) + float32,
    (test, output) => reducedCount(test, output) + float16,
  );
}

function reduce(operator: Reduce, tolerance: CheckedOperator['tolerance'], elements: Elements = terms): CheckedOperator {
  return { layouts, draw: drawReduce(operator, elements), formula: formulas[operator], tolerance };
}

function extremePlace(operator: 'argMin' | 'argMax'): CheckedOperator {
  return {
    layouts: ['int32', 'int64', 'keepDimensions', 'views', 'many elements'],
    draw: (random, dataType, layout) => {
      const shape = layout === 'many elements' ? largeShape(random) : drawShape(random, 1);
      const axis = random.int(0, shape.length - 1);
      const options: ArgumentOptions = {
        ...(layout === 'int32' || layout === 'int64' ? { outputDataType: layout } : {}),
        ...(layout === 'keepDimensions' ? { keepDimensions: true } : {}),
      };
      const input = drawOperand(random, dataType, shape, drawElements(random, dataType), layout === 'views');
      return caseOf(operator, { input }, axis, options);
    },
    formula: formulas[operator],
    tolerance: ulp(0),
  };
}

function drawCumulative(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase {
  const shape = layout === 'many elements' ? largeShape(random) : drawShape(random, 1);
  const axis = random.int(0, shape.length - 1);
  const isBoth = layout === 'exclusive and reversed';
  const options: ArgumentOptions = {
    ...(isBoth || layout === 'exclusive' ? { exclusive: true } : {}),
    ...(isBoth || layout === 'reversed' ? { reversed: true } : {}),
  };
  const input = drawOperand(random, dataType, shape, terms(random, dataType), layout === 'views');
  return caseOf('cumulativeSum', { input }, axis, options);
}

/** How many elements the axis has. */
function lineOf({ operands, test }: ShapedCase): number {
  return operands['input']?.shape[Number(test.args[1])] ?? 1;
}

export const reductions: CheckedOperators<keyof typeof formulas> = {
  argMax: extremePlace('argMax'),
  argMin: extremePlace('argMin'),
  cumulativeSum: {
    layouts: ['inclusive', 'exclusive', 'reversed', 'exclusive and reversed', 'views', 'many elements'],
    draw: drawCumulative,
    formula: formulas.cumulativeSum,
    tolerance: ulp(
      (test) => lineOf(test) - 1,
      (test) => Math.max(1, lineOf(test) - 1),
    ),
  },
  reduceL1: reduce('reduceL1', perElement()),
  reduceL2: reduce('reduceL2', perElement()),
  reduceLogSum: reduce('reduceLogSum', perElement(8), positive),
  reduceLogSumExp: reduce('reduceLogSumExp', perElement(8 + 32, 8 + 1), exponents),
  reduceMax: reduce('reduceMax', ulp(0), drawElements),
  reduceMean: reduce('reduceMean', perElement()),
  reduceMin: reduce('reduceMin', ulp(0), drawElements),
  reduceProduct: reduce('reduceProduct', perElement(), factors),
  reduceSum: reduce('reduceSum', perElement()),
  reduceSumSquare: reduce('reduceSumSquare', perElement()),
};
