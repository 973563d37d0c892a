/**
 * Cumulative sums and products along one axis. Floats are computed in float64 and rounded once, but once they leave the range of
 * float32 they stay infinite or 0. Integers wrap around.
 */
import { isFloat, wrapped } from '../../tensors/data-types.js';
import type { Resolved } from '../../descriptors/resolved.js';
import { byBlocks } from '../../compute/blocks.js';
import { inFloat32Range } from '../../compute/numbers.js';
import { readNumbers, writeNumbers } from '../../compute/tensor-view.js';
import type { InputAndOutput, Kernel } from '../../compute/kernel.js';
import { productOf } from '../../tensors/tensor-size.js';
import { integersOf, writeIntegers } from '../../compute/integers.js';

export const cumulativeSummation: Kernel<'cumulativeSummation'> = (operator, tensors) => {
  scan(operator, tensors, operator.hasExclusiveSum, {
    start: 0,
    numbers: (a, b) => inFloat32Range(a + b),
    integers: (a, b) => a + b,
  });
};

export const cumulativeProduct: Kernel<'cumulativeProduct'> = (operator, tensors) => {
  scan(operator, tensors, operator.hasExclusiveProduct, {
    start: 1,
    numbers: (a, b) => inFloat32Range(a * b),
    integers: (a, b) => a * b,
  });
};

interface Step {
  readonly start: number;
  readonly numbers: (accumulated: number, value: number) => number;
  readonly integers: (accumulated: bigint, value: bigint) => bigint;
}

type Scan = Resolved<'cumulativeSummation' | 'cumulativeProduct'>;

function scan(operator: Scan, tensors: InputAndOutput, exclusive: boolean, step: Step): void {
  const scanBlocks = byBlocks<Scan, InputAndOutput>(
    (_operator, { inputTensor: input, outputTensor: output }) => {
      const lines = linesOf(operator, input.sizes);
      if (isFloat(input.dataType)) {
        const values = readNumbers(input);
        run(values, lines, step.start, step.numbers, exclusive);
        writeNumbers(output, values);
      } else {
        const combine = (accumulated: bigint, value: bigint): bigint => {
          return wrapped(input.dataType, step.integers(accumulated, value));
        };
        const values = Array.from(integersOf(input));
        run(values, lines, BigInt(step.start), combine, exclusive);
        writeIntegers(output, values);
      }
    },
    ({ axis }) => [axis],
  );
  scanBlocks(operator, tensors);
}

/** Replaces the values by their scan, line by line. */
function run<T>(
  values: Record<number, T>,
  { outer, inner, length, first, stride }: Lines,
  start: T,
  step: (accumulated: T, value: T) => T,
  exclusive: boolean,
): void {
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      let accumulated = start;
      let at = (i * length + first) * inner + j;
      for (let k = 0; k < length; k++, at += stride) {
        const before = accumulated;
        accumulated = step(accumulated, values[at] ?? start);
        values[at] = exclusive ? before : accumulated;
      }
    }
  }
}

/** The lines along the axis, in the order of its direction: `inner` lines side by side, `outer` times. */
interface Lines {
  readonly outer: number;
  readonly inner: number;
  readonly length: number;
  /** The coordinate at which a line begins. */
  readonly first: number;
  /** The distance from one element of a line to the next, in elements. */
  readonly stride: number;
}

function linesOf({ axis, axisDirection }: Scan, sizes: readonly number[]): Lines {
  const length = sizes[axis] ?? 1;
  const inner = productOf(sizes, axis + 1);
  const isDecreasing = axisDirection === 'decreasing';
  return {
    ...{ outer: productOf(sizes, 0, axis), inner, length },
    ...(isDecreasing ? { first: length - 1, stride: -inner } : { first: 0, stride: inner }),
  };
}
