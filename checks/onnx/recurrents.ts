/** Recurrent networks. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { between, floatOf, numbers, range as opsetsFrom, Sketch } from './sketch.js';
import { bytes, drawTensor, factorRange } from './values.js';

const opsets = opsetsFrom(7, 22);

/** Those that take no parameters, and those that do. */
const plain = ['Relu', 'Tanh', 'Sigmoid', 'Softsign', 'Softplus'];
const withAlpha = ['LeakyRelu', 'ThresholdedRelu', 'Elu'];
const withBoth = ['Affine', 'ScaledTanh', 'HardSigmoid'];

function network(operator: 'RNN' | 'GRU' | 'LSTM') {
  const [gates, perDirection, extraBias] = { RNN: [1, 1, 2], GRU: [3, 2, 6], LSTM: [4, 3, 8] }[operator] as [
    number,
    number,
    number,
  ];
  return (random: Random): OnnxCase => {
    const sketch = new Sketch(random, opsets, 1);
    const [steps, batch, size, hidden] = [random.int(1, 5), random.int(1, 4), random.int(1, 4), random.int(2, 5)];
    const direction = random.pick(['', 'forward', 'reverse', 'bidirectional', 'bidirectional']);
    const directions = direction === 'bidirectional' ? 2 : 1;
    const isBatchFirst = sketch.opset >= 14 && random.chance(0.3);
    if (sketch.opset >= 14 && (isBatchFirst || random.chance(0.3))) sketch.attribute('layout', isBatchFirst ? 1 : 0);
    sketch.attribute('direction', direction === '' ? undefined : direction);
    sketch.attribute('hidden_size', hidden);
    const names = random.chance(0.5) ? activations(sketch, perDirection * directions) : [];
    // onnxruntime's Softplus of large numbers is infinite.
    const range = names.includes('Softplus') ? 0.2 : 1;
    // DirectML has this for LSTM alone.
    if (operator === 'LSTM') sketch.maybe('clip', () => floatOf(random, 0.3, 3), 0.3);
    if (operator === 'GRU') sketch.maybe('linear_before_reset', () => random.int(0, 1));
    if (operator === 'LSTM') sketch.maybe('input_forget', () => random.int(0, 1), 0.3);
    const state = isBatchFirst ? [batch, directions, hidden] : [directions, batch, hidden];
    sketch.drawn('float32', isBatchFirst ? [batch, steps, size] : [steps, batch, size], 2);
    sketch.drawn('float32', [directions, gates * hidden, size], range, 0.6);
    sketch.drawn('float32', [directions, gates * hidden, hidden], range, 0.6);
    if (random.chance(0.6)) sketch.drawn('float32', [directions, extraBias * hidden], range, 0.6);
    else sketch.none();
    drawLengths(sketch, batch, steps);
    drawStates(sketch, state, operator === 'LSTM' ? 2 : 1);
    if (operator === 'LSTM' && random.chance(0.4)) sketch.drawn('float32', [directions, 3 * hidden], range, 0.6);
    const results = ['sequence', 'hidden', ...(operator === 'LSTM' ? ['cell'] : [])];
    const outputs = results.map((name) => (random.chance(0.75) ? name : '-'));
    while (outputs.at(-1) === '-') outputs.pop();
    return sketch.finish(operator, outputs.length === 0 ? results : outputs, 1e-4);
  };
}

/** Draws the activations, and says which. */
function activations(sketch: Sketch, count: number): readonly string[] {
  const { random } = sketch;
  const names = numbers(count, () => 0).map(() => random.pick([...plain, ...plain, ...withAlpha, ...withBoth]));
  sketch.attribute('activations', { texts: names });
  const [alphas, betas] = [names.filter((name) => !plain.includes(name)), names.filter((name) => withBoth.includes(name))];
  if (alphas.length + betas.length === 0) return names;
  sketch.attribute('activation_alpha', { floats: alphas.map(() => between(random, 0.1, 1.5)) });
  if (betas.length > 0) sketch.attribute('activation_beta', { floats: betas.map(() => between(random, 0.1, 1.5)) });
  return names;
}

/** The lengths of the sequences, or none. */
function drawLengths(sketch: Sketch, batch: number, steps: number): void {
  const { random } = sketch;
  if (random.chance(0.4)) {
    const lengths = numbers(batch, () => random.int(1, steps));
    sketch.list('int32', lengths, 0.5);
  } else sketch.none();
}

/** The first states, each of them or none. */
function drawStates(sketch: Sketch, dims: readonly number[], count: number): void {
  for (let i = 0; i < count; i++) {
    if (sketch.random.chance(0.5)) sketch.drawn('float32', dims, 1);
    else sketch.none();
  }
}

/** Weights of 8 bits. onnxruntime rounds the input and the states to 8 bits, too. */
export function quantizedNetwork(random: Random): OnnxCase {
  const sketch = new Sketch(random, [14, 17], 1);
  const [steps, batch, size, hidden] = [random.int(1, 5), random.int(1, 3), random.int(1, 4), random.int(2, 5)];
  const direction = random.pick(['forward', 'reverse', 'bidirectional', 'bidirectional']);
  const directions = direction === 'bidirectional' ? 2 : 1;
  const type = random.pick(bytes);
  const isPerRow = random.chance(0.4);
  sketch.attribute('direction', direction);
  sketch.attribute('hidden_size', hidden);
  sketch.maybe('input_forget', () => random.int(0, 1), 0.3);
  sketch.drawn('float32', [steps, batch, size], 2);
  drawTensor(sketch, type, [directions, size, 4 * hidden], factorRange(type), 1);
  drawTensor(sketch, type, [directions, hidden, 4 * hidden], factorRange(type), 1);
  if (random.chance(0.6)) sketch.drawn('float32', [directions, 8 * hidden], 1, 1);
  else sketch.none();
  drawLengths(sketch, batch, steps);
  drawStates(sketch, [directions, batch, hidden], 2);
  if (random.chance(0.4)) sketch.drawn('float32', [directions, 3 * hidden], 1, 1);
  else sketch.none();
  const dims = isPerRow ? [directions, 4 * hidden] : [directions];
  for (let i = 0; i < 2; i++) {
    const count = isPerRow ? directions * 4 * hidden : directions;
    const scales = numbers(count, () => between(random, 0.002, 0.01));
    sketch.tensor('float32', dims, scales, 1);
    const zeroPoints = numbers(count, () => (type === 'int8' ? 0 : random.int(120, 136)));
    sketch.tensor(type, dims, zeroPoints, 1);
  }
  return sketch.finish('com.microsoft:DynamicQuantizeLSTM', ['sequence', 'hidden', 'cell'], 0.02);
}

export const recurrentDraws: Draws = { RNN: network('RNN'), GRU: network('GRU'), LSTM: network('LSTM') };
