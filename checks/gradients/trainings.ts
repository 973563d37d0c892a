/** Four trainings of 100 steps. PyTorch trains the same models from the same weights in pytorch/trainings.py. */
import { join } from 'node:path';
import type { Device, Tensor, Value } from 'node-directml';
import { valueAndGrad } from 'node-directml/gradients';
import * as op from 'node-directml/operators';
import { Random } from '../harness/random.js';
import { numbers } from './program.js';

type Floats = Value<'float32'>;
type Named<T> = Readonly<Record<string, T>>;

export interface Elements {
  readonly sizes: readonly number[];
  readonly elements: readonly number[];
}

export interface Training {
  readonly name: string;
  readonly weights: Named<Elements>;
  readonly data: Named<Elements>;
  readonly rate: number;
  readonly loss: (weights: Named<Floats>, data: Named<Floats>) => Floats;
}

export const steps = 100;
export const lossesFile = join('checks', 'gradients', 'pytorch', 'losses.jsonl');

/** The segments of digits, as on a pocket calculator: top, right above, right below, bottom, left below, left above, middle. */
const digits = ['012345', '12', '01346', '01236', '1256', '02356', '023456', '012', '0123456', '012356'];
const segments = [
  ['00', '04'],
  ['04', '34'],
  ['34', '64'],
  ['60', '64'],
  ['30', '60'],
  ['00', '30'],
  ['30', '34'],
] as const;

/** Images of 7 × 5 with noise, and their digits as rows of ones and zeros. */
function drawDigits(random: Random, count: number): Named<Elements> {
  const chosen = Array.from({ length: count }, (_, i) => i % 10);
  const images = chosen.flatMap((digit) => {
    const image = Array.from({ length: 35 }, () => random.fraction() * 0.4);
    for (const segment of digits[digit] ?? '') {
      const [from, to] = (segments[Number(segment)] ?? ['00', '00']).map((place) => [Number(place[0]), Number(place[1])]);
      for (let row = from?.[0] ?? 0; row <= (to?.[0] ?? 0); row++) {
        for (let column = from?.[1] ?? 0; column <= (to?.[1] ?? 0); column++)
          image[row * 5 + column] = 1 - random.fraction() * 0.4;
      }
    }
    return image;
  });
  return { x: { sizes: [count, 35], elements: images.map(Math.fround) }, target: oneHot(chosen, 10) };
}

function oneHot(chosen: readonly number[], count: number): Elements {
  const elements = chosen.flatMap((each) => Array.from({ length: count }, (_, i) => (i === each ? 1 : 0)));
  return { sizes: [chosen.length, count], elements };
}

function weights(random: Random, sizes: Named<readonly number[]>): Named<Elements> {
  const drawn = Object.entries(sizes).map(([name, own]) => {
    const count = own.reduce((product, size) => product * size, 1);
    // A bias begins small, a matrix with what keeps the variance.
    const scale = own.length === 1 ? 0.1 : Math.sqrt(3 / (count / (own.length === 4 ? (own[0] ?? 1) : (own.at(-1) ?? 1))));
    return [name, { sizes: own, elements: [...numbers(random, count)].map((each) => Math.fround(each * scale)) }] as const;
  });
  return Object.fromEntries(drawn);
}

/** The value of that name. */
function at(values: Named<Floats>, name: string): Floats {
  const value = values[name];
  if (value === undefined) throw new TypeError(`no ${name}`);
  return value;
}

const dense = (x: Floats, weight: Floats, bias?: Floats): Floats => {
  const rows = x.sizes[0] ?? 1;
  const cTensor = bias?.reshape([1, bias.sizes[0] ?? 1]).broadcastTo([rows, bias.sizes[0] ?? 1]);
  return op.gemm(x, weight, cTensor && { cTensor });
};

const average = (x: Floats): Floats => op.reduce(x, { function: 'average', axes: [...x.sizes.keys()] }) as Floats;

/** The mean over rows. */
function crossEntropy(logits: Floats, target: Floats): Floats {
  const product = op.elementWiseMultiply(op.activationLogSoftmax1(logits, { axes: [1] }), target);
  return op.elementWiseMultiply(average(product), -(logits.sizes[1] ?? 1));
}

function perceptron(random: Random): Omit<Training, 'name'> {
  return {
    data: drawDigits(random, 40),
    weights: weights(random, { w1: [35, 24], b1: [24], w2: [24, 10], b2: [10] }),
    rate: 0.5,
    loss: (w, given) => {
      const [x, target] = [at(given, 'x'), at(given, 'target')];
      const hidden = op.activationTanh(dense(x, at(w, 'w1'), w['b1']));
      return crossEntropy(dense(hidden, at(w, 'w2'), w['b2']), target);
    },
  };
}

function convolutional(random: Random): Omit<Training, 'name'> {
  return {
    data: drawDigits(random, 40),
    weights: weights(random, { filter: [6, 1, 3, 3], bias: [6], last: [36, 10] }),
    rate: 0.3,
    loss: (w, given) => {
      const [x, target] = [at(given, 'x'), at(given, 'target')];
      const biasTensor = w['bias']?.reshape([1, 6, 1, 1]);
      const image = x.reshape([40, 1, 7, 5]);
      const fields = { startPadding: [1, 1], endPadding: [1, 1], ...(biasTensor && { biasTensor }) };
      const features = op.activationRelu(op.convolution(image, at(w, 'filter'), fields));
      const pooled = op.maxPooling2(features, { strides: [2, 2], windowSize: [2, 2] }).outputTensor;
      return crossEntropy(dense(pooled.reshape([40, 36]), at(w, 'last')), target);
    },
  };
}

