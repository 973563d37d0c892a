/** Logical operators, comparisons and bit operators on two tensors, and the choice between two tensors. Nothing is rounded. */
import { byBlocks } from '../../compute/blocks.js';
import {
  moveElements,
  readBigInts,
  readNumbers,
  writeBigInts,
  writeNumbers,
  type TensorView,
} from '../../compute/tensor-view.js';
import { mapped, numbersFor } from '../../compute/scratch.js';
import { readKeys } from '../../compute/integers.js';
import type { Kernel, TwoInputsAndOutput } from '../../compute/kernel.js';

export const elementWiseLogicalAnd = predicate((a, b) => a !== 0 && b !== 0);
export const elementWiseLogicalOr = predicate((a, b) => a !== 0 || b !== 0);
export const elementWiseLogicalXor = predicate((a, b) => (a !== 0) !== (b !== 0));

export const elementWiseLogicalEquals = predicate((a, b) => a === b);
export const elementWiseLogicalGreaterThan = predicate((a, b) => a > b);
export const elementWiseLogicalLessThan = predicate((a, b) => a < b);
export const elementWiseLogicalGreaterThanOrEqual = predicate((a, b) => a >= b);
export const elementWiseLogicalLessThanOrEqual = predicate((a, b) => a <= b);

export const elementWiseBitAnd = bitwise((a, b) => a & b);
export const elementWiseBitOr = bitwise((a, b) => a | b);
export const elementWiseBitXor = bitwise((a, b) => a ^ b);

/** Only the low bits of the amount count: five for types of up to 32 bits, six for 64-bit ones. */
export const elementWiseBitShiftLeft = shift(
  (a, b) => a << (b & 31),
  (a, b) => a << (b & 63n),
);
export const elementWiseBitShiftRight = shift(
  (a, b) => a >>> (b & 31),
  (a, b) => a >> (b & 63n),
);

export const elementWiseIf: Kernel<'elementWiseIf'> = byBlocks((_operator, tensors) => {
  const { conditionTensor, aTensor: a, bTensor: b, outputTensor: output } = tensors;
  const conditions = readNumbers(conditionTensor);
  for (let i = 0; i < conditions.length; i++) moveElements(conditions[i] === 0 ? b : a, i, output, i, 1);
});

function predicate(
  holds: (a: number | bigint, b: number | bigint) => boolean,
): (operator: unknown, tensors: TwoInputsAndOutput) => void {
  return byBlocks((_operator, { aTensor, bTensor, outputTensor: output }) => {
    const a = readExactly(aTensor);
    const b = readExactly(bTensor);
    writeNumbers(
      output,
      mapped(numbersFor(output.elementCount), (_, i) => (holds(a[i] ?? 0, b[i] ?? 0) ? 1 : 0)),
    );
  });
}

/** For comparisons. */
function readExactly(view: TensorView): Float64Array | BigInt64Array | BigUint64Array {
  return view.dataType === 'int64' || view.dataType === 'uint64' ? readKeys(view) : readNumbers(view);
}

/** Works on the bits of any data type, floats included. */
function bitwise(combine: (a: number, b: number) => number): (operator: unknown, tensors: TwoInputsAndOutput) => void {
  return byBlocks((_operator, { aTensor: a, bTensor: b, outputTensor: output }) => {
    const { wordsPerElement } = output;
    const wordIndex = ({ offsets }: TensorView, i: number): number => (offsets?.[i] ?? i) * wordsPerElement;
    for (let i = 0; i < output.elementCount; i++) {
      for (let word = 0; word < wordsPerElement; word++) {
        const bits = combine(a.words[wordIndex(a, i) + word] ?? 0, b.words[wordIndex(b, i) + word] ?? 0);
        output.words[wordIndex(output, i) + word] = bits;
      }
    }
  });
}

function shift(
  narrow: (a: number, b: number) => number,
  wide: (a: bigint, b: bigint) => bigint,
): (operator: unknown, tensors: TwoInputsAndOutput) => void {
  return byBlocks((_operator, { aTensor: a, bTensor: b, outputTensor: output }) => {
    if (a.dataType === 'uint64') {
      const amounts = readBigInts(b);
      writeBigInts(
        output,
        readBigInts(a).map((value, i) => wide(value, amounts[i] ?? 0n)),
      );
    } else {
      const amounts = readNumbers(b);
      writeNumbers(
        output,
        mapped(readNumbers(a), (value, i) => narrow(value, amounts[i] ?? 0)),
      );
    }
  });
}
