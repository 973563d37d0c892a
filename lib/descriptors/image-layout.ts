/**
 * Recognises images and filters whose channels come last, as in TensorFlow, by the sizes of both. DirectML has them in front:
 * [batch, channels, …space] and [output channels, input channels, …window].
 */
import { list } from '../values/errors.js';

/** The sizes of the tensors of a convolution. */
interface ConvolvedSizes {
  readonly input: readonly number[];
  readonly filter: readonly number[];
  readonly groupCount: number;
  readonly isBackward: boolean;
}

/** `if the channels are last now, inputTensor.transpose([0, 3, 1, 2]) would fit`; undefined if no transposes make them fit. */
export function layoutHint({ input, filter, groupCount, isBackward }: ConvolvedSizes): string | undefined {
  if (input.length !== filter.length || input.length < 3) return undefined;
  const channelsLast = [0, input.length - 1, ...axesFrom(1, input.length - 1)];
  const wholes = [axesFrom(0, input.length), channelsLast];
  const windowFirst = [input.length - 1, input.length - 2, ...axesFrom(0, input.length - 2)];
  const filters = [axesFrom(0, input.length), windowFirst, channelsLast];
  const ways = wholes.flatMap((image) => filters.map((order) => ({ image, order })));
  const fitting = ways.filter(({ image, order }) => {
    const [, channels = 1, ...space] = permuted(input, image);
    const [first = 1, second = 1, ...window] = permuted(filter, order);
    const needed = isBackward ? first : second * groupCount;
    return channels === needed && window.every((size, axis) => size <= (space[axis] ?? 1));
  });
  // Windows are mostly squares: [3, 3, 3, 16] has its window in front.
  const isSquare = ({ order }: (typeof ways)[number]) => new Set(permuted(filter, order).slice(2)).size === 1;
  const way = fitting.find(isSquare) ?? fitting[0];
  if (way === undefined) return undefined;
  const calls = [call('inputTensor', way.image), call('filterTensor', way.order)].filter((each) => each !== undefined);
  if (calls.length === 0) return undefined;
  return `if the channels are last now, ${calls.join(' with ')} would fit`;
}

function call(name: string, axes: readonly number[]): string | undefined {
  return axes.every((axis, i) => axis === i) ? undefined : `${name}.transpose(${list(axes)})`;
}

function permuted(sizes: readonly number[], axes: readonly number[]): readonly number[] {
  return axes.map((axis) => sizes[axis] ?? 1);
}

function axesFrom(first: number, end: number): readonly number[] {
  return Array.from({ length: end - first }, (_, i) => first + i);
}
