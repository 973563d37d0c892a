/**
 * Activations and clamp. If an expression of the specification gives NaN for an infinity at which the function has a limit, both
 * results are right. For NaN, either end of a range is also right, because the specification leaves NaN in min and max open.
 */
import { castNumber, isFloatType, limitsOf, natural, wrappedTo } from '../elements.js';
import type { Formula } from '../operator.js';
import { combined, makeTensor, numberAt, type Outcome, type PlainTensor } from '../plain-tensor.js';
import { erfc } from './functions.js';
import { each } from './unary.js';

/** Casts a number of the options to the data type of the input, as the specification requires. */
function inType({ dataType }: PlainTensor, value: number): number {
  return Number(castNumber(value, dataType));
}

/** `scale` is the largest term. An infinity cannot be a scale and is ignored. */
function scaled(value: number, scale: number): Outcome {
  return Number.isFinite(scale) ? { value, scale: Math.abs(scale) } : { value };
}

/** max(0, x) + alpha * (exp(min(0, x)) - 1) */
export const elu: Formula<'elu'> = (input, { alpha = 1 } = {}) => {
  const factor = inType(input, alpha);
  return each((x) => (x < 0 ? scaled(factor * Math.expm1(x), factor) : x))(input);
};

/** 0.5 * x * (1 + erf(x / sqrt(2))) */
export const gelu = each((x) => {
  if (x === -Infinity) return { value: 0, also: [NaN] };
  return scaled(0.5 * x * erfc(-x / Math.SQRT2), x / 2);
});

/** max(0, min(1, alpha * x + beta)) */
export const hardSigmoid: Formula<'hardSigmoid'> = (input, { alpha = 0.2, beta = 0.5 } = {}) => {
  const [factor, addend] = [inType(input, alpha), inType(input, beta)];
  return each((x) => {
    const inner = factor * x + addend;
    if (Number.isNaN(inner)) return { value: NaN, also: [0, 1] };
    return scaled(Math.max(0, Math.min(1, inner)), Math.abs(factor * x) + Math.abs(addend));
  })(input);
};

/** x * max(0, min(6, (x + 3))) / 6 */
export const hardSwish = each((x) => {
  if (x === -Infinity) return { value: 0, also: [NaN] };
  return scaled((x * Math.max(0, Math.min(6, x + 3))) / 6, x > -4 && x < 4 ? (x * (Math.abs(x) + 3)) / 6 : 0);
});

/** max(0, x) + alpha * min(0, x) */
export const leakyRelu: Formula<'leakyRelu'> = (input, { alpha = 0.01 } = {}) => {
  const factor = inType(input, alpha);
  return each((x) => (x < 0 ? factor * x : x))(input);
};

/** alpha * x + beta */
export const linear: Formula<'linear'> = (input, { alpha = 1, beta = 0 } = {}) => {
  const [factor, addend] = [inType(input, alpha), inType(input, beta)];
  return each((x) => scaled(factor * x + addend, Math.abs(factor * x) + Math.abs(addend)))(input);
};

/** max(0, x) + slope * min(0, x); the result of integers that overflow is open. */
export const prelu: Formula<'prelu'> = (input, slope) => {
  const { dataType } = input;
  return combined(dataType, [input, slope], (x, factor) => {
    if (!(x < 0)) return x;
    if (isFloatType(dataType)) return Number(x) * Number(factor);
    const { low, high } = limitsOf(dataType);
    const product = BigInt(x) * BigInt(factor);
    const value = wrappedTo(dataType, product);
    return product < low || product > high ? { value, also: 'any' } : value;
  });
};

/** max(0, x) */
export const relu: Formula<'relu'> = (input) => {
  return combined(input.dataType, [input], (x) => {
    if (Number.isNaN(x)) return { value: NaN, also: [0] };
    return x > 0 ? x : natural(input.dataType, 0n);
  });
};

/** 1 / (1 + exp(-x)), with the error of a GPU's exponential: see exp */
export const sigmoid = each((x) => {
  const value = 1 / (1 + Math.exp(-x));
  return scaled(value, value * Math.max(1, (10 + 0.85 * Math.max(0, -x * Math.LOG2E)) / 34));
});

/** ln(1 + exp(x)), computed without overflow; the smallest results have an absolute error */
export const softplus = each((x) => scaled(Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))), 1));

/** x / (1 + |x|) */
export const softsign = each((x) => (Math.abs(x) === Infinity ? { value: Math.sign(x), also: [NaN] } : x / (1 + Math.abs(x))));

export const tanh = each(Math.tanh);

/** Without a bound, "the clamping is not performed" on that side. */
export const clamp: Formula<'clamp'> = (input, { minValue, maxValue } = {}) => {
  const { dataType } = input;
  const [low, high] = [minValue, maxValue].map((bound) => (bound === undefined ? undefined : castNumber(bound, dataType)));
  return combined(dataType, [input], (x) => {
    if (Number.isNaN(x)) return { value: NaN, also: [low, high].filter((bound) => bound !== undefined) };
    if (low !== undefined && x < low) return low;
    return high !== undefined && x > high ? high : x;
  });
};

/** exp(x) / Σ exp(x) along an axis. Subtracting the greatest element first only avoids overflow. */
export function softmax(input: PlainTensor, axis: number): PlainTensor {
  const size = input.shape[axis] ?? 1;
  return makeTensor(input.dataType, input.shape, (place) => {
    const line = Array.from({ length: size }, (_, i) => numberAt(input, place.with(axis, i)));
    const greatest = Math.max(...line);
    const sum = line.reduce((total, x) => total + Math.exp(x - greatest), 0);
    const value = Math.exp(numberAt(input, place) - greatest) / sum;
    // On a GPU, each of the two exponentials has an error of 2⁻²¹, and its argument is rounded.
    const units = 18 + size + 1.55 * Math.abs(Math.log2(value));
    return value > 0 ? scaled(value, value * Math.max(1, units / (3 * size + 3))) : { value };
  });
}
