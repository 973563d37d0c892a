/** Operators that move blocks of height and width into channels, and back. */
import type { Drafted } from '../../descriptors/drafted.js';
import { hasSizes, sameDataType } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

type ToDepth = 'spaceToDepth' | 'spaceToDepth1';
type ToSpace = 'depthToSpace' | 'depthToSpace1';
type BlockMove = Drafted<ToDepth | ToSpace>;

/**
 * Both tensors have the same data type. `blockSize` is at least 1. The height and the width of `inputTensor` are
 * multiples of `blockSize`. `outputTensor` has `blockSize`² times as many channels, and its height and width are
 * those of `inputTensor` divided by `blockSize`.
 */
const toDepth: Rule<ToDepth> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const [batches = 1, channels = 1, height = 1, width = 1] = operator.inputTensor.sizes;
  const block = blockOf(operator);
  divisible(operator, 2, height, block);
  divisible(operator, 3, width, block);
  const expected = [batches, channels * block * block, height / block, width / block];
  hasSizes(operator, 'outputTensor', expected, 'from inputTensor and blockSize');
};

/**
 * Both tensors have the same data type. `blockSize` is at least 1. The number of channels of `inputTensor` is a
 * multiple of `blockSize`². `outputTensor` has the channels of `inputTensor` divided by `blockSize`², and `blockSize`
 * times the height and the width.
 */
const toSpace: Rule<ToSpace> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const [batches = 1, channels = 1, height = 1, width = 1] = operator.inputTensor.sizes;
  const block = blockOf(operator);
  divisible(operator, 1, channels, block * block);
  const expected = [batches, channels / (block * block), height * block, width * block];
  hasSizes(operator, 'outputTensor', expected, 'from inputTensor and blockSize');
};

function blockOf(operator: BlockMove): number {
  const block = operator.blockSize;
  if (block === 0) throw refuse(operator, 'ERR_OUT_OF_RANGE', 'blockSize', 'at least 1', '0');
  return block;
}

function divisible(operator: BlockMove, axis: number, size: number, by: number): void {
  if (size % by === 0) return;
  throw refuse(operator, 'ERR_SIZES', `inputTensor.sizes[${axis}]`, `a multiple of ${by}`, `${size}`, 'from blockSize');
}

export const spaceToDepth = toDepth;
export const spaceToDepth1 = toDepth;
export const depthToSpace = toSpace;
export const depthToSpace1 = toSpace;
