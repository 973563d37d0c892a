/** Graphs that are improved before they are compiled: which nodes become one, which must not, and what they compute. */
import type { Optimize, Tensor, Value } from 'node-directml';
import {
  activationRelu as relu,
  activationSigmoid as sigmoid,
  activationSoftmax1 as softmax,
  activationTanh as tanh,
  batchNormalization,
  cast,
  convolution,
  elementWiseAbs as abs,
  elementWiseAdd as add,
  elementWiseConstantPow as power,
  elementWiseDivide as divide,
  elementWiseErf as erf,
  elementWiseExp as exp,
  elementWiseIdentity as identity,
  elementWiseMultiply as multiply,
  elementWiseSqrt as sqrt,
  elementWiseSubtract as subtract,
  gemm,
  reduce,
} from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { Random } from '../../checks/harness/random.js';
import { backends, deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { nodesOf } from './nodes-of.js';

type Floats = Value<'float32'>;
type Build = (x: Floats, w: Floats, constant: MakeConstant) => Floats | readonly Floats[];
/** A constant whose elements are in the graph. */
type MakeConstant = (sizes: readonly number[], least?: number) => Floats;

const average = (x: Floats, axes: readonly number[] = [1]) => reduce(x, { function: 'average', axes });
const normal = (x: Floats, square = (d: Floats) => multiply(d, d), axes?: readonly number[]) => {
  const distance = subtract(x, average(x, axes).broadcastTo(x.sizes));
  const deviation = sqrt(add(average(square(distance), axes), 1e-5));
  return divide(distance, deviation.broadcastTo(x.sizes));
};
const rowOf = (w: Floats, x: Floats) => reduce(w, { function: 'max', axes: [0] }).broadcastTo(x.sizes);
const errorFunction = (x: Floats): Floats => add(erf(divide(x, Math.SQRT2)), 1);
const product = (x: Floats, w: Floats) => gemm(x, w);
const described = { outputTensor: { dataType: 'float32', sizes: [8, 8] } } as const;
const casted = <To extends 'float32' | 'int8' | 'int32' | 'uint8' | 'uint32'>(x: Value, dataType: To): Value<To> =>
  cast(x, { outputTensor: { dataType } }) as Value<To>;
const image = (x: Floats) => x.reshape([1, 1, 8, 8]);
const filtered = (x: Floats, w: Floats) => convolution(image(x), w.reshape([1, 1, 8, 8]), { startPadding: [7, 7] });

const channel = (x: Floats, size: number): Floats =>
  (reduce(image(x), { function: 'max', axes: [0, 1, 2, 3] }) as Floats).broadcastTo([1, 1, size, size]);
const turned = (x: Floats): Floats => identity(x.transpose());
const inHalves = (x: Floats): Floats => identity(x.reshape([2, 4, 8]).transpose([1, 0, 2]));
const convolved = (x: Floats, constant: MakeConstant, biasTensor?: Floats) =>
  convolution(image(x), constant([2, 1, 3, 3]), { startPadding: [1, 1], endPadding: [1, 1], biasTensor: biasTensor ?? null });
const ofChannels = (x: Floats, constant: MakeConstant, [a, b, c, d]: Partial<readonly Floats[]> = []) => {
  const one = (given?: Floats) => given ?? constant([1, 2, 1, 1], 0.5);
  return batchNormalization(x, one(a), one(b), one(c), one(d));
};

/** A program on matrices of 8 by 8, and the nodes that are left of it. `exact` is what was written if it is left out. */
const programs: Readonly<Record<string, readonly [build: Build, fast: string, exact?: string]>> = {
  'a layer normalization': [(x) => normal(x), 'meanVarianceNormalization2'],
  'with a power': [(x) => normal(x, (d) => power(d, { exponent: 2 })), 'meanVarianceNormalization2'],
  'along both dimensions': [(x) => normal(x, undefined, [0, 1]), 'meanVarianceNormalization2'],
  'with a scale and a bias': [
    (x, w) => add(multiply(normal(x), rowOf(w, x)), rowOf(x, x)),
    'meanVarianceNormalization2 reduce reduce',
  ],
  'with a bias before the scale': [(x, w) => multiply(add(normal(x), w), w), 'elementWiseMultiply meanVarianceNormalization2'],
  'whose distance is read again': [
    (x) => {
      const distance = subtract(x, average(x).broadcastTo(x.sizes));
      return [distance, divide(distance, sqrt(add(average(multiply(distance, distance)), 1)).broadcastTo(x.sizes))];
    },
    'elementWiseSubtract meanVarianceNormalization2 reduce',
  ],
  'of other powers': [
    (x) => normal(x, (d) => power(d, { exponent: 4 })),
    'elementWiseConstantPow elementWiseDivide elementWiseSqrt elementWiseSubtract reduce reduce',
  ],
  'of a variance along other axes': [
    (x) => {
      const distance = subtract(x, average(x).broadcastTo(x.sizes));
      return divide(distance, sqrt(add(average(multiply(distance, distance), [0]), 1)).broadcastTo(x.sizes));
    },
    'elementWiseDivide elementWiseMultiply elementWiseSqrt elementWiseSubtract reduce reduce',
  ],
  gelu: [(x) => multiply(multiply(x, 0.5), errorFunction(x)), 'activationGelu'],
  'gelu whose half comes last': [(x) => multiply(multiply(errorFunction(x), x), 0.5), 'activationGelu'],
  'gelu of two values': [
    (x, w) => multiply(multiply(w, 0.5), errorFunction(x)),
    'elementWiseAdd elementWiseErf elementWiseMultiply elementWiseMultiply',
  ],
  swish: [(x) => multiply(x, sigmoid(x)), 'activationSwish'],
  'swish of a scaled value': [(x) => multiply(sigmoid(multiply(x, 1.702)), x), 'activationSwish'],
  'swish of two values': [(x, w) => multiply(w, sigmoid(x)), 'activationSigmoid elementWiseMultiply'],
  'swish of a value with an addend': [(x) => multiply(x, sigmoid(add(x, 1))), 'elementWiseAdd1 elementWiseMultiply'],
  'swish whose sigmoid is read again': [
    (x) => {
      const weights = sigmoid(x);
      return [weights, multiply(x, weights)];
    },
    'activationSigmoid elementWiseMultiply',
  ],
  'swish of a product': [
    (x, w) => {
      const y = product(x, w);
      return multiply(y, sigmoid(y));
    },
    'gemm',
  ],
  'a function of factors and addends': [(x) => exp(subtract(1, divide(multiply(x, 0.5), 3))), 'elementWiseExp'],
  'factors and addends alone': [(x) => add(multiply(x, 2.5), -1), 'elementWiseIdentity'],
  'one factor': [(x) => multiply(x, 2.5), 'elementWiseMultiply'],
  'a factor of a value that is read again': [
    (x) => {
      const sum = add(x, 2);
      return [sum, multiply(sum, 3)];
    },
    'elementWiseAdd elementWiseMultiply',
  ],
  'a number over a value': [(x) => divide(1, add(abs(x), 1)), 'elementWiseAbs elementWiseAdd elementWiseDivide'],
  'a bias of a product': [(x, w) => add(product(x, w), rowOf(w, x)), 'gemm reduce'],
  'a bias on the other side': [(x, w) => tanh(add(x, product(x, w))), 'gemm'],
  'a residual with a dimension for the batch': [(x, w) => add(x.reshape([1, 8, 8]), product(x, w).reshape([1, 8, 8])), 'gemm'],
  'a residual of a product that lies in other order': [
    (x, w) => add(x.reshape([1, 8, 8]).transpose([0, 2, 1]), product(x, w).reshape([1, 8, 8])),
    'gemm',
  ],
  'a bias for each row, with a dimension for the batch': [
    (x, w) => add(product(x, w).reshape([1, 8, 8]), (average(w, [0]) as Floats).reshape([1, 1, 8]).broadcastTo([1, 8, 8])),
    'gemm reduce',
  ],
  'a factor of a product': [(x, w) => divide(product(x, w), 2.5), 'gemm'],
  'a factor with a dimension for the batch': [(x, w) => multiply(product(x, w).reshape([1, 8, 8]), -0.5), 'gemm'],
  'a factor of a product with a bias': [(x, w) => multiply(add(product(x, w), x), 0.5), 'elementWiseMultiply gemm'],
  'a number over a product': [
    (x, w) => divide(3, add(abs(product(x, w)), 1)),
    'elementWiseAbs elementWiseAdd elementWiseDivide gemm',
  ],
  'two biases': [(x, w) => add(add(product(x, w), w), x), 'elementWiseAdd gemm'],
  'a bias of the channel of a convolution': [
    (x, w) => add(filtered(x, w), reduce(image(x), { function: 'max', axes: [0, 1, 2, 3] }).broadcastTo([1, 1, 8, 8])),
    'convolution reduce',
  ],
  'a bias and an activation of a convolution with output padding, which is 0': [
    (x, w) => {
      const fields = { direction: 'backward', strides: [2, 2], outputPadding: [1, 1] } as const;
      const sum = add(convolution(image(x), w.reshape([1, 1, 8, 8]), fields), channel(x, 23));
      return [sum, sigmoid(convolution(image(w), x.reshape([1, 1, 8, 8]), fields))];
    },
    'activationSigmoid convolution convolution elementWiseAdd reduce',
  ],
  'what is added to each element of a convolution': [(x, w) => add(filtered(x, w), image(w)), 'convolution elementWiseAdd'],
  'a relu': [(x, w) => relu(product(x, w)), 'gemm'],
  'a relu of a sum': [(x, w) => relu(add(x, w)), 'elementWiseAdd1'],
  'two activations': [(x, w) => sigmoid(relu(product(x, w))), 'activationSigmoid gemm'],
  'an activation of a product that is read again': [
    (x, w) => {
      const y = product(x, w);
      return [y, relu(y)];
    },
    'activationRelu gemm',
  ],
  'an activation of a view': [(x, w) => relu(product(x, w).transpose([1, 0])), 'activationRelu gemm'],
  'an identity': [(x, w) => gemm(identity(x), w), 'gemm', 'gemm'],
  'an identity that two nodes read': [
    (x) => {
      const copy = identity(x);
      return [abs(copy), tanh(copy)];
    },
    'activationTanh elementWiseAbs',
    'activationTanh elementWiseAbs',
  ],
  'an identity before an output': [(x, w) => identity(product(x, w)), 'gemm', 'gemm'],
  'an identity of an output': [
    (x, w) => {
      const y = product(x, w);
      return [y, identity(identity(y))];
    },
    'gemm',
    'gemm',
  ],
  'an identity with a factor': [
    (x) => tanh(identity(x, { scaleBias: { scale: 2, bias: 0 } })),
    'activationTanh elementWiseIdentity',
  ],
  'a transpose before functions of each element': [
    (x, w) => abs(add(w, turned(tanh(x)))),
    'activationTanh elementWiseAbs elementWiseAdd',
    'activationTanh elementWiseAbs elementWiseAdd',
  ],
  'transposes that undo each other': [
    (x) => softmax(turned(turned(tanh(x))), { axes: [1] }),
    'activationSoftmax1 activationTanh',
    'activationSoftmax1 activationTanh',
  ],
  'reshapes and transposes that undo each other': [
    (x) => softmax(identity(inHalves(tanh(x)).transpose([1, 0, 2])).reshape([8, 8]), { axes: [1] }),
    'activationSoftmax1 activationTanh',
    'activationSoftmax1 activationTanh',
  ],
  'transposes with other sizes between': [
    (x) => softmax(turned(inHalves(tanh(x)).reshape([8, 8])), { axes: [1] }),
    'activationSoftmax1 activationTanh elementWiseIdentity elementWiseIdentity',
  ],
  'a transpose that is read in other sizes': [
    (x) => abs(turned(tanh(x)).reshape([64])),
    'activationTanh elementWiseAbs elementWiseIdentity',
  ],
  'a transpose that is read in parts': [
    (x) => abs(turned(tanh(x)).reshape([2, 2, 2, 8]).transpose([0, 2, 1, 3])),
    'activationTanh elementWiseAbs',
    'activationTanh elementWiseAbs',
  ],
  'a transpose before a softmax': [
    (x) => softmax(turned(tanh(x)), { axes: [1] }),
    'activationSoftmax1 activationTanh elementWiseIdentity',
  ],
  'a transpose that two nodes read': [
    (x) => {
      const copy = turned(tanh(x));
      return [abs(copy), exp(copy)];
    },
    'activationTanh elementWiseAbs elementWiseExp elementWiseIdentity',
  ],
  'a transpose that is an output': [
    (x) => {
      const copy = turned(tanh(x));
      return [copy, abs(copy)];
    },
    'activationTanh elementWiseAbs elementWiseIdentity',
  ],
  'factors whose product is no float32': [
    (x) => multiply(multiply(exp(subtract(x, 70)), 1e30), 1e30),
    'elementWiseExp elementWiseMultiply elementWiseMultiply',
  ],
  'transposed factors': [(x, w) => gemm(turned(x), turned(tanh(w))), 'activationTanh gemm', 'activationTanh gemm'],
  'a transposed factor of two products': [
    (x, w) => {
      const copy = turned(x);
      return [gemm(copy, w), gemm(w, copy)];
    },
    'elementWiseIdentity gemm gemm',
  ],
  'casts that change nothing': [
    (x) => abs(cast(tanh(cast(x, { outputTensor: { dataType: 'float32' } })), { outputTensor: { dataType: 'float32' } })),
    'activationTanh elementWiseAbs',
    'activationTanh elementWiseAbs',
  ],
  'a cast to a larger integer and back': [
    (x) => casted(casted(casted(casted(x, 'int8'), 'int32'), 'int8'), 'float32'),
    'cast cast',
    'cast cast',
  ],
  'a cast to a smaller integer and back': [
    (x) => casted(casted(casted(casted(x, 'int32'), 'int8'), 'int32'), 'float32'),
    'cast cast cast cast',
  ],
  'a cast to an integer with a sign and back': [
    (x) => casted(casted(casted(casted(x, 'uint8'), 'int8'), 'uint8'), 'float32'),
    'cast cast cast cast',
  ],
  'a cast to a larger integer without signs and back': [
    (x) => casted(casted(casted(casted(x, 'int8'), 'uint32'), 'int8'), 'float32'),
    'cast cast cast cast',
  ],
  'a batch normalization of a convolution': [
    (x, w, constant) => [relu(ofChannels(convolved(x, constant), constant)), abs(w)],
    'convolution elementWiseAbs',
  ],
  'of one with a bias, by repeated numbers': [
    (x, w, constant) => {
      const one = constant([1], 1).broadcastTo([1, 2, 1, 1]);
      return add(
        ofChannels(convolved(x, constant, constant([1, 2, 1, 1])), constant, [one, one, one]),
        image(w).broadcastTo([1, 2, 8, 8]),
      );
    },
    'convolution elementWiseAdd',
  ],
  'of one whose sums are read again': [
    (x, w, constant) => {
      const sums = convolved(x, constant);
      return [ofChannels(sums, constant), add(sums, image(w).broadcastTo([1, 2, 8, 8]))];
    },
    'batchNormalization convolution elementWiseAdd',
  ],
  'by a mean that is no constant': [
    (x, w, constant) =>
      ofChannels(convolved(x, constant), constant, [reduce(image(w), { function: 'max', axes: [2, 3] }) as Floats]),
    'batchNormalization convolution reduce',
  ],
  'by numbers of each place': [
    (x, w, constant) => [ofChannels(convolved(x, constant), constant, [constant([1, 1, 8, 8])]), abs(w)],
    'batchNormalization convolution elementWiseAbs',
  ],
  'by a variance below 0': [
    (x, w, constant) => {
      const none = constant([1], -2e-5).broadcastTo([1, 2, 1, 1]);
      return [ofChannels(convolved(x, constant), constant, [none, none]), abs(w)];
    },
    'batchNormalization convolution elementWiseAbs',
  ],
  'of a convolution with filters that are no constants': [
    (x, w, constant) =>
      ofChannels(
        filtered(x, w),
        constant,
        [1, 2, 3, 4].map(() => constant([1, 1, 1, 1], 1)),
      ),
    'batchNormalization convolution',
  ],
  'equal nodes': [
    (x, w) => add(abs(product(x, w)), abs(product(x, w))),
    'elementWiseAbs elementWiseAdd gemm',
    'elementWiseAbs elementWiseAdd gemm',
  ],
  'equal nodes whose outputs are described': [
    (x) => add(abs(x, described), abs(x, described)),
    'elementWiseAbs elementWiseAdd',
    'elementWiseAbs elementWiseAdd',
  ],
  'equal outputs': [
    (x, w) => [product(x, w), product(x, w), identity(x)],
    'elementWiseIdentity gemm',
    'elementWiseIdentity gemm',
  ],
};

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const built = (program: Build) => {
    const graph = device().createGraph();
    const desc = { dataType: 'float32', sizes: [8, 8] } as const;
    const x = graph.input('x', desc);
    const constant: MakeConstant = (sizes, least = -0.5) => {
      const count = sizes.reduce((product, size) => product * size, 1);
      return graph.constant(
        { dataType: 'float32', sizes },
        Float32Array.from({ length: count }, (_, i) => least + ((i * 0.3) % 1)),
      );
    };
    const values = [program(x, program.length < 2 ? x : graph.input('w', desc), constant)].flat();
    return { graph, outputs: Object.fromEntries(values.map((value, i) => [`y${i}`, value])) };
  };
  const computed = async (program: Build, given: Readonly<Record<string, Tensor>>, optimize: Optimize) => {
    const { graph, outputs } = built(program);
    using net = await graph.compile(outputs, { optimize });
    const inputs = Object.fromEntries(Object.keys(net.inputs).map((name) => [name, given[name]]));
    const results = Object.values(await net.run(inputs as Record<string, Tensor>));
    return (await Promise.all(results.map((result) => result.read()))).flatMap((numbers) => Array.from(numbers, Number));
  };
  const drawn = (random: Random, largest: number) => {
    const numbers = () => Float32Array.from({ length: 64 }, () => (random.fraction() - 0.5) * largest);
    const tensor = () => device().createTensor({ dataType: 'float32', sizes: [8, 8] }, numbers());
    return { x: tensor(), w: tensor() };
  };

  describe.each(Object.entries(programs))('%s', (name, [program, fast, exact]) => {
    test('becomes these nodes', () => {
      const { graph, outputs } = built(program);
      const left = (optimize: Optimize) => nodesOf(graph.toMermaid(outputs, { optimize }));
      expect(left('fast')).toBe(fast);
      expect(left('exact')).toBe(exact ?? left(false));
    });

    test('computes the same', () =>
      device().scope(async () => {
        const random = Random.of('improved graphs', name);
        for (const largest of [1, 7.3, 300]) {
          const given = drawn(random, largest);
          const written = await computed(program, given, false);
          expect(await computed(program, given, 'exact')).toEqual(written);
          const close = await computed(program, given, 'fast');
          for (const [i, number] of written.entries()) {
            if (Object.is(close[i], number)) continue;
            expect(Math.abs((close[i] ?? NaN) - number)).toBeLessThan(1e-5 * (Math.abs(number) + largest));
          }
        }
      }));
  });

  test('random programs compute the same', () =>
    device().scope(async () => {
      for (let seed = 0; seed < (backend === 'reference' ? 200 : 60); seed++) {
        const random = Random.of('improved programs', seed);
        const steps = Array.from(
          { length: random.int(3, 14) },
          () => [random.int(0, 15), random.int(0, 99), random.int(0, 99)] as const,
        );
        const given = drawn(random, 4);
        const program: Build = (x, w) => randomProgram(x, w, steps);
        const written = await computed(program, given, false);
        expect(await computed(program, given, 'exact'), `seed ${seed}`).toEqual(written);
        const close = await computed(program, given, 'fast');
        const isSame = (number: number, other = NaN) =>
          Object.is(number, other) || Math.abs(number - other) <= 1e-4 * (1 + Math.abs(number));
        expect(
          close.findIndex((number, i) => !isSame(number, written[i])),
          `seed ${seed}`,
        ).toBe(-1);
      }
    }));

  test('equal attentions that add to different caches stay apart', async () => {
    const graph = device().createGraph();
    const past = graph.input('past', { dataType: 'int32', sizes: [1] });
    const x = graph.input('x', { dataType: 'float32', sizes: [1, 1, 4] });
    const present = { sizes: [1, 1, 2, 4] };
    const outputs = [0, 1].map((i) => {
      const made = graph.add({
        type: 'multiheadAttention1',
        ...{ queryTensor: x, keyTensor: x, valueTensor: x, pastSequenceLengthsTensor: past },
        ...{ outputPresentKeyTensor: present, outputPresentValueTensor: present, queryHeadCount: 1, keyValueHeadCount: 1 },
      });
      return { [`keys${i}`]: made.outputPresentKeyTensor, [`values${i}`]: made.outputPresentValueTensor } as Record<
        string,
        Floats
      >;
    });
    using net = await graph.compile(Object.assign({}, ...outputs) as Record<string, Floats>, { optimize: 'fast' });
    const caches = net.createOutputs();
    caches['keys1']?.write([5, 5, 5, 5, 0, 0, 0, 0]);
    const given = { past: device().createTensor(past, [1]), x: device().createTensor(x, [1, 2, 3, 4]) };
    net.dispatch({ ...given, ...caches });
    expect(await caches['keys0']?.toArray()).toEqual([
      [
        [
          [0, 0, 0, 0],
          [1, 2, 3, 4],
        ],
      ],
    ]);
    expect(await caches['keys1']?.toArray()).toEqual([
      [
        [
          [5, 5, 5, 5],
          [1, 2, 3, 4],
        ],
      ],
    ]);
  });

  test('jit takes the option, and others are refused', async () => {
    const x = device().createTensor({ dataType: 'float32', sizes: [2] }, [1, -2]);
    using fast = device().jit((given: Tensor<'float32'>) => abs(add(multiply(given, 2), 1)), { optimize: 'fast' });
    expect(await (await fast(x)).toArray()).toEqual([3, 3]);
    const wrong = { optimize: true } as never;
    const error = { code: 'ERR_INVALID_ARGUMENT', field: 'options.optimize' };
    expect(caught(() => device().jit((given: Tensor) => given, wrong))).toMatchObject(error);
    const { graph, outputs } = built((given) => abs(given));
    expect(await rejected(graph.compile(outputs, wrong))).toMatchObject(error);
    expect(await rejected(device().compileGraph(graph.toDescriptor(outputs), wrong))).toMatchObject(error);
    expect(caught(() => graph.toMermaid(outputs, wrong))).toMatchObject(error);
  });
});

