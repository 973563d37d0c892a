/** Gradients of functions: of each operator, of programs, of gradients; what has none; trainings. */
import { describe, expect, test } from 'vitest';
import type { OperatorType, Tensor, Value } from 'node-directml';
import { customGradient, grad, stopGradient, valueAndGrad, vjp } from 'node-directml/gradients';
import {
  activationLogSoftmax as logSoftmax,
  activationRelu as relu,
  activationTanh as tanh,
  argmax,
  cast,
  convolution,
  elementWiseAdd as add,
  elementWiseExp as exp,
  elementWiseFloor as floor,
  elementWiseIf as choose,
  elementWiseLogicalGreaterThan as isGreater,
  elementWiseMultiply as multiply,
  elementWiseSin as sin,
  elementWiseSubtract as subtract,
  gather,
  gemm,
  join,
  reduce,
} from 'node-directml/operators';
import { gradientRuleOf } from '#lib/gradients/rule-of.js';
import { operatorTypes } from '../../checks/operators/cases.js';
import { Random } from '../../checks/harness/random.js';
import { backends, deviceOn, ownBackend } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { drawn } from '../support/level.js';
import { textOf } from '../support/pages.js';
import { checkGradient } from '../../checks/gradients/check.js';

type Floats = Value<'float32'>;

const seed = 1;
const wanted = drawn({ quick: 2, all: 30 });
/** Operators draw their modes by the number of the case. So two cases that are apart have different ones. */
const step = drawn({ quick: 7, all: 1 });
const rules = operatorTypes.map((type) => [type, gradientRuleOf(type)] as const);
const differentiable = rules.filter(([, rule]) => typeof rule !== 'string').map(([type]) => type);

