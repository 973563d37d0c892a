/** Where to write a field that an operator does not have. */
import type { OtherNames } from '../values/near-names.js';

/** Names that fields have elsewhere, and in other operators. Each counts only in the operators that have the field. */
export const otherNames: OtherNames = {
  aTensor: ['a', 'lhs', 'left', 'x', 'input', 'inputTensor'],
  alpha: ['negativeSlope', 'slope'],
  axes: ['axis', 'dim', 'dims'],
  axis: ['axes', 'dim', 'dims'],
  bTensor: ['b', 'rhs', 'right', 'y', 'other', 'weight', 'weights'],
  biasTensor: ['beta', 'b'],
  cTensor: ['c', 'bias', 'biasTensor', 'addend'],
  diagonalFillBegin: ['k', 'diagonal'],
  endPadding: ['pads', 'padEnd', 'endingPadding'],
  filterTensor: ['weight', 'weights', 'weightTensor', 'kernel', 'w'],
  function: ['reduction', 'reductionFunction', 'op', 'operation'],
  fusedActivation: ['activation'],
  groupCount: ['groups', 'group', 'numGroups'],
  headCount: ['heads', 'numHeads', 'nHeads', 'nHead', 'numAttentionHeads'],
  indicesTensor: ['ids', 'idx', 'index'],
  inputTensor: ['x', 'input', 'data', 'aTensor'],
  interpolationMode: ['mode'],
  keyTensor: ['k'],
  max: ['high', 'maxValue', 'maximum'],
  meanTensor: ['runningMean'],
  min: ['low', 'minValue', 'minimum'],
  outputPadding: ['outputPad'],
  paddingMode: ['mode'],
  paddingValue: ['value', 'constantValue', 'padValue'],
  queryTensor: ['q'],
  scaleTensor: ['weight', 'gamma'],
  startPadding: ['pads', 'padStart', 'beginningPadding'],
  transA: ['transposeA', 'aTranspose', 'adjointA'],
  transB: ['transposeB', 'bTranspose', 'adjointB'],
  valueTensor: ['v'],
  varianceTensor: ['runningVar'],
  windowSize: ['kernelSize', 'kernelShape', 'kernel', 'windowDimensions', 'filterSize', 'poolSize'],
};

/** Fields of a tensor description, by the names that people write into the descriptor instead. */
const ofOutput: ReadonlyMap<string, string> = new Map([
  ['dataType', 'dataType'],
  ['dtype', 'dataType'],
  ['to', 'dataType'],
  ['sizes', 'sizes'],
  ['shape', 'sizes'],
]);

/** `outputTensor: { dataType } says it` for the field `dataType` of an operator; undefined if nothing is known. */
export function adviceForField(name: string, names: readonly string[]): string | undefined {
  const field = ofOutput.get(name);
  return field === undefined || !names.includes('outputTensor') ? undefined : `outputTensor: { ${field} } says it`;
}
