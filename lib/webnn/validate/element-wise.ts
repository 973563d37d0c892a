/** Element-wise operators, activations, comparisons, cast and quantization. */
import type { Operand, OperandDescriptor, OperatorName } from '../ml-operand.js';
import { list, type Check, type Validators } from './check.js';
import { castNumber } from '../cast-number.js';

type Unary = (check: Check, input: Operand) => OperandDescriptor;
type Binary = (check: Check, a: Operand, b: Operand) => OperandDescriptor;

const same: Unary = (_check, { dataType, shape }) => ({ dataType, shape });
const truth: Unary = (_check, { shape }) => ({ dataType: 'uint8', shape });
const broadcast: Binary = (check, a, b) => ({ dataType: a.dataType, shape: check.broadcast(a.shape, b.shape) });
const compare: Binary = (check, a, b) => ({ dataType: 'uint8', shape: check.broadcast(a.shape, b.shape) });

export const elementWise: Validators<ElementWise> = {
  add: broadcast,
  sub: broadcast,
  mul: broadcast,
  div: broadcast,
  max: broadcast,
  min: broadcast,
  pow: broadcast,
  prelu: broadcast,
  equal: compare,
  notEqual: compare,
  greater: compare,
  greaterOrEqual: compare,
  lesser: compare,
  lesserOrEqual: compare,
  logicalAnd: compare,
  logicalOr: compare,
  logicalXor: compare,
  logicalNot: truth,
  isNaN: truth,
  isInfinite: truth,
  abs: same,
  ceil: same,
  cos: same,
  erf: same,
  exp: same,
  floor: same,
  identity: same,
  log: same,
  neg: same,
  reciprocal: same,
  roundEven: same,
  sin: same,
  sign: same,
  sqrt: same,
  tan: same,
  elu: same,
  gelu: same,
  hardSigmoid: same,
  hardSwish: same,
  leakyRelu: same,
  linear: same,
  relu: same,
  sigmoid: same,
  softplus: same,
  softsign: same,
  tanh: same,
  cast: (_check, { shape }, dataType) => ({ dataType, shape }),
  clamp(check, { dataType, shape }, { minValue = -Infinity, maxValue = Infinity }) {
    const low = castNumber(minValue, dataType);
    const high = castNumber(maxValue, dataType);
    check.that(!(low > high), () => `minValue ${minValue} is greater than maxValue ${maxValue}`);
    return { dataType, shape };
  },
  where(check, condition, trueValue, falseValue) {
    const values = check.broadcast(trueValue.shape, falseValue.shape);
    return { dataType: trueValue.dataType, shape: check.broadcast(condition.shape, values) };
  },
  quantizeLinear(check, input, scale, zeroPoint) {
    checkBlocks(check, input, scale, zeroPoint);
    return { dataType: zeroPoint.dataType, shape: input.shape };
  },
  dequantizeLinear(check, input, scale, zeroPoint) {
    checkBlocks(check, input, scale, zeroPoint);
    return { dataType: scale.dataType, shape: input.shape };
  },
};

/** Each element of scale and zeroPoint serves a block of the input. They may have fewer dimensions, as in Chromium. */
function checkBlocks(check: Check, input: Operand, scale: Operand, zeroPoint: Operand): void {
  check.shape('zeroPoint', zeroPoint, scale.shape);
  const skipped = input.rank - scale.rank;
  const isDivisor = skipped >= 0 && scale.shape.every((size, i) => (input.shape[i + skipped] ?? 1) % size === 0);
  check.that(isDivisor, () => `scale of the shape ${list(scale.shape)} does not divide the input's ${list(input.shape)}`);
}

type ElementWise = Extract<
  OperatorName,
  | ('add' | 'sub' | 'mul' | 'div' | 'max' | 'min' | 'pow' | 'prelu')
  | ('equal' | 'notEqual' | 'greater' | 'greaterOrEqual' | 'lesser' | 'lesserOrEqual')
  | ('logicalAnd' | 'logicalOr' | 'logicalXor' | 'logicalNot' | 'isNaN' | 'isInfinite')
  | ('abs' | 'ceil' | 'cos' | 'erf' | 'exp' | 'floor' | 'identity' | 'log' | 'neg' | 'reciprocal' | 'roundEven')
  | ('sin' | 'sign' | 'sqrt' | 'tan' | 'elu' | 'gelu' | 'hardSigmoid' | 'hardSwish' | 'leakyRelu' | 'linear')
  | ('relu' | 'sigmoid' | 'softplus' | 'softsign' | 'tanh' | 'cast' | 'clamp' | 'where')
  | ('quantizeLinear' | 'dequantizeLinear')
>;