const total = (x: Floats): Floats => reduce(x, { function: 'sum', axes: [...x.sizes.keys()] }) as Floats;

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(differentiable)('%s agrees with differences', async (operator: OperatorType) => {
    let passed = 0;
    for (let number = 0; passed < wanted && number < 20 * step * wanted; number += step) {
      const { kind, why } = await checkGradient(device(), { operator, seed, number });
      expect(kind === 'failed' ? `npm run gradients -- ${operator} --seed ${seed} --from ${number} --cases 1: ${why}` : '').toBe(
        '',
      );
      if (kind === 'passed') passed++;
    }
    expect(passed).toBeGreaterThan(0);
  });

  test.each([
    { operator: 'convolution', number: 14, what: 'a filter that is turned round' },
    { operator: 'convolution', number: 20, what: 'a filter that is turned round, backwards' },
    { operator: 'roiAlign', number: 38, what: 'largest samples' },
    { operator: 'resample2', number: 2160, what: 'nearest elements on a border' },
    { operator: 'resample2', number: 2320, what: 'nearest elements on a border' },
    { operator: 'resample3', number: 924, what: 'nearest elements on a border' },
    { operator: 'multiheadAttention', number: 50, what: 'lengths of keys' },
    { operator: 'multiheadAttention', number: 138, what: 'ends and starts of keys' },
    { operator: 'multiheadAttention', number: 16, what: 'ends that are no later than starts' },
    { operator: 'multiheadAttention', number: 110, what: 'places of queries and keys' },
    { operator: 'multiheadAttention', number: 78, what: 'a boolean mask' },
    { operator: 'cumulativeProduct', number: 24, what: 'from the last element on' },
    { operator: 'cumulativeProduct', number: 30, what: 'along an axis of one element' },
  ] as const)('$operator, number $number: $what', async ({ operator, number }) => {
    expect(await checkGradient(device(), { operator, seed: 7, number })).toEqual({ kind: 'passed', why: '' });
  });

  test.each([
    { operator: 'multiheadAttention1', number: 0, why: 'a cache that earlier calls filled' },
    { operator: 'localResponseNormalization', number: 0, why: 'an even localSize' },
    { operator: 'lpPooling', number: 0, why: 'a norm of the order 0' },
    { operator: 'maxPooling2', number: 20, why: 'it has no largest element' },
    { operator: 'maxPoolingGrad', number: 2, why: 'it has no largest element' },
    { operator: 'resample2', number: 8, why: 'offsets outside of 0 to 1' },
    // A linear axis that opposite offsets round down.
    { operator: 'resample2', number: 376, why: 'opposite' },
    { operator: 'resample3', number: 4, why: 'antialiased windows' },
    { operator: 'resampleGrad', number: 0, why: 'positions outside of the input' },
    { operator: 'roiAlign', number: 6, why: 'as if outOfBoundsInputValue were 0' },
  ] as const)('$operator, number $number, has none: $why', async ({ operator, number, why }) => {
    const outcome = await checkGradient(device(), { operator, seed: 7, number });
    expect(outcome).toEqual({ kind: 'refused', why: expect.stringContaining(why) as string });
  });
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const tensor = (sizes: readonly number[], elements: readonly number[]) =>
    device().createTensor({ dataType: 'float32', sizes }, elements);

  test('a function of tensors has a gradient, which runs as one graph', async () => {
    const slope = grad((x: Floats) => total(multiply(x, sin(x))));
    const expected = [1, 2, 3].map((x) => Math.sin(x) + x * Math.cos(x));
    const made = await (await slope(tensor([3], [1, 2, 3]))).toArray();
    for (const [i, element] of expected.entries()) expect(made[i]).toBeCloseTo(element, 5);
  });

  test('arguments are trees, and several of them have gradients', async () => {
    const loss = ({ w }: { readonly w: readonly Floats[] }, x: Floats) => total(multiply(multiply(w[0] ?? x, w[1] ?? x), x));
    const both = grad(loss, { argument: [1, 0] });
    const [a, b, x] = [tensor([2], [1, 2]), tensor([2], [3, 4]), tensor([2], [5, 6])];
    const [ofX, ofW] = await both({ w: [a, b] }, x);
    expect(await ofX.toArray()).toEqual([3, 8]);
    expect(await Promise.all(ofW.w.map((each) => each.toArray()))).toEqual([
      [15, 24],
      [5, 12],
    ]);
  });

  test('a gradient has a gradient', async () => {
    const cube = (x: Floats) => total(multiply(multiply(x, x), x));
    const second = grad((x: Floats) => total(grad(cube)(x)));
    expect(await (await second(tensor([2], [1, 2]))).toArray()).toEqual([6, 12]);
  });

  test('other uses of the same tensor do not count, nor does what is stopped', async () => {
    const inner = device().jit((x: Floats) => grad((y: Floats) => total(multiply(x, y)))(x));
    expect(await (await inner(tensor([2], [3, 4]))).toArray()).toEqual([3, 4]);
    const stopped = grad((x: Floats) => total(multiply(stopGradient(x), x)));
    expect(await (await stopped(tensor([2], [3, 4]))).toArray()).toEqual([3, 4]);
  });

  test('values come with gradients, and others beside them', async () => {
    const loss = (x: Floats) => [total(multiply(x, x)), exp(x)] as const;
    const [[value, aux], slope] = await valueAndGrad(loss, { hasAux: true })(tensor([1], [0]));
    expect([await value.toArray(), await aux.toArray(), await slope.toArray()]).toEqual([[0], [1], [0]]);
  });

  test('a product with any gradient of the result', async () => {
    const run = device().jit((x: Floats, direction: Floats) => {
      const [y, pullback] = vjp((given: Floats) => multiply(given, given), x);
      return { y, gradient: pullback(direction)[0] };
    });
    const { y, gradient } = await run(tensor([2], [3, 4]), tensor([2], [1, 10]));
    expect([await y.toArray(), await gradient.toArray()]).toEqual([
      [9, 16],
      [6, 80],
    ]);
  });

  test('a function may have a gradient of its own', async () => {
    const clipped = customGradient(
      (x: Floats) => exp(x),
      (gradient, result) => [multiply(multiply(gradient, result), 0.5)],
    );
    const slope = grad((x: Floats) => total(multiply(clipped(x), x)));
    expect(await (await slope(tensor([1], [0]))).toArray()).toEqual([1]);
  });

  test('views have gradients: other orders, repetitions, parts and gaps', async () => {
    const loss = (x: Floats, w: Floats) => {
      const turned = multiply(x.transpose(), w);
      const repeated = multiply(x.reshape([1, 6]).broadcastTo([2, 6]), w.reshape([1, 6]).broadcastTo([2, 6]));
      return add(total(turned).reshape([1, 1]), total(repeated));
    };
    const made = await grad(loss)(tensor([2, 3], [1, 2, 3, 4, 5, 6]), tensor([3, 2], [1, 2, 3, 4, 5, 6]));
    expect(await made.toArray()).toEqual([
      [1 + 2, 3 + 4, 5 + 6],
      [2 + 8, 4 + 10, 6 + 12],
    ]);
    const gaps = grad((x: Floats) => total(multiply(x.view({ sizes: [2, 2], strides: [3, 2] }), 2)));
    expect(await (await gaps(tensor([6], [1, 2, 3, 4, 5, 6]))).toArray()).toEqual([2, 0, 2, 2, 0, 2]);
    const overlapping = grad((x: Floats) => total(x.view({ sizes: [3, 2], strides: [1, 1] })));
    expect(await rejected(overlapping(tensor([4], [1, 2, 3, 4])))).toMatchObject({ code: 'ERR_NO_GRADIENT' });
  });

  test('rows that are gathered several times add up', async () => {
    const ids = device().createTensor({ dataType: 'int32', sizes: [1, 4] }, [2, 0, 2, -1]);
    const loss = (table: Floats) =>
      total(multiply(gather(table, ids, { axis: 0, indexDimensions: 1 }), tensor([4, 2], [1, 2, 3, 4, 5, 6, 7, 8])));
    expect(await (await grad(loss)(tensor([3, 2], [0, 0, 0, 0, 0, 0]))).toArray()).toEqual([
      [3, 4],
      [0, 0],
      [13, 16],
    ]);
  });

  test('what has no gradient is refused by name, unless it does not matter', async () => {
    const x = tensor([1, 3], [1, 2, 3]);
    const refused = async (loss: (given: Floats) => Floats) => await rejected(grad(loss)(x));
    expect(await refused((given) => total(floor(given)))).toMatchObject({
      code: 'ERR_NO_GRADIENT',
      operator: 'elementWiseFloor',
    });
    const index = (given: Floats) => argmax(given, { axes: [1], outputTensor: { dataType: 'int32' } });
    const asFloat = (given: Floats) => cast(index(given), { outputTensor: { dataType: 'float32' } });
    const error = await refused((given) => total(asFloat(given)));
    expect(error).toMatchObject({ code: 'ERR_NO_GRADIENT', operator: 'argmax' });
    expect(error.message).toContain('argmax has no gradient: its output is an index; stopGradient');
    expect(await (await grad((given: Floats) => total(multiply(stopGradient(asFloat(given)), given)))(x)).toArray()).toEqual([
      [2, 2, 2],
    ]);
    // The condition of a choice needs none.
    const half = grad((given: Floats) => total(choose(isGreater(given, 1.5), multiply(given, 2), given)));
    expect(await (await half(x)).toArray()).toEqual([[1, 2, 2]]);
  });

  test('a loss is one floating number, and arguments are floats', async () => {
    const x = tensor([2], [1, 2]);
    expect(await rejected(grad((given: Floats) => multiply(given, 2))(x))).toMatchObject({ code: 'ERR_SIZES', field: 'loss' });
    const integers = device().createTensor({ dataType: 'int32', sizes: [1] }, [1]);
    const ofIntegers = grad((given: Value<'int32'>) => cast(given, { outputTensor: { dataType: 'float32' } }));
    expect(await rejected(ofIntegers(integers))).toMatchObject({ code: 'ERR_DATA_TYPE', field: 'args[0]' });
    expect(caught(() => grad(5 as never))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'fn' });
    for (const argument of [-1, 0.5, [], [0, 0]]) {
      expect(caught(() => grad(total, { argument }))).toMatchObject({ field: 'options.argument' });
    }
    const ofSecond = grad(total, { argument: 1 });
    expect(await rejected(ofSecond(x))).toMatchObject({ field: 'args[1]' });
    expect(await rejected((grad(total) as unknown as () => Promise<unknown>)())).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    const product = caught(() => vjp((given: Floats) => multiply(given, given), x as never));
    expect(product.message).toMatch(/^vjp: args: expected values of a graph, as device\.jit passes them, given /);
  });

  test('a perceptron learns exclusive or', async () => {
    const loss = ({ w1, w2 }: { readonly w1: Floats; readonly w2: Floats }, x: Floats, target: Floats) => {
      const distance = subtract(gemm(tanh(gemm(x, w1)), w2), target);
      return reduce(multiply(distance, distance), { function: 'average', axes: [0, 1] }) as Floats;
    };
    const step = device().jit((w: { readonly w1: Floats; readonly w2: Floats }, x: Floats, target: Floats) => {
      const [value, gradient] = valueAndGrad(loss)(w, x, target);
      const moved = (name: 'w1' | 'w2') => subtract(w[name], multiply(gradient[name], 0.5));
      return { value, w: { w1: moved('w1'), w2: moved('w2') } };
    });
    const x = tensor([4, 2], [0, 0, 0, 1, 1, 0, 1, 1]);
    const target = tensor([4, 1], [0, 1, 1, 0]);
    let w: { w1: Tensor<'float32'>; w2: Tensor<'float32'> } = {
      w1: tensor([2, 3], [0.1, 0.5, -0.3, 0.7, 0.2, -0.6]),
      w2: tensor([3, 1], [0.3, -0.2, 0.4]),
    };
    let last = Infinity;
    for (let i = 0; i < 120; i++) {
      const made = await step(w, x, target);
      w = made.w;
      if (i % 40 !== 39) continue;
      const [value = NaN] = await made.value.read();
      expect(value).toBeLessThan(last);
      last = value;
    }
    expect(last).toBeLessThan(1e-3);
    expect(step.graphs).toHaveLength(1);
  });

  test('a convolutional classifier learns to tell bars', async () => {
    const random = Random.of('bars', seed);
    const images = Array.from({ length: 16 }, (_, i) => {
      const place = random.int(0, 5);
      return Array.from({ length: 36 }, (_each, at) => ((i % 2 === 0 ? at % 6 : Math.floor(at / 6)) === place ? 1 : 0));
    });
    interface Weights {
      readonly filter: Floats;
      readonly last: Floats;
    }
    const loss = ({ filter, last }: Weights, x: Floats, target: Floats) => {
      const features = relu(convolution(x, filter, { strides: [2, 2], endPadding: [1, 1] }));
      const [batch = 1, ...rest] = features.sizes;
      const logits = logSoftmax(gemm(features.reshape([batch, rest.reduce((a, b) => a * b, 1)]), last));
      return multiply(total(multiply(logits, target)), -1 / 16);
    };
    const step = device().jit((w: Weights, x: Floats, target: Floats) => {
      const [value, gradient] = valueAndGrad(loss)(w, x, target);
      const moved = (name: keyof Weights) => subtract(w[name], multiply(gradient[name], 0.5));
      return { value, w: { filter: moved('filter'), last: moved('last') } };
    });
    const numbers = (count: number) => Array.from({ length: count }, () => random.fraction() - 0.5);
    const x = tensor([16, 1, 6, 6], images.flat());
    const target = tensor(
      [16, 2],
      images.flatMap((_, i) => (i % 2 === 0 ? [1, 0] : [0, 1])),
    );
    let w: { filter: Tensor<'float32'>; last: Tensor<'float32'> } = {
      filter: tensor([4, 1, 3, 3], numbers(36)),
      last: tensor([36, 2], numbers(72)),
    };
    let value = NaN;
    for (let i = 0; i < 60; i++) {
      const made = await step(w, x, target);
      w = made.w;
      if (i === 59) [value = NaN] = await made.value.read();
    }
    expect(value).toBeLessThan(0.1);
  });

  test('several readers and parts of one tensor add up', async () => {
    const loss = (x: Floats) => total(multiply(join([x, x], { axis: 0 }), join([multiply(x, x), x], { axis: 0 })));
    // x³ + x²
    expect(await (await grad(loss)(tensor([2], [1, 2]))).toArray()).toEqual([5, 16]);
  });
});

test('each operator has a rule, or a reason that the guide tells', () => {
  const page = textOf('docs/guides/gradients.md');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  for (const [type, rule] of rules) {
    const told = rows.filter((line) => line.includes(`\`${type}\``)).map((line) => line.split('|').at(-2)?.trim());
    expect(told, type).toEqual(typeof rule === 'string' ? [rule] : []);
  }
  expect(differentiable.length).toBeGreaterThanOrEqual(100);
});
