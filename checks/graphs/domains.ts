/**
 * The values that an operator of a graph may read from other nodes. An operator's tolerance holds for the data of its generated
 * cases. Some operators take any values with this tolerance; others take only values like those of their cases: moderate numbers,
 * numbers with exact sums, indices in range. For the latter, the table gives the values that an input takes besides the data of its
 * own case.
 */
import type { OperatorType } from 'node-directml';
import { isFloat } from '#lib/tensors/data-types.js';
import type { ConformanceCase } from '../cases/case.js';
import { inputsOf } from '../cases/layout.js';
import { numbersOf } from '../tolerance/elements.js';
import { operatorTypes } from '../operators/cases.js';
import { isStepwise } from '../operators/recurrent/values.js';

/** Floats from `low` to `high`, of which none is NaN; with a step, only multiples of it. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly step?: number;
}

/** `own` is only the data of the case. Bounds are for floats: an integer input with bounds takes any integers. */
export type Domain = 'own' | 'any' | Bounds;

type Descriptor = ConformanceCase['descriptor'];
type Fields = Readonly<Record<string, Domain>>;
type Rule = Fields | ((descriptor: Descriptor) => Fields);

/** The values that an input of the case may read from other nodes. */
export function domainOf(test: ConformanceCase, field: string): Domain {
  const rule = RULES[test.descriptor.type] ?? ANY;
  const domain = (typeof rule === 'function' ? rule(test.descriptor) : rule)[field] ?? 'own';
  // Cases with numbers that overflow or are not finite are made so that the result is still defined. With other data it may not be.
  return typeof domain === 'object' && isFar(test) ? 'own' : domain;
}

/** True if an input of the case has infinities, NaN or numbers from the limit on. */
export function isFar(test: ConformanceCase, limit = 1e5): boolean {
  return inputsOf(test).some(
    ({ tensor, bytes }) => isFloat(tensor.dataType) && numbersOf(tensor, bytes).some((x) => !(Math.abs(x) < limit)),
  );
}

function within(limit: number, step?: number): Bounds {
  return step === undefined ? { low: -limit, high: limit } : { low: -limit, high: limit, step };
}

/** The same domain for the tensors with these names. */
function fields(domain: Domain, ...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [`${name}Tensor`, domain]));
}

/** The same rule for all operators whose type matches. */
function each(types: RegExp, rule: Rule): Partial<Record<OperatorType, Rule>> {
  return Object.fromEntries(operatorTypes.filter((type) => types.test(type)).map((type) => [type, rule]));
}

/** Operators that move elements, or compute with any numbers. Their indices and scales are those of the case. */
const ANY: Fields = {
  ...fields('any', 'input', 'inputGradient', 'a', 'b', 'filter', 'condition', 'slope', 'updates', 'sequenceLengths'),
  ...fields('any', 'zeroPoint', 'inputZeroPoint', 'filterZeroPoint', 'outputZeroPoint', 'aZeroPoint', 'bZeroPoint'),
  inputTensors: 'any',
};

/** The operation would amplify the rounding of a product with `scale`, but multiples of 1/64 are scaled exactly. */
const unlessScaled =
  (domain: Domain, scaled: Domain = within(16, 1 / 64)): Rule =>
  (descriptor) => ({ inputTensor: 'scaleBias' in descriptor && descriptor.scaleBias ? scaled : domain });

/** With 64 bits, a division by 0 depends on the adapter. */
const divided: Rule = (descriptor) => {
  const isWide = 'bTensor' in descriptor && descriptor.bTensor.dataType.endsWith('64');
  return { aTensor: 'any', bTensor: isWide ? 'own' : 'any' };
};

/** Without 64-bit shader operations, DirectML compares the low halves of int64 as signed numbers (docs/differences.md). */
const limited: Rule = (descriptor) => {
  const tensor = 'aTensor' in descriptor ? descriptor.aTensor : 'inputTensor' in descriptor ? descriptor.inputTensor : null;
  return tensor?.dataType === 'int64' ? {} : ANY;
};

const activated =
  (fields: Fields): Rule =>
  (descriptor) => {
    const fused = 'fusedActivation' in descriptor ? descriptor.fusedActivation : null;
    const steps = ['activationThresholdedRelu', 'activationShrink'];
    // At a step, an error of one unit becomes a large one, and bounded values often give the same sums.
    return fused && steps.includes(fused.type) ? {} : fields;
  };

