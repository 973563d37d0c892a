/** Moves blocks of height and width into channels, and back. */
import type { Resolved } from '../../descriptors/resolved.js';
import { moveByTerms, terms } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';

/**
 * The factors of a channel and of a position in a block. The products add up to the channel of the tensor that has the larger
 * depth.
 */
interface ChannelFactors {
  readonly channel: number;
  readonly y: number;
  readonly x: number;
}

type ToSpace = 'depthToSpace' | 'depthToSpace1';
type ToDepth = 'spaceToDepth' | 'spaceToDepth1';

function factorsOf(operator: Resolved<ToSpace | ToDepth>, channels: number): ChannelFactors {
  const block = operator.blockSize;
  return 'order' in operator && operator.order === 'columnRowDepth'
    ? { channel: block * block, y: block, x: 1 }
    : { channel: 1, y: block * channels, x: channels };
}

const toSpace: Kernel<ToSpace> = (operator, { inputTensor: input, outputTensor: output }) => {
  const [batches = 1, channels = 1, height = 1, width = 1] = output.sizes;
  const [batch = 1, channel = 1, row = 1, column = 1] = input.strides;
  const block = operator.blockSize;
  const factors = factorsOf(operator, channels);
  const axes = [
    terms(batches, (n) => n * batch),
    terms(channels, (c) => c * factors.channel * channel),
    terms(height, (y) => Math.floor(y / block) * row + (y % block) * factors.y * channel),
    terms(width, (x) => Math.floor(x / block) * column + (x % block) * factors.x * channel),
  ];
  moveByTerms(input, output, axes);
};

const toDepth: Kernel<ToDepth> = (operator, { inputTensor: input, outputTensor: output }) => {
  const [batches = 1, outputChannels = 1, height = 1, width = 1] = output.sizes;
  const [batch = 1, channel = 1, row = 1, column = 1] = input.strides;
  const block = operator.blockSize;
  const channels = input.sizes[1] ?? 1;
  const factors = factorsOf(operator, channels);
  const fromChannel = new Uint32Array(outputChannels);
  for (let c = 0; c < channels; c++) {
    for (let y = 0; y < block; y++) {
      for (let x = 0; x < block; x++) {
        fromChannel[c * factors.channel + y * factors.y + x * factors.x] = c * channel + y * row + x * column;
      }
    }
  }
  const axes = [
    terms(batches, (n) => n * batch),
    fromChannel,
    terms(height, (y) => y * block * row),
    terms(width, (x) => x * block * column),
  ];
  moveByTerms(input, output, axes);
};

export const depthToSpace = toSpace;
export const depthToSpace1 = toSpace;
export const spaceToDepth = toDepth;
export const spaceToDepth1 = toDepth;