/** Steps of patterns and near-patterns, each of values that those before have made. Reads of older values make shared readers. */
function randomProgram(
  x: Floats,
  w: Floats,
  steps: readonly (readonly [kind: number, first: number, second: number])[],
): Floats[] {
  const values = [x, w];
  const valueAt = (i: number): Floats => values[Math.max(0, values.length - 1 - (i % 3))] ?? x;
  for (const [kind, first, second] of steps) {
    const [a, b] = [valueAt(first), valueAt(second)];
    const number = (second - 50) / 25;
    values.push(
      [
        () => tanh(add(a, b)),
        () => relu(subtract(a, b)),
        () => relu(gemm(tanh(a), tanh(b))),
        () => add(gemm(tanh(a), tanh(b)), b),
        () => sigmoid(add(b, gemm(tanh(a), tanh(b), { transB: 'transpose' }))),
        () => multiply(a, number),
        () => add(a, number),
        () => subtract(number, a),
        () => divide(a, 1.5),
        () => abs(add(multiply(a, number), 1)),
        () => normal(tanh(a)),
        () => add(multiply(normal(tanh(a)), tanh(b)), b),
        () => multiply(multiply(a, 0.5), errorFunction(a)),
        () => multiply(tanh(a), errorFunction(b)),
        () => tanh(a).transpose([1, 0]),
        () => tanh(multiply(2, subtract(a, b))),
      ][kind]?.() ?? a,
    );
  }
  // All inputs are used.
  return [add(x, w), ...values.slice(-2)].map((value) => tanh(value));
}
