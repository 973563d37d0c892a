/** Operators that hold elements to limits, and their gradients. */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { float16FromBits, float16ToBits } from '../../../float16.js';
import { larger, smaller } from '../numbers.js';
import { readBigInts, readNumbers, writeBigInts, writeNumbers, type TensorView } from '../tensor-view.js';
import { isWide, readScaled } from './element-wise-unary.js';
import { required, type Kernel } from './kernel.js';

/** max(min, min(x, max)); a NaN beside a number loses, as in the shader's instructions. */
const clip: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  if (isWide(input)) {
    const [min, max] = [wideLimit(operator, 'min'), wideLimit(operator, 'max')];
    const values = readBigInts(input);
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0n;
      const low = value < max ? value : max;
      values[i] = low > min ? low : min;
    }
    writeBigInts(output, values);
    return;
  }
  const [min, max] = [limit(operator, 'min', input), limit(operator, 'max', input)];
  const values = readScaled(operator, input);
  for (let i = 0; i < values.length; i++) values[i] = larger(min, smaller(values[i] ?? 0, max));
  writeNumbers(output, values);
};

export const elementWiseClip = clip;
export const elementWiseClip1 = clip;

export const elementWiseThreshold: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const min = limit(operator, 'min', input);
  const values = readScaled(operator, input);
  for (let i = 0; i < values.length; i++) values[i] = larger(values[i] ?? 0, min);
  writeNumbers(required(outputs, 0), values);
};

/** The gradient where the input lies between the limits, 0 at and beyond them and for NaN. */
const clipGradient: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const gradient = required(inputs, 1);
  const output = required(outputs, 0);
  if (isWide(input)) {
    const [min, max] = [wideLimit(operator, 'min'), wideLimit(operator, 'max')];
    const gradients = readBigInts(gradient);
    readBigInts(input).forEach((value, i) => {
      if (value <= min || value >= max) gradients[i] = 0n;
    });
    writeBigInts(output, gradients);
    return;
  }
  const [min, max] = [limit(operator, 'min', input), limit(operator, 'max', input)];
  const gradients = readNumbers(gradient);
  readNumbers(input).forEach((value, i) => {
    if (!(value > min && value < max)) gradients[i] = 0;
  });
  writeNumbers(output, gradients);
};

export const elementWiseClipGrad = clipGradient;
export const elementWiseClipGrad1 = clipGradient;

/** A limit in the tensor's data type: rounded for floats, cut off for integers. */
function limit(operator: ResolvedOperator, name: string, { dataType }: TensorView): number {
  const value = Number(operator.fields[name]);
  if (dataType === 'float16') return float16FromBits(float16ToBits(value));
  return dataType.startsWith('float') ? Math.fround(value) : Math.trunc(value);
}

function wideLimit(operator: ResolvedOperator, name: string): bigint {
  const value = operator.fields[name];
  return typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)));
}
