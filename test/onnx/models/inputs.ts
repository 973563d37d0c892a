/** Inputs for models: pictures, sounds and noise. */
import type { Random } from '../../../checks/harness/random.js';
import type { Weight } from '../../../checks/networks/small-model.js';

/** Draws the tensor of an input. */
export type Input = (random: Random) => Weight;

type Dims = readonly number[];
export type Range = readonly [low: number, high: number];

export function noise(dims: Dims, [low, high]: Range = [-1, 1]): Input {
  return (random) => ['float32', dims, elements(dims, () => between(random, low, high))];
}

export function zeros(dims: Dims): Input {
  return () => ['float32', dims, elements(dims, () => 0)];
}

export function integer(value: number): Input {
  return () => ['int64', [], [value]];
}

/** Tones that begin and end, and some noise. The last dimension is time. */
export function sound(dims: Dims, loudness = 1): Input {
  const length = dims.at(-1) ?? 1;
  return (random) => {
    const tones = Array.from({ length: 4 }, () => ({
      step: between(random, 0.02, 1),
      begin: random.int(0, length >> 1),
      end: random.int(length >> 1, length),
    }));
    const sampleAt = (time: number) => {
      const heard = tones.filter(({ begin, end }) => time >= begin && time < end);
      return heard.reduce((sum, { step }) => sum + Math.sin(step * time) / 5, between(random, -0.1, 0.1));
    };
    return ['float32', dims, elements(dims, (place) => loudness * sampleAt(place % length))];
  };
}

/** Rectangles of any colours before a bright ground, and lines of what looks like letters. Channels come before rows. */
export function picture(dims: Dims, range: Range = [-1, 1]): Input {
  return (random) => ['float32', dims, painted(random, dims, range)];
}

/** Channels come after columns. */
export function pictureOfPixels([batch = 1, height = 1, width = 1, channels = 1]: Dims, range: Range): Input {
  return (random) => {
    const planes = painted(random, [batch, channels, height, width], range);
    const area = height * width;
    const dims = [batch, height, width, channels];
    return ['float32', dims, elements(dims, (place) => planes[(place % channels) * area + Math.floor(place / channels)] ?? 0)];
  };
}

function painted(random: Random, dims: Dims, [low, high]: Range): number[] {
  const [height = 1, width = 1] = dims.slice(-2);
  const image = elements(dims, () => between(random, 0.85, 1));
  const planes = image.length / (height * width);
  const fill = (top: number, left: number, tall: number, wide: number, brightness: number) => {
    for (let plane = 0; plane < planes; plane++) {
      const colour = between(random, 0, brightness);
      for (let row = top; row < Math.min(height, top + tall); row++) {
        const start = (plane * height + row) * width;
        image.fill(colour, start + Math.min(width, left), start + Math.min(width, left + wide));
      }
    }
  };
  for (let count = 0; count < 6; count++) {
    fill(random.int(0, height - 1), random.int(0, width - 1), random.int(1, height >> 1), random.int(1, width >> 1), 1);
  }
  for (let top = 8; top + 20 < height; top += 40) {
    for (let left = 8; left + 20 < width; left += 16) {
      for (const down of [0, 9, 18]) if (random.chance(0.6)) fill(top + down, left, 3, 12, 0.1);
      for (const right of [0, 9]) if (random.chance(0.7)) fill(top, left + right, 20, 3, 0.1);
    }
  }
  return image.map((value) => low + (high - low) * value);
}

function elements(dims: Dims, valueAt: (place: number) => number): number[] {
  return Array.from({ length: dims.reduce((product, size) => product * size, 1) }, (_, place) => valueAt(place));
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.fraction();
}
