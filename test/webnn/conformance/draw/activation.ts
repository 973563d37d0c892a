/** Cases of activations, clamp and softmax. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, largestOf } from '../elements.js';
import { castNumber } from '../formulas/casting.js';
import * as formulas from '../formulas/activation.js';
import { difference, ulp, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { caseOf, type ArgumentOptions, type WebnnCase } from '../webnn-case.js';
import { drawPair, edgePairs, pairLayouts } from './binary.js';
import { anyElement, edgesOf, ordinaryElement } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';
import { drawSingle, edgeList, singleLayouts } from './unary.js';

type Options = readonly string[];

/** An activation whose options are numbers; each of them is there or not. */
function activation(
  operator: keyof typeof formulas,
  tolerance: CheckedOperator['tolerance'],
  options: Options = [],
): CheckedOperator {
  return {
    layouts: options.length === 0 ? singleLayouts : [...singleLayouts, 'options'],
    draw: (random, dataType, layout) => {
      return drawSingle(operator, random, dataType, layout, layout === 'options' ? drawOptions(random, options) : {});
    },
    edges: (dataType) => edgeList(operator, dataType),
    formula: formulas[operator],
    tolerance,
  };
}

function drawOptions(random: Random, names: Options): ArgumentOptions {
  const number = () => random.pick([0, 1, -1, 0.1, 0.25, -0.5, 2, 3.5, -7, random.fraction() * 4 - 2, 1e-3]);
  return Object.fromEntries(names.filter(() => random.chance(0.8)).map((name) => [name, number()]));
}

function drawClamp(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase {
  const bound = (): number | bigint => {
    if (random.chance(0.3))
      return random.pick([0, -1, 1.5, 2.5, 255, 70000, -3e9, 5e9, Infinity, -Infinity, 2 ** 53, 9007199254740993n]);
    const edge = random.chance(0.5) ? random.pick(edgesOf(dataType)) : anyElement(random, dataType);
    return Number.isNaN(edge) ? 0 : edge;
  };
  const order = [bound(), bound()].sort((a, b) => (castNumber(a, dataType) < castNumber(b, dataType) ? -1 : 1));
  const [minValue = 0, maxValue = 0] = order;
  const options: ArgumentOptions = {
    ...(layout === 'maxValue' ? {} : { minValue }),
    ...(layout === 'minValue' ? {} : { maxValue }),
  };
  return drawSingle('clamp', random, dataType, layout, layout === 'no options' ? {} : options);
}

function drawSoftmax(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase {
  const shape = drawShape(random, 1);
  const axis = layout === 'first axis' ? 0 : layout === 'last axis' ? shape.length - 1 : random.int(0, shape.length - 1);
  const elements = random.chance(0.5)
    ? () => ordinaryElement(random, dataType)
    : () => castNumber((random.fraction() * 2 - 1) * random.pick([1, 30, 1000]), dataType);
  const edges = isFloatType(dataType) ? [0, -Infinity, largestOf(dataType), -largestOf(dataType), 100, -100] : [0];
  const element = random.chance(0.3) ? () => (random.chance(0.2) ? random.pick(edges) : elements()) : elements;
  const input = drawOperand(random, dataType, shape, element, layout === 'views');
  return caseOf('softmax', { input }, axis);
}

export const activations: CheckedOperators<keyof typeof formulas> = {
  clamp: {
    layouts: [...singleLayouts, 'minValue', 'maxValue', 'no options'],
    draw: drawClamp,
    edges: (dataType) => edgeList('clamp', dataType, { minValue: -1, maxValue: 1 }),
    formula: formulas.clamp,
    tolerance: ulp(0),
  },
  elu: activation('elu', ulp(18), ['alpha']),
  gelu: activation('gelu', ulp(18)),
  hardSigmoid: activation('hardSigmoid', ulp(2), ['alpha', 'beta']),
  hardSwish: activation('hardSwish', ulp(4)),
  leakyRelu: activation('leakyRelu', ulp(1, 2), ['alpha']),
  linear: activation('linear', ulp(2), ['alpha', 'beta']),
  prelu: {
    layouts: pairLayouts,
    draw: (random, dataType, layout) => drawPair('prelu', random, dataType, layout),
    edges: (dataType) => edgePairs('prelu', dataType),
    formula: formulas.prelu,
    tolerance: ulp(1),
  },
  relu: activation('relu', ulp(0)),
  sigmoid: activation('sigmoid', ulp(34, 10)),
  softmax: {
    layouts: ['first axis', 'last axis', 'any axis', 'views'],
    draw: drawSoftmax,
    formula: formulas.softmax,
    tolerance: ulp(({ operands, test }) => 3 * (operands['input']?.shape[Number(test.args[1])] ?? 1) + 3),
  },
  softplus: activation('softplus', ulp(18)),
  softsign: activation('softsign', ulp(3)),
  tanh: activation('tanh', difference(1 / 1024, 1 / 512)),
};
