/** Cumulative sums and products along one axis, in float64 and rounded once, or in integers that wrap around. */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { readNumbers, writeNumbers } from '../tensor-view.js';
import { numberField, productOf, required, type Kernel } from './kernel.js';
import { integersOf, wrap, writeIntegers } from './reduce.js';

export const cumulativeSummation: Kernel = (operator, inputs, outputs) => {
  scan(operator, inputs, outputs, 'hasExclusiveSum', {
    start: 0,
    numbers: (a, b) => a + b,
    integers: (a, b) => a + b,
  });
};

export const cumulativeProduct: Kernel = (operator, inputs, outputs) => {
  scan(operator, inputs, outputs, 'hasExclusiveProduct', {
    start: 1,
    numbers: (a, b) => a * b,
    integers: (a, b) => a * b,
  });
};

interface Step {
  readonly start: number;
  readonly numbers: (all: number, value: number) => number;
  readonly integers: (all: bigint, value: bigint) => bigint;
}

function scan(
  operator: ResolvedOperator,
  inputs: Parameters<Kernel>[1],
  outputs: Parameters<Kernel>[2],
  exclusiveField: string,
  step: Step,
): void {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const exclusive = operator.fields[exclusiveField] === true;
  const lines = linesOf(operator, input.sizes);
  if (input.dataType.startsWith('float')) {
    const values = Array.from(readNumbers(input));
    const results = run(values, lines, step.start, step.numbers, exclusive);
    writeNumbers(output, Float64Array.from(results));
  } else {
    const add = (all: bigint, value: bigint): bigint => wrap(input.dataType, step.integers(all, value));
    writeIntegers(output, run(Array.from(integersOf(input)), lines, BigInt(step.start), add, exclusive));
  }
}

function run<T>(values: T[], lines: Iterable<number[]>, start: T, step: (all: T, value: T) => T, exclusive: boolean): T[] {
  for (const line of lines) {
    let all = start;
    for (const element of line) {
      const before = all;
      all = step(all, values[element] ?? start);
      values[element] = exclusive ? before : all;
    }
  }
  return values;
}

/** The elements' numbers along the axis, in the order of its direction, line by line. */
function* linesOf(operator: ResolvedOperator, sizes: readonly number[]): Generator<number[]> {
  const axis = numberField(operator, 'axis');
  const outer = productOf(sizes, 0, axis);
  const length = sizes[axis] ?? 1;
  const inner = productOf(sizes, axis + 1);
  const decreasing = operator.fields['axisDirection'] === 'decreasing';
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      const line = Array.from({ length }, (_, k) => (i * length + k) * inner + j);
      yield decreasing ? line.reverse() : line;
    }
  }
}
