/** Lowers element-wise operators and activations. */
import type { Value } from '../../graph/value.js';
import type { elementWise as validated } from '../validate/element-wise.js';
import type { Lowerings, Step } from './step.js';
import { castValue } from './cast.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { power } from './power.js';
import { isFloat } from '../../tensors/data-types.js';
import { ascending, clip, greaterOf, lesserOf, pow, prelu, relu } from './wide.js';

type Plain = (step: Step, input: Value) => Value;
type Pair = (step: Step, a: Value, b: Value) => Value;

type PlainType =
  | ('elementWiseAbs' | 'elementWiseCeil' | 'elementWiseCos' | 'elementWiseErf' | 'elementWiseExp' | 'elementWiseFloor')
  | ('elementWiseLog' | 'elementWiseNegate' | 'elementWiseRecip' | 'elementWiseSign' | 'elementWiseSin' | 'elementWiseSqrt')
  | ('elementWiseTan' | 'activationGelu' | 'activationHardSwish' | 'activationRelu' | 'activationSigmoid')
  | ('activationSoftplus' | 'activationSoftsign' | 'activationTanh');

type PairType =
  ('elementWiseAdd' | 'elementWiseSubtract' | 'elementWiseMultiply' | 'elementWiseDivide' | 'elementWiseMax') | 'elementWiseMin';

type TruthType =
  | ('elementWiseLogicalEquals' | 'elementWiseLogicalGreaterThan' | 'elementWiseLogicalGreaterThanOrEqual')
  | ('elementWiseLogicalLessThan' | 'elementWiseLogicalLessThanOrEqual')
  | ('elementWiseLogicalAnd' | 'elementWiseLogicalOr' | 'elementWiseLogicalXor');

function plain(type: PlainType): Plain {
  return (step, inputTensor) => step.add({ type, inputTensor }).outputTensor;
}

function pair(type: PairType): Pair {
  return (step, a, b) => {
    return step.add({ type, aTensor: step.broadcast(a), bTensor: step.broadcast(b) }).outputTensor;
  };
}

const truth = { dataType: 'uint8' } as const;

function truthOf(type: TruthType): Pair {
  return (step, a, b) => {
    const [aTensor, bTensor] = [step.broadcast(a), step.broadcast(b)];
    return step.add({ type, aTensor, bTensor, outputTensor: truth }).outputTensor;
  };
}

/** `wide` gets int64 in the sizes of the output. */
function unlessWide(other: Pair, wide: Pair, dataTypes: readonly DataType[] = ['int64']): Pair {
  return (step, a, b) => (dataTypes.includes(a.dataType) ? wide(step, step.broadcast(a), step.broadcast(b)) : other(step, a, b));
}

function compare(type: TruthType): Pair {
  const other = truthOf(type);
  return (step, a, b) => other(step, ascending(step, a), ascending(step, b));
}

const equal = truthOf('elementWiseLogicalEquals');
const logicalNot: Plain = (step, inputTensor) => {
  return step.add({ type: 'elementWiseLogicalNot', inputTensor, outputTensor: truth }).outputTensor;
};

export const elementWise: Lowerings<Exclude<keyof typeof validated, 'quantizeLinear' | 'dequantizeLinear'>> = {
  add: pair('elementWiseAdd'),
  sub: pair('elementWiseSubtract'),
  mul: pair('elementWiseMultiply'),
  div: pair('elementWiseDivide'),
  max: unlessWide(pair('elementWiseMax'), greaterOf),
  min: unlessWide(pair('elementWiseMin'), lesserOf),
  pow: unlessWide(power, pow, ['int64', 'uint64']),
  prelu: unlessWide((step, input, slope) => {
    const [inputTensor, slopeTensor] = [step.broadcast(input), step.broadcast(slope)];
    return step.add({ type: 'activationParameterizedRelu', inputTensor, slopeTensor }).outputTensor;
  }, prelu),
  equal,
  // Equality with NaN is false, so this is true, as it has to be.
  notEqual: (step, a, b) => logicalNot(step, equal(step, a, b)),
  greater: compare('elementWiseLogicalGreaterThan'),
  greaterOrEqual: compare('elementWiseLogicalGreaterThanOrEqual'),
  lesser: compare('elementWiseLogicalLessThan'),
  lesserOrEqual: compare('elementWiseLogicalLessThanOrEqual'),
  logicalAnd: truthOf('elementWiseLogicalAnd'),
  logicalOr: truthOf('elementWiseLogicalOr'),
  logicalXor: truthOf('elementWiseLogicalXor'),
  logicalNot,
  isNaN: (step, inputTensor) => step.add({ type: 'elementWiseIsNan', inputTensor, outputTensor: truth }).outputTensor,
  isInfinite: (step, inputTensor) => step.add({ type: 'elementWiseIsInfinity', inputTensor }).outputTensor,
  abs: plain('elementWiseAbs'),
  ceil: plain('elementWiseCeil'),
  cos: plain('elementWiseCos'),
  erf: plain('elementWiseErf'),
  exp: plain('elementWiseExp'),
  floor: plain('elementWiseFloor'),
  identity: (_step, input) => input,
  log: plain('elementWiseLog'),
  neg: plain('elementWiseNegate'),
  reciprocal: plain('elementWiseRecip'),
  roundEven: (step, inputTensor) => step.add({ type: 'elementWiseRound', inputTensor }).outputTensor,
  sin: plain('elementWiseSin'),
  sign: plain('elementWiseSign'),
  sqrt: plain('elementWiseSqrt'),
  tan: plain('elementWiseTan'),
  elu: (step, inputTensor, { alpha }) => step.add({ type: 'activationElu', inputTensor, alpha }).outputTensor,
  gelu: plain('activationGelu'),
  hardSigmoid: (step, inputTensor, { alpha, beta }) => {
    return step.add({ type: 'activationHardSigmoid', inputTensor, alpha, beta }).outputTensor;
  },
  hardSwish: plain('activationHardSwish'),
  leakyRelu: (step, inputTensor, { alpha }) => step.add({ type: 'activationLeakyRelu', inputTensor, alpha }).outputTensor,
  linear: (step, inputTensor, { alpha, beta }) => {
    return step.add({ type: 'activationLinear', inputTensor, alpha, beta }).outputTensor;
  },
  relu: (step, input) => (input.dataType === 'int64' ? relu(step, input) : plain('activationRelu')(step, input)),
  sigmoid: plain('activationSigmoid'),
  softplus: plain('activationSoftplus'),
  softsign: plain('activationSoftsign'),
  tanh: plain('activationTanh'),
  clamp: (step, input, { minValue, maxValue }) => {
    const bound = minValue ?? maxValue;
    if (bound === undefined) return input;
    if (!isFloat(input.dataType) || (minValue !== undefined && maxValue !== undefined)) {
      return clip(step, input, step.number(minValue ?? -Infinity), step.number(maxValue ?? Infinity));
    }
    // An elementWiseClip1 with an infinite bound would make infinity of NaN.
    const type = maxValue === undefined ? 'elementWiseMax' : 'elementWiseMin';
    const bTensor = step.fill(input.dataType, input.sizes, step.number(bound));
    return step.add({ type, aTensor: input, bTensor }).outputTensor;
  },
  cast: (step, input) => castValue(step, input, step.dataType),
  where: (step, condition, trueValue, falseValue) => {
    const conditionTensor = step.broadcast(condition);
    const [aTensor, bTensor] = [step.broadcast(trueValue), step.broadcast(falseValue)];
    return step.add({ type: 'elementWiseIf', conditionTensor, aTensor, bTensor }).outputTensor;
  },
};
