/** Comparisons, logical operators and where. */
import { at, broadcastShapes, makeTensor, type Element, type PlainTensor } from '../plain-tensor.js';

type Binary = (a: PlainTensor, b: PlainTensor) => PlainTensor;

/** NaN is not equal to anything, nor greater or lesser. */
function truth(holds: (a: Element, b: Element) => boolean): Binary {
  return (a, b) => {
    return makeTensor('uint8', broadcastShapes(a.shape, b.shape), (place) => (holds(at(a, place), at(b, place)) ? 1 : 0));
  };
}

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

export function where(condition: PlainTensor, trueValue: PlainTensor, falseValue: PlainTensor): PlainTensor {
  const shape = broadcastShapes(condition.shape, broadcastShapes(trueValue.shape, falseValue.shape));
  return makeTensor(trueValue.dataType, shape, (place) => at(at(condition, place) === 0 ? falseValue : trueValue, place));
}
