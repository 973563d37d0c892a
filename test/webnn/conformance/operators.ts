/** The operators that are checked, by the families of their formulas. */
import { binary } from './draw/binary.js';
import type { CheckedOperators } from './operator.js';
import type { OperatorName } from './webnn-case.js';

export const operators: Partial<CheckedOperators> = {
  ...binary,
};

export const operatorNames: readonly OperatorName[] = Object.keys(operators).filter(isName);

function isName(name: string): name is OperatorName {
  return name in operators;
}
