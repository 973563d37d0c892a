/** Operators that JavaScript computes: signals, boxes and determinants. */
import type { Random } from '../harness/random.js';
import type { Draw, Draws, OnnxCase } from './case.js';
import { between, eitherEnd, numbers, range, Sketch, sizes } from './sketch.js';

const opsets = range(17, 21);

function determinant(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const size = random.int(1, 5);
  sketch.drawn(random.pick(['float32', 'float64']), [...sizes(random, random.int(0, 2), 3), size, size], 2);
  return sketch.finish('Det', 1, 1e-4);
}

function fourier(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const isOnesided = random.chance(0.4);
  const parts = isOnesided ? 1 : random.pick([1, 2]);
  const space = sizes(random, random.int(1, 2), 7, 2);
  const axis = random.int(1, space.length);
  const rank = space.length + 2;
  sketch.attribute('onesided', isOnesided ? 1 : 0);
  // onnxruntime has no inverse of half of the frequencies.
  if (!isOnesided) sketch.maybe('inverse', () => random.int(0, 1));
  if (sketch.opset < 20) sketch.attribute('axis', eitherEnd(random, axis, rank));
  sketch.drawn(random.pick(['float32', 'float64']), [random.int(1, 3), ...space, parts]);
  if (random.chance(0.5)) sketch.tensor('int64', [], [random.int(2, 9)]);
  else sketch.none();
  if (sketch.opset >= 20) sketch.tensor('int64', [], [eitherEnd(random, axis, rank)]);
  return sketch.finish('DFT', 1, 1e-4);
}

function shortTimeFourier(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const isOnesided = random.chance(0.6);
  const type = random.pick(['float32', 'float64'] as const);
  const [length, step] = [random.int(2, 8), random.int(1, 4)];
  const hasWindow = random.chance(0.6);
  sketch.attribute('onesided', isOnesided ? 1 : 0);
  // onnxruntime takes other elements of complex signals than those in the window.
  const parts = isOnesided || hasWindow ? 1 : random.pick([1, 2]);
  sketch.drawn(type, [random.int(1, 3), length + random.int(0, 12), parts]);
  sketch.tensor('int64', [], [step]);
  if (hasWindow) sketch.drawn(type, [length], 1);
  else sketch.none();
  if (!hasWindow || random.chance(0.5)) sketch.tensor('int64', [], [length]);
  return sketch.finish('STFT', 1, 1e-4);
}

function windowed(operator: string): Draw {
  return (random) => {
    const sketch = new Sketch(random, opsets, 1);
    sketch.maybe('periodic', () => random.int(0, 1));
    sketch.maybe('output_datatype', () => random.pick([1, 11]), 0.4);
    sketch.tensor(random.pick(['int32', 'int64']), [], [random.int(2, 12)]);
    return sketch.finish(operator, 1, 1e-5);
  };
}

function melWeights(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const rate = random.pick([8000, 16000, 22050]);
  const most = between(random, rate / 4, rate / 2);
  sketch.maybe('output_datatype', () => random.pick([1, 11]), 0.4);
  sketch.tensor('int64', [], [random.int(1, 8)]);
  sketch.tensor('int64', [], [random.int(4, 64)]);
  sketch.tensor('int64', [], [rate]);
  sketch.tensor('float32', [], [between(random, 0, rate / 8)]);
  sketch.tensor('float32', [], [most]);
  return sketch.finish('MelWeightMatrix', 1, 1e-5);
}

/** Boxes on a coarse grid, so that many overlap and some are the same. */
function suppression(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const [batch, classes, boxes] = [random.int(1, 2), random.int(1, 3), random.int(2, 12)];
  const isCentered = random.chance(0.5);
  if (isCentered || random.chance(0.3)) sketch.attribute('center_point_box', isCentered ? 1 : 0);
  const corner = () => random.int(0, 5) / 2;
  const side = () => random.int(2, 6) / 2;
  const box = () => {
    const [y, x, height, width] = [corner(), corner(), side(), side()];
    if (isCentered) return [x, y, width, height];
    const [low, high] = [
      [y, x],
      [y + height, x + width],
    ];
    return random.chance(0.3) ? [...high, ...low] : [...low, ...high];
  };
  sketch.tensor('float32', [batch, boxes, 4], numbers(batch * boxes, () => 0).flatMap(box));
  const scores = random.distinct(batch * classes * boxes, batch * classes * boxes);
  sketch.tensor(
    'float32',
    [batch, classes, boxes],
    scores.map((score) => score / scores.length),
  );
  sketch.tensor('int64', [1], [random.int(2, boxes)]);
  if (random.chance(0.8))
    sketch.tensor('float32', [1], [random.chance(0.3) ? random.pick([0, 0.25, 0.5]) : between(random, 0.1, 0.7)]);
  else sketch.none();
  if (random.chance(0.5))
    sketch.tensor('float32', [1], [random.chance(0.5) ? random.int(0, 4) / scores.length : between(random, 0, 0.5)]);
  return sketch.finish('NonMaxSuppression');
}

export const scriptDraws: Draws = {
  Det: determinant,
  DFT: fourier,
  STFT: shortTimeFourier,
  HannWindow: windowed('HannWindow'),
  HammingWindow: windowed('HammingWindow'),
  BlackmanWindow: windowed('BlackmanWindow'),
  MelWeightMatrix: melWeights,
  NonMaxSuppression: suppression,
};
