/** Operators that fill a tensor or put tensors together. */
import { moveElements, viewTensor, type TensorView } from '../tensor-view.js';
import { numberField, productOf, required, type Kernel } from './kernel.js';
import { writeBigInts, writeNumbers } from '../tensor-view.js';

export const fillValueConstant: Kernel = (operator, _inputs, outputs) => {
  const output = required(outputs, 0);
  const element = oneElement(output, operator.fields['value']);
  if (output.offsets === null && output.wordsPerElement === 1) {
    output.words.fill(element.words[0] ?? 0, 0, output.elementCount);
    return;
  }
  for (let i = 0; i < output.elementCount; i++) moveElements(element, 0, output, i, 1);
};

export const join: Kernel = (operator, inputs, outputs) => {
  const output = required(outputs, 0);
  const axis = numberField(operator, 'axis');
  const outer = productOf(output.sizes, 0, axis);
  const outputRow = productOf(output.sizes, axis);
  let column = 0;
  for (let position = 0; position < inputs.length; position++) {
    const input = required(inputs, position);
    const row = productOf(input.sizes, axis);
    for (let i = 0; i < outer; i++) moveElements(input, i * row, output, i * outputRow + column, row);
    column += row;
  }
};

/** A tensor of one element with the output's data type. */
function oneElement(output: TensorView, value: unknown): TensorView {
  const view = viewTensor(
    {
      dataType: output.dataType,
      flags: 'none',
      sizes: [1],
      strides: null,
      totalTensorSizeInBytes: 8,
      guaranteedBaseOffsetAlignment: 0,
    },
    new Uint8Array(8),
  );
  if (output.dataType === 'int64' || output.dataType === 'uint64') {
    const whole = typeof value === 'bigint' ? value : BigInt(Number(value));
    writeBigInts(view, BigInt64Array.of(BigInt.asIntN(64, whole)));
  } else {
    writeNumbers(view, Float64Array.of(Number(value)));
  }
  return view;
}
