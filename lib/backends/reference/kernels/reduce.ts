/**
 * Reductions. Floats are summed in float64 and rounded once; integers wrap around. An index counts along the reduced
 * axes alone, in row-major order.
 */
import type { DataType } from '../../../schema/generated/enums.js';
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { readBigInts, readNumbers, writeBigInts, writeNumbers, type TensorView } from '../tensor-view.js';
import { required, type Kernel } from './kernel.js';

export const reduce: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const functionName = String(operator.fields['function']);
  const groups = groupsOf(operator, input, output.elementCount);
  if (functionName === 'argmax' || functionName === 'argmin') {
    writeIndices(output, extremes(input, groups, functionName === 'argmax', true));
  } else if (functionName === 'max' || functionName === 'min') {
    writeExtremes(input, output, groups, functionName === 'max');
  } else if (input.dataType.startsWith('float')) {
    const compute = FLOAT_FUNCTIONS[functionName];
    if (compute === undefined) throw new TypeError(`reduce has no function ${functionName}`);
    const values = readNumbers(input);
    writeNumbers(
      output,
      Float64Array.from(groups, (group) => compute(Float64Array.from(group, (element) => values[element] ?? 0))),
    );
  } else {
    const step = INTEGER_FUNCTIONS[functionName];
    if (step === undefined) throw new TypeError(`reduce has no function ${functionName} of integers`);
    const values = integersOf(input);
    const start = functionName === 'multiply' ? 1n : 0n;
    writeIntegers(
      output,
      groups.map((group) => wrap(input.dataType, group.reduce((all, i) => step(all, values[i] ?? 0n), start))),
    );
  }
};

const argReduction: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const groups = groupsOf(operator, input, output.elementCount);
  const first = operator.fields['axisDirection'] === 'increasing';
  writeIndices(output, extremes(input, groups, operator.type === 'argmax', first));
};

export const argmin = argReduction;
export const argmax = argReduction;

const FLOAT_FUNCTIONS: Readonly<Record<string, (values: Float64Array) => number>> = {
  average: (values) => sum(values) / values.length,
  l1: (values) => sum(values.map(Math.abs)),
  l2: (values) => Math.sqrt(sum(values.map((value) => value * value))),
  logSum: (values) => Math.log(sum(values)),
  logSumExp: (values) => Math.log(sum(values.map(Math.exp))),
  multiply: (values) => values.reduce((product, value) => product * value, 1),
  sum,
  sumSquare: (values) => sum(values.map((value) => value * value)),
};

const INTEGER_FUNCTIONS: Readonly<Record<string, (all: bigint, value: bigint) => bigint>> = {
  l1: (all, value) => all + (value < 0n ? -value : value),
  multiply: (all, value) => BigInt.asIntN(64, all * value),
  sum: (all, value) => all + value,
  sumSquare: (all, value) => all + value * value,
};

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** For each element of the output the numbers of the input's elements that it is made of. */
function groupsOf(operator: ResolvedOperator, input: TensorView, count: number): number[][] {
  const { axes } = operator.fields;
  const reduced = new Set(Array.isArray(axes) ? axes.map(Number) : []);
  const groups = Array.from({ length: count }, (): number[] => []);
  const { sizes } = input;
  const steps = new Array<number>(sizes.length).fill(0);
  let step = 1;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    if (reduced.has(axis)) continue;
    steps[axis] = step;
    step *= sizes[axis] ?? 1;
  }
  for (let element = 0; element < input.elementCount; element++) {
    let rest = element;
    let group = 0;
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      const size = sizes[axis] ?? 1;
      group += (rest % size) * (steps[axis] ?? 0);
      rest = Math.floor(rest / size);
    }
    groups[group]?.push(element);
  }
  return groups;
}

/** In each group the position of the largest or smallest element: the first or the last of equal ones. */
function extremes(input: TensorView, groups: readonly number[][], largest: boolean, first: boolean): number[] {
  const values = input.dataType.startsWith('float') ? readNumbers(input) : integersOf(input);
  return groups.map((group) => {
    let best = 0;
    for (let position = 1; position < group.length; position++) {
      const value = values[group[position] ?? 0] ?? 0;
      const record = values[group[best] ?? 0] ?? 0;
      const better = largest ? value > record : value < record;
      // Never a NaN after the first element, and never anything after a NaN that is the first.
      if (better || (!first && value === record)) best = position;
    }
    return best;
  });
}

function writeIndices(output: TensorView, positions: readonly number[]): void {
  writeIntegers(output, positions.map(BigInt));
}

/** NaN does not count: where there is nothing else, the result is the infinity that the shader begins with. */
function writeExtremes(input: TensorView, output: TensorView, groups: readonly number[][], largest: boolean): void {
  if (input.dataType.startsWith('float')) {
    const values = readNumbers(input);
    const better = (a: number, b: number): boolean => (largest ? a > b : a < b);
    const extremeOf = (group: readonly number[]): number =>
      group.reduce((best, i) => (better(values[i] ?? 0, best) ? (values[i] ?? 0) : best), largest ? -Infinity : Infinity);
    writeNumbers(output, Float64Array.from(groups, extremeOf));
    return;
  }
  const values = integersOf(input);
  const positions = extremes(input, groups, largest, true);
  writeIntegers(
    output,
    groups.map((group, i) => values[group[positions[i] ?? 0] ?? 0] ?? 0n),
  );
}

/** Also used by the scans. */
export function integersOf(input: TensorView): BigInt64Array | BigUint64Array {
  if (input.wordsPerElement === 2) return readBigInts(input);
  return BigInt64Array.from(readNumbers(input), BigInt);
}

/** Also used by the scans. */
export function writeIntegers(output: TensorView, values: readonly bigint[]): void {
  if (output.wordsPerElement === 2) {
    writeBigInts(output, BigInt64Array.from(values, (value) => BigInt.asIntN(64, value)));
  } else {
    writeNumbers(output, Float64Array.from(values, (value) => Number(wrap(output.dataType, value))));
  }
}

/** As an integer of the type's width holds it. */
export function wrap(dataType: DataType, value: bigint): bigint {
  const bits = Number(/\d+$/.exec(dataType)?.[0] ?? 64);
  return dataType.startsWith('uint') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}
