/** Single nodes that many lowerings use. Both operands of each have the same sizes, and truth is a uint8. */
import type { Value } from '../../graph/value.js';
import type { Step } from './step.js';

const truth = { dataType: 'uint8' } as const;

export function add(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseAdd', aTensor, bTensor }).outputTensor;
}

export function subtract(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseSubtract', aTensor, bTensor }).outputTensor;
}

export function multiply(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseMultiply', aTensor, bTensor }).outputTensor;
}

export function abs(step: Step, inputTensor: Value): Value {
  return step.add({ type: 'elementWiseAbs', inputTensor }).outputTensor;
}

export function bitAnd(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseBitAnd', aTensor, bTensor }).outputTensor;
}

export function bitOr(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseBitOr', aTensor, bTensor }).outputTensor;
}

export function bitXor(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseBitXor', aTensor, bTensor }).outputTensor;
}

export function equals(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseLogicalEquals', aTensor, bTensor, outputTensor: truth }).outputTensor;
}

/** As DirectML compares; wide.ts has what is right for int64. */
export function lessThan(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseLogicalLessThan', aTensor, bTensor, outputTensor: truth }).outputTensor;
}

export function greaterThan(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseLogicalGreaterThan', aTensor, bTensor, outputTensor: truth }).outputTensor;
}

export function greaterOrEqual(step: Step, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseLogicalGreaterThanOrEqual', aTensor, bTensor, outputTensor: truth }).outputTensor;
}

/** a where the condition is true, else b. */
export function choose(step: Step, conditionTensor: Value, aTensor: Value, bTensor: Value): Value {
  return step.add({ type: 'elementWiseIf', conditionTensor, aTensor, bTensor }).outputTensor;
}
