/** The input coordinates under the windows of a convolution. */
import type { ConvolutionDirection, ConvolutionMode } from '../tensors/generated/enums.js';
import type { ResolvedTensor } from '../descriptors/resolved.js';

/**
 * The fields of any convolution. Integer convolutions have no mode and no direction: they go forward and do not flip their
 * filters.
 */
export interface ConvolutionFields {
  readonly inputTensor: ResolvedTensor;
  readonly filterTensor: ResolvedTensor;
  readonly outputTensor: ResolvedTensor;
  readonly mode?: ConvolutionMode;
  readonly direction?: ConvolutionDirection;
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly startPadding: readonly number[];
  readonly groupCount: number;
}

/** In place of a coordinate: the tap lies outside the input. */
export const OUTSIDE = 0xffff_ffff;

/** One spatial dimension. */
export interface WindowTaps {
  readonly inputSize: number;
  readonly outputSize: number;
  /** The input coordinate, or {@link OUTSIDE}, under tap t of the window at output position o, at [t * outputSize + o]. */
  readonly coordinates: Uint32Array;
  /**
   * The distance between the elements under adjacent windows, and under adjacent taps: in the input, or for a backward
   * convolution in the input spread out by the stride.
   */
  readonly positionStep: number;
  readonly tapStep: number;
}

/** Depth, height and width. A dimension that the operator does not have has size 1. */
export type SpatialTaps = readonly [WindowTaps, WindowTaps, WindowTaps];

const ONE: WindowTaps = { inputSize: 1, outputSize: 1, coordinates: new Uint32Array(1), positionStep: 1, tapStep: 1 };

/** The dimensions of `inputTensor`, `filterTensor` and `outputTensor` after batch and channels. */
export function spatialTaps(operator: ConvolutionFields): SpatialTaps {
  const { inputTensor, filterTensor, outputTensor, strides, dilations, startPadding } = operator;
  const [windows, outputs] = [spatialSizes(filterTensor), spatialSizes(outputTensor)];
  const isBackward = operator.direction === 'backward';
  const isFlipped = operator.mode === 'convolution';
  const axes = spatialSizes(inputTensor).map((inputSize, axis): WindowTaps => {
    const [windowSize, outputSize] = [windows[axis] ?? 1, outputs[axis] ?? 1];
    const [stride, dilation, start] = [strides[axis] ?? 1, dilations[axis] ?? 1, startPadding[axis] ?? 0];
    const coordinates = new Uint32Array(outputSize * windowSize);
    for (let i = 0; i < coordinates.length; i++) {
      const [tap, position] = [Math.floor(i / outputSize), i % outputSize];
      const distance = (isFlipped ? windowSize - 1 - tap : tap) * dilation;
      // In a backward convolution each input element spreads a window over the output, one stride from its neighbour's.
      const coordinate = isBackward ? (position + start - distance) / stride : position * stride - start + distance;
      coordinates[i] = Number.isInteger(coordinate) && coordinate >= 0 && coordinate < inputSize ? coordinate : OUTSIDE;
    }
    const tapStep = isFlipped === isBackward ? dilation : -dilation;
    return { inputSize, outputSize, coordinates, positionStep: isBackward ? 1 : stride, tapStep };
  });
  const [depth = ONE, height = ONE, width = ONE] = [...new Array<WindowTaps>(3 - axes.length).fill(ONE), ...axes];
  return [depth, height, width];
}

/**
 * Copies the elements of a line at `count` coordinates, from `coordinates[first]` on. Coordinates outside the input give zeros.
 */
export function copyTaps(
  images: Float64Array | Float32Array,
  line: number,
  coordinates: Uint32Array,
  first: number,
  count: number,
  target: Float64Array,
  at: number,
): void {
  const from = coordinates[first] ?? OUTSIDE;
  if (from !== OUTSIDE && coordinates[first + count - 1] === from + count - 1) {
    // They are adjacent.
    for (let i = 0; i < count; i++) target[at + i] = images[line + from + i] ?? 0;
    return;
  }
  for (let i = 0; i < count; i++) {
    const coordinate = coordinates[first + i] ?? OUTSIDE;
    target[at + i] = coordinate === OUTSIDE ? 0 : (images[line + coordinate] ?? 0);
  }
}

function spatialSizes({ sizes }: ResolvedTensor): readonly number[] {
  return sizes.slice(2);
}
