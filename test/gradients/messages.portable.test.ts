/** What gradients refuse, the code and the whole message of each error; and corners of their functions. */
import { createDevice, type Device, type Tensor, type Value } from 'node-directml';
import * as gradients from 'node-directml/gradients';
import { checkpoint, customGradient, grad, stopGradient, valueAndGrad, vjp } from 'node-directml/gradients';
import {
  cast,
  elementWiseDequantizeLinear as dequantize,
  elementWiseExp as exp,
  elementWiseFloor as floor,
  elementWiseMultiply as multiply,
  reduce,
} from 'node-directml/operators';
import { beforeAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../support/refusals.js';

type Floats = Value<'float32'>;
type Call = (...args: readonly unknown[]) => never;
/** The functions with arguments of any type. What they return may be called, too. */
const loose = gradients as unknown as Readonly<Record<keyof typeof gradients, (...args: readonly unknown[]) => Call>>;
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const total = (x: Floats): Floats => reduce(x, { function: 'sum', axes: [...x.sizes.keys()] }) as Floats;

let d: Device;
/** [2] */
let x: Tensor<'float32'>;
let integers: Tensor<'int32'>;
/** Of a graph. */
let value: Floats;

beforeAll(async () => {
  d = await createDevice({ backend: 'reference' });
  [x, integers] = [d.tensor([3, 4]), d.tensor([1, 2], { dataType: 'int32' })];
  value = d.createGraph().input('x', float32(2));
});

const noIndex =
  'ERR_INVALID_ARGUMENT grad: options.argument: expected the number of an argument, or an array of different ones, given';

const refusals: Readonly<Record<string, Readonly<Record<string, () => unknown>>>> = {
  functions: {
    'ERR_INVALID_ARGUMENT grad: fn: expected a function, given 5': () => loose.grad(5),
    "ERR_INVALID_ARGUMENT valueAndGrad: fn: expected a function, given 'x'": () => loose.valueAndGrad('x'),
    'ERR_INVALID_ARGUMENT vjp: fn: expected a function, given 5': () => loose.vjp(5),
    'ERR_INVALID_ARGUMENT customGradient: fn: expected a function, given 5': () => loose.customGradient(5),
    'ERR_INVALID_ARGUMENT customGradient: gradientOf: expected a function, given 6': () => loose.customGradient(total, 6),
    'ERR_INVALID_ARGUMENT checkpoint: fn: expected a function, given 5': () => loose.checkpoint(5),
  },
  options: {
    'ERR_INVALID_ARGUMENT grad: options.hasAux: expected true or false, given 1': () => loose.grad(total, { hasAux: 1 }),
    "ERR_INVALID_ARGUMENT grad: options.arg: expected one of argument, hasAux, given 'arg' (did you mean 'argument'?)": () =>
      loose.grad(total, { arg: 1 }),
    [`${noIndex} -1`]: () => loose.grad(total, { argument: -1 }),
    [`${noIndex} 0.5`]: () => loose.grad(total, { argument: 0.5 }),
    [`${noIndex} 'x'`]: () => loose.grad(total, { argument: 'x' }),
    [`${noIndex} an empty array`]: () => loose.grad(total, { argument: [] }),
    [`${noIndex} an array of 2 numbers`]: () => loose.grad(total, { argument: [0, 0] }),
  },
  arguments: {
    'ERR_INVALID_ARGUMENT grad: args: expected tensors, given 5': () => loose.grad(total)(5),
    'ERR_INVALID_ARGUMENT grad: args: expected tensors, given nothing': () => loose.grad(total)(),
    'ERR_INVALID_ARGUMENT grad(total): grad: args[1]: expected the argument of the gradient, given nothing': () =>
      loose.grad(total, { argument: 1 })(x),
    'ERR_INVALID_ARGUMENT valueAndGrad(total): valueAndGrad: args[2]: expected the argument of the gradient, given nothing': () =>
      loose.valueAndGrad(total, { argument: [0, 2] })(x, x),
    'ERR_DATA_TYPE grad(total): grad: args[0]: expected floats, given int32 (integers have no gradient; the option argument \
chooses others)': () => loose.grad(total)(integers),
    'ERR_DATA_TYPE vjp: args[0].b: expected floats, given int32 (integers have no gradient; the option argument chooses others)':
      () => loose.vjp(() => value, { a: value, b: integers }),
    'ERR_INVALID_ARGUMENT vjp: args: expected values of a graph, as device.jit passes them, given a tensor': () =>
      loose.vjp(total, x),
    'ERR_INVALID_ARGUMENT vjp: args[1]: expected a tensor, given a device': () => loose.vjp(() => value, value, d),
    'ERR_INVALID_ARGUMENT vjp: args: expected values of a graph, as device.jit passes them, given nothing': () =>
      loose.vjp(total),
  },
  results: {
    'ERR_SIZES grad(fn): grad: loss: expected one element, given the sizes 2 (a loss is one number; reduce, for example, sums up)':
      () => loose.grad((given: Floats) => multiply(given, 2))(x),
    'ERR_DATA_TYPE grad(fn): grad: loss: expected a floating number, given int32': () =>
      loose.grad((given: Floats) => cast(total(given), { outputTensor: { dataType: 'int32' } }))(x),
    'ERR_INVALID_ARGUMENT grad(fn): grad: loss: expected a tensor with one floating number, given 5': () =>
      loose.grad(() => 5)(x),
    'ERR_INVALID_ARGUMENT grad(fn): grad: loss: expected a tensor with one floating number, given an array of 1 value of a graph':
      () => loose.grad((given: Floats) => [total(given)])(x),
    'ERR_INVALID_ARGUMENT vjp: result: expected a value, given 5': () => loose.vjp(() => 5, value),
    'ERR_INVALID_ARGUMENT vjp: gradient: expected a value, given 5': () =>
      (loose.vjp(total, value) as unknown as readonly Call[])[1]?.(5),
    'ERR_INVALID_ARGUMENT customGradient: result: expected a value of a graph, given 5': () =>
      loose.customGradient(() => 5, total)(value),
  },
  operators: {
    'ERR_NO_GRADIENT grad(fn): grad: elementWiseDequantizeLinear has no gradient: its input has integers; stopGradient excludes \
a tensor from the gradient': () =>
      loose.grad((given: Floats) => {
        const bytes = cast(given, { outputTensor: { dataType: 'uint8' } });
        return total(dequantize(bytes, 0.5) as Floats);
      })(x),
    'ERR_NO_GRADIENT grad(fn): grad: elementWiseFloor has no gradient: it is constant but for steps; stopGradient excludes a \
tensor from the gradient': () => loose.grad((given: Floats) => total(floor(given)))(x),
    'ERR_NO_GRADIENT grad(fn): grad: reduce has no gradient: it reads windows of a tensor that overlap, or a part of one with \
gaps; stopGradient excludes a tensor from the gradient': () =>
      loose.grad((given: Floats) => total(given.view({ sizes: [3, 2], strides: [1, 1] })))(d.tensor([1, 2, 3, 4])),
    'ERR_NO_GRADIENT grad(fn): grad: cast has no gradient: its output has integers; stopGradient excludes a tensor from the \
gradient': () => {
      const whole = (given: Floats) => cast(given, { outputTensor: { dataType: 'int32' } });
      return loose.grad((given: Floats) => total(cast(whole(given), { outputTensor: { dataType: 'float32' } })))(x);
    },
  },
};

describe.each(Object.entries(refusals))('%s', (_name, programs) => {
  test.each(Object.entries(programs))('%s', async (message, program) => {
    expect(await refusalOf(program)).toBe(message);
  });
});

test('grad gives what else a function returns only if it is told so', async () => {
  const loss = (given: Floats) => [total(multiply(given, given)), exp(given)] as const;
  const [slope, others] = await grad(loss, { hasAux: true })(x);
  expect(await slope.toArray()).toEqual([6, 8]);
  expect((await others.toArray())[0]).toBeCloseTo(Math.exp(3), 4);
});

test('a function may be asynchronous', async () => {
  const slope = grad(async (given: Floats) => Promise.resolve(total(multiply(given, given))));
  expect(await (await slope(x)).toArray()).toEqual([6, 8]);
});

test('a loss that depends on no argument has gradients of 0', async () => {
  const run = loose.grad(() => d.tensor([7])) as (given: Tensor) => Promise<Tensor>;
  expect(await (await run(x)).toArray()).toEqual([0, 0]);
  const second = grad((a: Floats, b: Floats) => total(multiply(a, a)).reshape([...b.sizes.keys()].map(() => 1)), {
    argument: [1],
  });
  const [ofSecond] = await second(x, d.tensor([1, 2, 3]));
  expect(await ofSecond.toArray()).toEqual([0, 0, 0]);
});

test('vjp takes tensors beside values, which become constants', async () => {
  const run = d.jit((given: Floats) => {
    const [result, pullback] = vjp((a: Floats, b: Floats) => multiply(a, b), given, x as unknown as Floats);
    return pullback(result);
  });
  const [first, second] = await run(d.tensor([5, 6]));
  // The gradient of the result is the result: [15, 24].
  expect([await first.toArray(), await second.toArray()]).toEqual([
    [45, 96],
    [75, 144],
  ]);
});

test('an argument whose gradient is undefined has 0', async () => {
  const ignored = customGradient(
    (a: Floats, b: Floats) => multiply(a, b),
    (gradient, _result, a) => [undefined, multiply(gradient, a)],
  );
  const both = grad((a: Floats, b: Floats) => total(ignored(a, b)), { argument: [0, 1] });
  const [first, second] = await both(x, d.tensor([5, 6]));
  expect([await first.toArray(), await second.toArray()]).toEqual([
    [0, 0],
    [3, 4],
  ]);
});

test('checkpoint and stopGradient return what has no values as it is', () => {
  const count = checkpoint((a: number, b: number) => a + b);
  expect([count(2, 3), stopGradient(5)]).toEqual([5, 5]);
  expect(stopGradient(x)).toBe(x);
  expect(stopGradient({ x, list: [x] })).toEqual({ x, list: [x] });
});

test('a checkpoint with several results passes the gradients of those that are used', async () => {
  const both = checkpoint((a: Floats) => ({ square: multiply(a, a), unused: exp(a), double: multiply(a, 2) }));
  const loss = (a: Floats) => {
    const { square, double } = both(a);
    return total(multiply(square, double));
  };
  // 2 x³
  expect(await (await grad(loss)(x)).toArray()).toEqual([54, 96]);
  const [value0, slope] = await valueAndGrad(loss)(x);
  expect([await value0.toArray(), await slope.toArray()]).toEqual([[182], [54, 96]]);
});

test('an argument that repeats its elements has a gradient for each place', async () => {
  const run = d.jit((given: Floats) => grad((a: Floats) => total(multiply(a, a)))(given.reshape([1, 2]).broadcastTo([2, 2])));
  expect(await (await run(x)).toArray()).toEqual([
    [6, 8],
    [6, 8],
  ]);
});

test('errors name the function, if it has a name', async () => {
  const named = (given: Floats) => floor(given);
  expect(await refusalOf(() => loose.grad(named)(x))).toMatch(/^ERR_SIZES grad\(named\): grad: loss: /);
  expect(await refusalOf(() => loose.grad(Object.defineProperty(named, 'name', { value: 5 }))(x))).toMatch(/ grad\(fn\): /);
});