/** Learns to reverse sequences of 6 tokens out of 8: one layer with two heads of 8 channels. */
function transformer(random: Random): Omit<Training, 'name'> {
  const sequences = Array.from({ length: 24 }, () => Array.from({ length: 6 }, () => random.int(0, 7)));
  const model = { query: [16, 16], key: [16, 16], value: [16, 16], output: [16, 16], up: [16, 32], upBias: [32], down: [32, 16] };
  return {
    data: {
      x: oneHot(sequences.flat(), 8),
      target: oneHot(
        sequences.flatMap((each) => each.toReversed()),
        8,
      ),
    },
    weights: weights(random, { embedding: [8, 16], positions: [6, 16], ...model, scale: [16], shift: [16], last: [16, 8] }),
    rate: 0.5,
    loss: (w, given) => {
      const [x, target] = [at(given, 'x'), at(given, 'target')];
      const place = at(w, 'positions').reshape([1, 6, 16]).broadcastTo([24, 6, 16]);
      const tokens = dense(x, at(w, 'embedding'));
      const own = op.elementWiseAdd(tokens.reshape([24, 6, 16]), place).reshape([144, 16]);
      const heads = (name: string) => dense(own, at(w, name)).reshape([24, 6, 2, 8]).transpose([0, 2, 1, 3]);
      const scores = op.gemm(heads('query'), heads('key'), { transB: 'transpose', alpha: 1 / Math.sqrt(8) });
      const mixed = op.gemm(op.activationSoftmax1(scores, { axes: [3] }), heads('value')).transpose([0, 2, 1, 3]);
      const flat = op.elementWiseIdentity(mixed).reshape([144, 16]);
      const sum = op.elementWiseAdd(own, dense(flat, at(w, 'output')));
      const row = (name: string, offset: number) =>
        op.elementWiseIdentity(at(w, name), { scaleBias: { scale: 1, bias: offset } }).reshape([1, 16]);
      const normal = op.meanVarianceNormalization1(sum, {
        ...{ axes: [1], normalizeVariance: true, epsilon: 1e-5, scaleTensor: row('scale', 1), biasTensor: row('shift', 0) },
      });
      const inner = op.activationGelu(dense(normal, at(w, 'up'), w['upBias']));
      const after = op.elementWiseAdd(normal, dense(inner, at(w, 'down')));
      return crossEntropy(dense(after, at(w, 'last')), target);
    },
  };
}

/** Says after each of 8 numbers what the sum of the last three is. */
function recurrent(random: Random): Omit<Training, 'name'> {
  const inputs = Array.from({ length: 32 }, () => [...numbers(random, 8)]);
  const sums = inputs.map((each) => each.map((_, i) => Math.fround((each[i] ?? 0) + (each[i - 1] ?? 0) + (each[i - 2] ?? 0))));
  return {
    data: { x: { sizes: [32, 8], elements: inputs.flat() }, target: { sizes: [32, 8], elements: sums.flat() } },
    weights: weights(random, { input: [1, 12], recurrence: [12, 12], bias: [12], last: [12, 1] }),
    rate: 0.1,
    loss: (w, given) => {
      const [x, target] = [at(given, 'x'), at(given, 'target')];
      const columns = op.split(x, { outputTensors: Array.from({ length: 8 }, () => ({ sizes: [32, 1] })), axis: 1 });
      let state: Floats | undefined;
      const results = columns.map((column) => {
        const own = dense(column, at(w, 'input'), w['bias']);
        state = op.activationTanh(state === undefined ? own : op.elementWiseAdd(own, dense(state, at(w, 'recurrence'))));
        return dense(state, at(w, 'last'));
      });
      return average(op.elementWiseDifferenceSquare(op.join(results, { axis: 1 }), target));
    },
  };
}

export const trainings: readonly Training[] = Object.entries({ perceptron, convolutional, transformer, recurrent }).map(
  ([name, make]) => ({ name, ...make(Random.of('trainings', name)) }),
);

/** The loss of each step. */
export async function train(device: Device, { weights: first, data, rate, loss }: Training): Promise<readonly number[]> {
  const tensors = (given: Named<Elements>): Record<string, Tensor<'float32'>> =>
    Object.fromEntries(
      Object.entries(given).map(([name, { sizes, elements }]) => [
        name,
        device.createTensor({ dataType: 'float32', sizes }, elements),
      ]),
    );
  const step = device.jit((w: Named<Floats>, given: Named<Floats>) => {
    const [value, gradients] = valueAndGrad(loss)(w, given);
    const moved = Object.entries(w).map(([name, each]) => {
      const change = op.elementWiseMultiply(gradients[name] ?? each, rate);
      return [name, op.elementWiseSubtract(each, change)] as const;
    });
    return { value, weights: Object.fromEntries(moved) };
  });
  const given = tensors(data);
  let own = tensors(first);
  const losses: number[] = [];
  for (let i = 0; i < steps; i++) {
    const made = await step(own, given);
    own = made.weights;
    losses.push(...(await made.value.read()));
  }
  return losses;
}
