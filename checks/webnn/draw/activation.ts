/** Cases of activations, clamp and softmax. */
import { castNumber, isFloatType, largestOf } from '../elements.js';
import { difference, ulp, type CheckedOperator, type CheckedOperators } from '../operator.js';
import type { ArgumentOptions } from '../webnn-case.js';
import { pair } from './binary.js';
import { anyElement, edgesOf, ordinaryElement, type Draw, type Elements } from './numbers.js';
import { drawShape, type Drawing } from './operands.js';
import { edgeList, elementWise, lineOf, single } from './unary.js';

/** An activation whose options are numbers. Each option may be absent. */
function withOptions(tolerance: CheckedOperator['tolerance'], ...names: readonly string[]): CheckedOperator {
  return elementWise(tolerance, ['options'], ({ random, layout }) => {
    if (layout !== 'options') return {};
    const number = () => random.pick([0, 1, -1, 0.1, 0.25, -0.5, 2, 3.5, -7, random.fraction() * 4 - 2, 1e-3]);
    return Object.fromEntries(names.filter(() => random.chance(0.8)).map((name) => [name, number()]));
  });
}

function clampOptions(drawing: Drawing): ArgumentOptions {
  const { random, layout, dataType } = drawing;
  const bound = (): number | bigint => {
    if (random.chance(0.3))
      return random.pick([0, -1, 1.5, 2.5, 255, 70000, -3e9, 5e9, Infinity, -Infinity, 2 ** 53, 9007199254740993n]);
    const edge = random.chance(0.5) ? random.pick(edgesOf(dataType)) : anyElement(drawing);
    return Number.isNaN(edge) ? 0 : edge;
  };
  const order = [bound(), bound()].sort((a, b) => (castNumber(a, dataType) < castNumber(b, dataType) ? -1 : 1));
  const [minValue = 0, maxValue = 0] = order;
  if (layout === 'no options') return {};
  return { ...(layout === 'maxValue' ? {} : { minValue }), ...(layout === 'minValue' ? {} : { maxValue }) };
}

function softmaxElements(elements: Elements): Draw {
  const { random, dataType } = elements;
  const usual = random.chance(0.5)
    ? () => ordinaryElement(elements)
    : () => castNumber((random.fraction() * 2 - 1) * random.pick([1, 30, 1000]), dataType);
  const edges = isFloatType(dataType) ? [0, -Infinity, largestOf(dataType), -largestOf(dataType), 100, -100] : [0];
  return random.chance(0.3) ? () => (random.chance(0.2) ? random.pick(edges) : usual()) : usual;
}

export const activations = {
  clamp: {
    ...elementWise(ulp(0), ['minValue', 'maxValue', 'no options'], clampOptions),
    edges: (dataType) => [edgeList(dataType, { minValue: -1, maxValue: 1 })],
  },
  elu: withOptions(ulp(18), 'alpha'),
  gelu: elementWise(ulp(18)),
  hardSigmoid: withOptions(ulp(2), 'alpha', 'beta'),
  hardSwish: elementWise(ulp(4)),
  leakyRelu: withOptions(ulp(1, 2), 'alpha'),
  linear: withOptions(ulp(2), 'alpha', 'beta'),
  prelu: pair(ulp(1)),
  relu: elementWise(ulp(0)),
  sigmoid: elementWise(ulp(34, 10)),
  softmax: single(
    ulp((test) => 3 * lineOf(test) + 3),
    ['first axis', 'last axis', 'any axis', 'views'],
    ({ random, layout }) => {
      const shape = drawShape(random, 1);
      const last = shape.length - 1;
      return [shape, layout === 'first axis' ? 0 : layout === 'last axis' ? last : random.int(0, last)];
    },
    softmaxElements,
  ),
  softplus: elementWise(ulp(18)),
  softsign: elementWise(ulp(3)),
  tanh: elementWise(difference(1 / 1024, 1 / 512)),
} satisfies Partial<CheckedOperators>;