const reduced: Rule = (descriptor) => {
  if (descriptor.type !== 'reduce') return {};
  const isHalf = descriptor.inputTensor.dataType === 'float16';
  switch (descriptor.function) {
    case 'argmax':
    case 'argmin':
    case 'max':
    case 'min':
      return ANY;
    case 'multiply':
      return isFloat(descriptor.inputTensor.dataType) ? {} : ANY;
    case 'logSum':
      return { inputTensor: { low: 0.01, high: 4 } };
    case 'l2':
    case 'sumSquare':
      return { inputTensor: within(isHalf ? 3 : 100) };
    default:
      return { inputTensor: within(8) };
  }
};

const normalized = activated({
  inputTensor: within(4),
  ...fields(within(2), 'scale', 'bias', 'mean', 'fusedAdd', 'inputGradient'),
});

/** For other `p`, the cases' own powers of many elements overflow or underflow by design. */
const powers: Rule = (descriptor) =>
  'p' in descriptor && descriptor.p > 0 && descriptor.p < 3 ? { inputTensor: within(8) } : {};

/** Cases with activations that map integers to integers have only integers, so that every step is exact. */
const recurrent: Rule = (descriptor) => {
  const isWhole = 'activationDescs' in descriptor && isStepwise(descriptor.activationDescs);
  return fields(isWhole ? within(2, 1) : within(1), 'input', 'hiddenInit', 'cellMemInit');
};

const attention = fields(
  within(1, 1 / 4),
  ...['query', 'key', 'value', 'stackedQueryKey', 'stackedKeyValue', 'stackedQueryKeyValue', 'bias', 'pastKey', 'pastValue'],
);

const RULES: Partial<Record<OperatorType, Rule>> = {
  ...each(/^elementWise(Divide|Modulus)/, divided),
  ...each(/^elementWise(Acosh?|Asinh?|Atanh?|Cosh|Erf|Exp|Recip|Sinh|Sqrt|Tanh)$/, unlessScaled('any')),
  ...each(/^elementWise(Sin|Cos)$/, unlessScaled(within(64))),
  elementWiseTan: unlessScaled(within(1.25), 'own'),
  // The logarithm of a subnormal may have any value.
  elementWiseLog: unlessScaled({ low: 0.015625, high: 60000 }),
  elementWiseAtanYx: fields(within(64), 'a', 'b'),
  elementWiseAdd1: activated(fields(within(16, 1 / 32), 'a', 'b')),
  ...each(/^elementWiseBitShift/, { aTensor: 'any' }),
  ...each(/^elementWise(Max|Min|Clip)/, limited),
  // A power of a subnormal may be that of any other one, or of zero.
  elementWisePow: {},
  elementWiseConstantPow: { inputTensor: within(64, 1 / 64) },
  oneHot: fields('any', 'values', 'indices'),
  ...each(/^topK/, { inputTensor: within(1000) }),
  dynamicQuantizeLinear: { inputTensor: within(100) },
  reduce: reduced,
  ...each(/^(cumulativeSummation|fold)$/, { inputTensor: within(8) }),
  cumulativeProduct: (descriptor) =>
    descriptor.type === 'cumulativeProduct' && isFloat(descriptor.inputTensor.dataType) ? {} : ANY,
  ...each(/^(averagePooling|valueScale2d)/, fields(within(16), 'input', 'inputGradient')),
  ...each(/^lpPooling/, powers),
  // Gradients are multiples of one number, so that their sums are exact.
  maxPoolingGrad: { inputTensor: 'any', inputGradientTensor: within(32, 1) },
  gemm: activated(fields(within(2), 'a', 'b', 'c')),
  convolution: activated(fields(within(2), 'input', 'filter', 'bias')),
  ...each(/Normalization/, normalized),
  adamOptimizer: { inputParametersTensor: within(4), inputFirstMomentTensor: within(1), gradientTensor: within(1) },
  ...each(/^multiheadAttention/, attention),
  ...each(/^(rnn|gru|lstm)$/, recurrent),
  ...each(/^(resample|upsample)/, fields(within(8), 'input', 'inputGradient')),
  ...each(/^roi/, { inputTensor: within(8) }),
  roiAlignGrad: { inputGradientTensor: within(8) },
  // Float32 subnormals may count as zeros.
  nonzeroCoordinates: { inputTensor: within(8, 1 / 4) },
};
