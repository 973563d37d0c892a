/** `node-directml/nn` against answers of PyTorch 2.6: results, and gradients with respect to all inputs and weights. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Device, Tensor, Value } from 'node-directml';
import * as np from 'node-directml/array';
import { grad, valueAndGrad } from 'node-directml/gradients';
import * as nn from 'node-directml/nn';
import { backends, deviceOn } from '../support/devices.js';

interface Elements {
  readonly sizes: readonly number[];
  readonly dataType: 'float32' | 'int32' | 'uint8';
  readonly elements: readonly number[];
}
type Floats = Value<'float32'>;
type Weights<T> = Readonly<Record<'b' | 'w', T>>;
type Tree = unknown;
interface Case {
  readonly args: readonly Tree[];
  readonly result: Elements | readonly Elements[];
  readonly gradients: readonly Elements[];
}
interface Training {
  readonly args: readonly [Elements, Readonly<Record<'weight' | 'bias' | 'running_mean' | 'running_var', Elements>>];
  readonly result: Elements;
  readonly running_mean: Elements;
  readonly running_var: Elements;
}
interface Optimization {
  readonly optimizer: 'adam' | 'adamW' | 'momentum' | 'rmsProp' | 'sgd';
  readonly options: nn.AdamOptions;
  readonly weights: Weights<Elements>;
  readonly target: Elements;
  readonly losses: readonly number[];
  readonly result: Weights<Elements>;
}
/** Made by `node sandbox/python.mjs numpy,torch checks/nn/answers.py test/nn/answers.json`. */
interface Answers {
  readonly functions: Readonly<Record<string, readonly Case[]>>;
  readonly training: Training;
  readonly optimizers: readonly Optimization[];
  readonly clip: { readonly gradients: readonly Elements[]; readonly result: readonly Elements[] };
}

const answers = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as Answers;
const cases = Object.entries(answers.functions).flatMap(([name, all]) =>
  all.map((each, i) => [`${name} ${i}`, name, each] as const),
);

/** Both compute in float32. */
const tolerance = 2e-5;

function isElements(tree: Tree): tree is Elements {
  return typeof tree === 'object' && tree !== null && 'elements' in tree;
}

/** The tree with tensors. */
function tensorsOf(device: Device, tree: Tree): unknown {
  if (isElements(tree)) return device.tensor(tree.elements, { sizes: tree.sizes, dataType: tree.dataType });
  if (Array.isArray(tree)) return tree.map((each: Tree) => tensorsOf(device, each));
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([name, each]) => [name, tensorsOf(device, each)]));
}

function elementsIn(tree: Tree): readonly Elements[] {
  if (isElements(tree)) return [tree];
  return typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(elementsIn) : [];
}

function tensorsIn(tree: unknown): readonly Tensor[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return 'buffer' in tree ? [tree as Tensor] : Object.values(tree).flatMap(tensorsIn);
}

async function expectNear(tensor: Tensor | undefined, expected: Elements | undefined): Promise<void> {
  expect(tensor?.sizes).toEqual(expected?.sizes);
  const found = Array.from((await tensor?.read()) ?? [], Number);
  const most = Math.max(1, ...(expected?.elements ?? []).map(Math.abs));
  const distances = (expected?.elements ?? []).map((each, i) => Math.abs(each - (found[i] ?? NaN)) / most);
  expect(Math.max(...distances)).toBeLessThan(tolerance);
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(cases)('%s', async (_, name, { args, result, gradients }) => {
    const fn = Reflect.get(nn, name) as (...args: unknown[]) => unknown;
    const given = args.map((arg) => tensorsOf(device(), arg));
    const eager = await Promise.resolve(fn(...given));
    const expected = elementsIn(result);
    const found = tensorsIn(eager);
    expect(found).toHaveLength(expected.length);
    for (const [i, tensor] of found.entries()) await expectNear(tensor, expected[i]);

    const isFloat = (arg: Tree) => elementsIn(arg).length > 0 && elementsIn(arg).every(({ dataType }) => dataType === 'float32');
    const argument = [...args.keys()].filter((i) => isFloat(args[i]));
    const weights = device().tensor(
      (expected[0]?.elements ?? []).map((__, i) => Math.cos(0.7 * i)),
      { sizes: expected[0]?.sizes },
    );
    const loss = (...values: unknown[]): Value<'float32'> => {
      const made = fn(...values) as Value<'float32'> | { readonly output: Value<'float32'> };
      return np.sum(np.multiply('output' in made ? made.output : made, weights as unknown as Value<'float32'>));
    };
    const slopes = tensorsIn(await Promise.resolve(grad(loss, { argument })(...given)));
    expect(slopes).toHaveLength(gradients.length);
    for (const [i, slope] of slopes.entries()) {
      // PyTorch has no gradients of running means and variances.
      if (name !== 'batchNorm' || i < 3) await expectNear(slope, gradients[i]);
    }
  });

  test('batchNorm in training', async () => {
    const { args, result, running_mean, running_var } = answers.training;
    const [x, weights] = tensorsOf(device(), args) as [Tensor<'float32'>, nn.BatchNormWeights];
    const [normal, running] = await nn.batchNorm(x, weights, { training: true });
    await expectNear(normal, result);
    await expectNear(running.running_mean, running_mean);
    await expectNear(running.running_var, running_var);
  });

  test.each(answers.optimizers.map((each) => [each.optimizer, each] as const))('ten steps of %s', async (name, each) => {
    const optimizer = nn[name](each.options);
    const target = tensorsOf(device(), each.target) as Tensor<'float32'>;
    const loss = ({ w, b }: Weights<Floats>, wanted: Floats) => np.sum(np.square(np.subtract(np.multiply(w, b), wanted)));
    const step = device().jit((own: Weights<Floats>, state: nn.OptimizerState<Weights<Floats>>, wanted: Floats) => {
      const [value, gradients] = valueAndGrad(loss)(own, wanted);
      return [value, ...optimizer.update(own, gradients, state)] as const;
    });
    let weights = tensorsOf(device(), each.weights) as Weights<Tensor<'float32'>>;
    let state = await optimizer.init(weights);
    for (const expected of each.losses) {
      const [value, next, following] = await step(weights, state, target);
      await expectNear(value, { sizes: [1], dataType: 'float32', elements: [expected] });
      [weights, state] = [next, following];
    }
    await expectNear(weights.w, each.result.w);
    await expectNear(weights.b, each.result.b);
  });

  test('clipByNorm', async () => {
    const { gradients, result } = answers.clip;
    const given = tensorsOf(device(), gradients) as readonly Tensor<'float32'>[];
    const found = await nn.clipByNorm(given, 1.5);
    for (const [i, tensor] of found.entries()) await expectNear(tensor, result[i]);
    const kept = await nn.clipByNorm(given, 100);
    for (const [i, tensor] of kept.entries()) await expectNear(tensor, gradients[i]);
  });
});
