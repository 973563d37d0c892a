/** Element-wise operators: each output element depends on the input elements at the same place alone. */
import {
  moveElements,
  readBigInts,
  readNumbers,
  writeBigInts,
  writeNumbers,
  type TensorView,
} from '../tensor-view.js';
import { applyFusedActivation } from './activation.js';
import { required, type Kernel } from './kernel.js';

export const elementWiseIdentity: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const scaleBias = operator.fields['scaleBias'];
  if (typeof scaleBias !== 'object' || scaleBias === null || !('scale' in scaleBias)) {
    moveElements(input, 0, output, 0, input.elementCount);
    return;
  }
  const scale = Math.fround(scaleBias.scale);
  const bias = Math.fround(scaleBias.bias);
  const values = readNumbers(input);
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) * scale + bias;
  writeNumbers(output, values);
};

export const elementWiseAdd1: Kernel = (operator, inputs, outputs) => {
  const sums = readNumbers(required(inputs, 0));
  const addends = readNumbers(required(inputs, 1));
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (addends[i] ?? 0);
  applyFusedActivation(operator.fields['fusedActivation'], sums);
  writeNumbers(required(outputs, 0), sums);
};

export const cast: Kernel = (_operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  if (input.dataType === output.dataType) {
    moveElements(input, 0, output, 0, input.elementCount);
  } else if (isWide(output)) {
    writeBigInts(output, isWide(input) ? readBigInts(input) : widen(readNumbers(input), output));
  } else if (isWide(input) && !isFloat(output)) {
    writeNumbers(
      output,
      Float64Array.from(readBigInts(input), (value) => Number(BigInt.asIntN(32, value))),
    );
  } else {
    const values = readNumbers(input);
    writeNumbers(output, isFloat(input) && !isFloat(output) ? saturate(values, output) : values);
  }
};

function isWide(view: TensorView): boolean {
  return view.dataType === 'int64' || view.dataType === 'uint64';
}

function isFloat(view: TensorView): boolean {
  return view.dataType.startsWith('float');
}

function widen(values: Float64Array, output: TensorView): BigInt64Array {
  const unsigned = output.dataType === 'uint64';
  const low = unsigned ? 0n : -(2n ** 63n);
  const high = unsigned ? 2n ** 64n - 1n : 2n ** 63n - 1n;
  return BigInt64Array.from(values, (value) => {
    if (Number.isNaN(value)) return 0n;
    if (!Number.isFinite(value)) return value < 0 ? low : high;
    const whole = BigInt(Math.trunc(value));
    return whole < low ? low : whole > high ? high : whole;
  });
}

/** Floats become 32-bit integers as the shader's instruction does it: towards zero, saturated, NaN as 0. */
function saturate(values: Float64Array, output: TensorView): Float64Array {
  const unsigned = output.dataType.startsWith('uint');
  const low = unsigned ? 0 : -(2 ** 31);
  const high = unsigned ? 2 ** 32 - 1 : 2 ** 31 - 1;
  return values.map((value) => (Number.isNaN(value) ? 0 : Math.min(Math.max(Math.trunc(value), low), high)));
}
