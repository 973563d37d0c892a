/** Comparisons, logical operators and where. */
import type { Formula } from '../operator.js';
import { combined, type Element, type PlainTensor } from '../plain-tensor.js';

export function truth(holds: (...elements: Element[]) => boolean): (...operands: readonly PlainTensor[]) => PlainTensor {
  return (...operands) => combined('uint8', operands, (...elements) => (holds(...elements) ? 1 : 0));
}

/** NaN is neither equal to, greater than nor less than anything. */
export const equal = truth((a, b) => a === b);
export const notEqual = truth((a, b) => a !== b);
export const greater = truth((a, b) => a > b);
export const greaterOrEqual = truth((a, b) => a >= b);
export const lesser = truth((a, b) => a < b);
export const lesserOrEqual = truth((a, b) => a <= b);

/** Any number but 0 counts as true. */
export const logicalAnd = truth((a, b) => a !== 0 && b !== 0);
export const logicalOr = truth((a, b) => a !== 0 || b !== 0);
export const logicalXor = truth((a, b) => (a !== 0) !== (b !== 0));

export const where: Formula<'where'> = (condition, trueValue, falseValue) => {
  return combined(trueValue.dataType, [condition, trueValue, falseValue], (truth, yes, no) => (truth === 0 ? no : yes));
};
