/** Operators that repeat a tensor's elements around or beside it. */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import type { TensorView } from '../tensor-view.js';
import { ABSENT, moveMapped, oneElement, sumTerms, termsByAxis, wholeOf } from './element-map.js';
import { numberField, numbersField, required, type Kernel } from './kernel.js';

/** The input's coordinate for a coordinate that may lie before or after the input. */
type Fold = (coordinate: number, size: number) => number;

const FOLDS: Readonly<Record<string, Fold>> = {
  constant: (coordinate, size) => (coordinate >= 0 && coordinate < size ? coordinate : ABSENT),
  edge: (coordinate, size) => Math.min(Math.max(coordinate, 0), size - 1),
  // The edge itself is not repeated: a period is there and back without the two ends twice.
  reflection: (coordinate, size) => {
    const place = modulo(coordinate, Math.max(1, 2 * (size - 1)));
    return place < size ? place : 2 * (size - 1) - place;
  },
  symmetric: (coordinate, size) => {
    const place = modulo(coordinate, 2 * size);
    return place < size ? place : 2 * size - 1 - place;
  },
  wrap: modulo,
};

export const padding: Kernel = (operator, inputs, outputs) => {
  const output = required(outputs, 0);
  const value = wholeOf(output.dataType, numberField(operator, 'paddingValue'));
  pad(operator, required(inputs, 0), output, oneElement(output, value));
};

export const padding1: Kernel = (operator, inputs, outputs) => {
  const output = required(outputs, 0);
  pad(operator, required(inputs, 0), output, oneElement(output, operator.fields['paddingValue']));
};

export const tile: Kernel = (_operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const from = (coordinate: number, axis: number) => coordinate % (input.sizes[axis] ?? 1);
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)));
};

function pad(operator: ResolvedOperator, input: TensorView, output: TensorView, value: TensorView): void {
  const start = numbersField(operator, 'startPadding');
  const fold = FOLDS[String(operator.fields['paddingMode'])];
  if (fold === undefined) throw new TypeError(`no padding mode ${String(operator.fields['paddingMode'])}`);
  const from = (coordinate: number, axis: number) => fold(coordinate - (start[axis] ?? 0), input.sizes[axis] ?? 1);
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)), value);
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
