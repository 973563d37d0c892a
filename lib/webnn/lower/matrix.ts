/** Lowers matrix products, softmax and reductions. */
import type { Value } from '../../graph/value.js';
import type { ReduceFunction } from '../../tensors/generated/enums.js';
import type { MLReduceOptions } from '../generated/arguments.js';
import { elementCount, sameShape } from '../ml-operand.js';
import { ascending, clip, picked } from './wide.js';
import { withRank, type Lowering, type Lowerings, type Step, type WithValues } from './step.js';

type Reductions =
  | ('reduceL1' | 'reduceL2' | 'reduceLogSum' | 'reduceLogSumExp' | 'reduceMax' | 'reduceMean' | 'reduceMin')
  | ('reduceProduct' | 'reduceSum' | 'reduceSumSquare');

export const matrices: Lowerings<'matmul' | 'gemm' | 'softmax' | 'cumulativeSum' | 'argMin' | 'argMax' | Reductions> = {
  matmul: (step, a, b) => {
    const [rows = 1, columns = 1] = step.sizes.slice(-2);
    const inner = a.sizes.at(-1) ?? 1;
    const batch = step.sizes.slice(0, -2);
    const aTensor = batched(step, a, batch, [rows, inner]);
    const bTensor = batched(step, b, batch, [inner, columns]);
    return step.add({ type: 'gemm', aTensor, bTensor }).outputTensor;
  },
  gemm: (step, aTensor, bTensor, { c, aTranspose, bTranspose, ...factors }) => {
    const [alpha, beta] = [factors.alpha, factors.beta].map((factor) => Number(step.number(factor)));
    const transA = aTranspose ? 'transpose' : 'none';
    const transB = bTranspose ? 'transpose' : 'none';
    const cTensor = c === undefined ? undefined : step.broadcast(c);
    return step.add({ type: 'gemm', aTensor, bTensor, cTensor, transA, transB, alpha, beta }).outputTensor;
  },
  softmax: (step, inputTensor, axis) => step.add({ type: 'activationSoftmax1', inputTensor, axes: [axis] }).outputTensor,
  cumulativeSum: (step, inputTensor, axis, { exclusive, reversed }) => {
    const axisDirection = reversed ? 'decreasing' : 'increasing';
    return step.add({ type: 'cumulativeSummation', inputTensor, axis, axisDirection, hasExclusiveSum: exclusive }).outputTensor;
  },
  argMin: argMinMax('argmin'),
  argMax: argMinMax('argmax'),
  reduceL1: reduction('l1'),
  reduceL2: reduction('l2'),
  reduceLogSum: reduction('logSum'),
  reduceLogSumExp,
  reduceMax: picking('max'),
  reduceMean: reduction('average'),
  reduceMin: picking('min'),
  reduceProduct: reduction('multiply'),
  reduceSum: reduction('sum'),
  reduceSumSquare: reduction('sumSquare'),
};

/** Matrices of the whole batch. More than two batch dimensions become one. */
function batched(step: Step, value: Value, batch: readonly number[], matrix: readonly number[]): Value {
  const sizes = [...batch, ...matrix];
  const all = sameShape(value.sizes, sizes) ? value : value.broadcastTo(sizes);
  if (batch.length <= 2) return withRank(all, Math.max(2, batch.length + 2));
  const own = value.sizes.slice(0, -2);
  if (elementCount(own) === 1) return step.reshape(value, matrix).broadcastTo([1, elementCount(batch), ...matrix]);
  return step.reshape(all, [1, elementCount(batch), ...matrix]);
}

function reduction(name: ReduceFunction): Lowering<'reduceSum'> {
  return (step, input, options) => reduce(step, name, ...axesOf(step, input, options));
}

function picking(name: 'max' | 'min'): Lowering<'reduceMax'> {
  return (step, input, options) => {
    const [value, axes] = axesOf(step, input, options);
    return picked(step, value, (inputTensor) => reduce(step, name, inputTensor, axes));
  };
}

function argMinMax(type: 'argmin' | 'argmax'): Lowering<'argMin'> {
  return (step, input, axis) => {
    const outputTensor = { dataType: step.dataType };
    return step.add({ type, inputTensor: ascending(step, input), outputTensor, axes: [axis] }).outputTensor;
  };
}

function reduce(step: Step, name: ReduceFunction, inputTensor: Value, axes: readonly number[]): Value {
  return step.add({ type: 'reduce', function: name, inputTensor, axes }).outputTensor;
}

/** The value and what to reduce. An empty list of axes reduces nothing, but each element still goes through the function. */
function axesOf(step: Step, input: Value, { axes }: WithValues<MLReduceOptions>): readonly [Value, readonly number[]] {
  if (axes?.length !== 0) return [input, axes ?? [...input.sizes.keys()]];
  return [step.reshape(input, [elementCount(input.sizes), 1]), [1]];
}

/** Less the greatest element, so that no power overflows. Subtracting infinity would give NaN. */
function reduceLogSumExp(step: Step, given: Value, options: WithValues<MLReduceOptions>): Value {
  const [input, axes] = axesOf(step, given, options);
  const limit = input.dataType === 'float16' ? 65504 : (2 - 2 ** -23) * 2 ** 127;
  const max = reduce(step, 'max', input, axes);
  const greatest = clip(step, max, -limit, limit);
  const bTensor = greatest.broadcastTo(input.sizes);
  const rest = step.add({ type: 'elementWiseSubtract', aTensor: input, bTensor }).outputTensor;
  const powers = step.add({ type: 'elementWiseExp', inputTensor: rest }).outputTensor;
  const logSum = reduce(step, 'logSum', powers, axes);
  return step.add({ type: 'elementWiseAdd', aTensor: logSum, bTensor: greatest }).outputTensor;
}
