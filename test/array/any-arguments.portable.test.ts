/**
 * Functions of arrays, layers, gradients and operators with arguments of any kind, eagerly and in `jit`. They compute, or throw
 * errors of the package that name the function; nothing is left behind that nobody waits for.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DirectMLError, type Tensor } from 'node-directml';
import * as arrays from 'node-directml/array';
import * as gradients from 'node-directml/gradients';
import * as nn from 'node-directml/nn';
import * as operators from 'node-directml/operators';
import { Random } from '../../checks/harness/random.js';
import { deviceOn } from '../support/devices.js';
import { drawn } from '../support/level.js';

type Call = (...args: readonly unknown[]) => unknown;

function functionsIn(module: object): readonly (readonly [name: string, call: Call])[] {
  return Object.entries(module).flatMap(([name, each]: [string, unknown]) => {
    if (typeof each === 'function') return [[name, each as Call] as const];
    return typeof each === 'object' && each !== null ? functionsIn(each) : [];
  });
}

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

const device = deviceOn('reference');

function kinds(): Readonly<Record<string, unknown>> {
  const d = device();
  const of = (dataType: 'float16' | 'float32' | 'float64', sizes: readonly number[]) => d.createTensor({ dataType, sizes });
  const [matrix, vector] = [d.tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] }), d.tensor([1, 2, 3])];
  const integers = d.tensor([0, 1], { dataType: 'int32' });
  return {
    ...{ matrix, vector, integers, image: of('float32', [1, 2, 4, 4]), signal: of('float32', [1, 2, 3]) },
    ...{ float64: of('float64', [2, 2]), float16: of('float16', [2, 2]), int64: d.tensor([1n, 2n], { dataType: 'int64' }) },
    ...{ key: d.tensor([1, 2], { dataType: 'uint32' }), truth: d.tensor([0, 1], { dataType: 'uint8' }), device: d },
    ...{ nothing: undefined, null: null, zero: 0, one: 1, minusOne: -1, half: 0.5, NaN, Infinity, text: 'a', '': '', bigint: 3n },
    ...{ object: {}, list: [], axes: [0, 1], matrices: [matrix], pair: [integers, integers], weights: { weight: matrix } },
    ...{
      affine: { weight: vector, bias: vector },
      fn: () => vector,
      symbol: Symbol('s'),
      date: new Date(0),
      promise: later(vector),
    },
    ...{
      axis: { axis: 0 },
      wrongAxis: { axis: 'a' },
      rate: { learningRate: 0.1 },
      description: { dataType: 'float32', sizes: [2] },
    },
  };
}

async function later(tensor: Tensor): Promise<Tensor> {
  return tensor;
}

test.each(
  Object.entries({ arrays, gradients, nn, operators }).flatMap(([room, module]) =>
    functionsIn(module).map(([name, call]) => [`${room}.${name}`, call] as const),
  ),
)('%s', { timeout: 120_000 }, async (name, call) => {
  const given = kinds();
  const random = Random.of('any arguments', name);
  for (let i = 0; i < drawn({ quick: 12, all: 100 }); i++) {
    const names = Array.from({ length: random.int(1, 4) }, (_, k) =>
      random.pick(k === 0 && random.chance(0.7) ? ['matrix', 'vector', 'integers', 'signal', 'image'] : Object.keys(given)),
    );
    const args = names.map((each) => given[each]);
    const isTraced = random.chance(0.3);
    const where = `${isTraced ? 'in jit, ' : ''}${name}(${names.join(', ')})`;
    try {
      if (isTraced)
        await device().jit((vector) => call(...args.map((arg) => (arg === given['vector'] ? vector : arg))) as Tensor)(
          given['vector'] as Tensor,
        );
      else await call(...args);
    } catch (error) {
      expect(error, where).toBeInstanceOf(DirectMLError);
      const { message } = error as DirectMLError;
      if (!isTraced) expect(message, where).toContain(name.replace(/^.*\./, ''));
      if (!isTraced) expect(message, where).not.toMatch(/given .*values? of a graph/);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled, where).toEqual([]);
  }
});
