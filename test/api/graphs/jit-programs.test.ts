/** Random functions have the same results, bit for bit, with and without `device.jit`. Their numbers are integers, hence exact. */
import type { Device, Tensor } from 'node-directml';
import * as operators from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../checks/harness/random.js';
import { backends, deviceOn } from '../../support/devices.js';
import { drawn } from '../../support/level.js';

const SEED = 20260727;
const PROGRAMS = drawn({ quick: 150, all: 500 });
const SIZES = [2, 3];

type Int = Tensor<'int32'>;
/** The arguments and results of the functions: tensors in arrays and objects. */
interface Arguments {
  readonly list: readonly Int[];
  readonly named: Readonly<Record<string, Int>>;
  readonly count: number;
}
type Step = (values: readonly Int[], random: Random, weights: readonly Int[]) => Promise<Int>;

const binary = [
  operators.elementWiseAdd,
  operators.elementWiseSubtract,
  operators.elementWiseMultiply,
  operators.elementWiseMax,
  operators.elementWiseMin,
  operators.elementWiseBitXor,
];

const steps: readonly Step[] = [
  async (values, random) => random.pick(binary)(random.pick(values), random.pick(values)),
  async (values, random, weights) => random.pick(binary)(random.pick(values), random.pick(weights)),
  async (values, random) => random.pick(binary)(random.pick(values), random.int(-9, 9)),
  async (values, random) => operators.elementWiseNegate(random.pick(values)),
  async (values, random) => {
    const turned = await operators.elementWiseIdentity(random.pick(values).transpose());
    return operators.elementWiseSubtract(turned.reshape(SIZES), random.pick(values));
  },
  async (values, random) => {
    const condition = operators.elementWiseLogicalGreaterThan(random.pick(values), random.pick(values));
    return operators.elementWiseIf(await condition, random.pick(values), random.int(-9, 9));
  },
  async (values, random) => {
    const joined = await operators.join([random.pick(values), random.pick(values)], { axis: 0 });
    const inputWindowOffsets = [random.int(0, SIZES[0] ?? 1), 0];
    return operators.slice1(joined, { inputWindowOffsets, inputWindowSizes: SIZES });
  },
  async (values, random) => {
    const row = await operators.reduce(random.pick(values), { function: random.pick(['max', 'min', 'sum'] as const), axes: [0] });
    return operators.elementWiseAdd(random.pick(values), row);
  },
  async (values, random) => {
    const [flat, axis] = [random.pick(values).reshape([6]), random.int(0, 1)];
    const half = await operators.split(flat.reshape([2, 3]), { axis: 0, outputTensors: [{ sizes: [1, 3] }, { sizes: [1, 3] }] });
    return operators.elementWiseMultiply(random.pick(values), half[axis] ?? 1);
  },
];

/** The random function with this number. It draws the same operations each time it is called. */
function program(index: number, weights: readonly Int[]) {
  return async ({ list, named, count }: Arguments) => {
    const random = Random.of(SEED, index);
    const values = [...list, ...Object.values(named)];
    for (let i = 0; i < count; i++) values.push(await random.pick(steps)(values, random, weights));
    const last = values.at(-1);
    return { last, some: [random.pick(values.slice(-3)), values.at(-2)], count, nothing: null };
  };
}

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);

  test(`${PROGRAMS} functions give the same`, async () => {
    for (let i = 0; i < PROGRAMS; i++) {
      const random = Random.of(SEED, 'arguments', i);
      const weights = [tensorOf(device(), random), tensorOf(device(), random).reshape(SIZES), rowOf(device(), random)];
      const fn = program(i, weights);
      using traced = device().jit(fn);
      for (const count of [random.int(1, 4), random.int(5, 12)]) {
        const first = tensorOf(device(), random);
        const list = [first, ...Array.from({ length: random.int(0, 2) }, () => tensorOf(device(), random))];
        const args = { list, named: random.chance(0.5) ? { a: tensorOf(device(), random), 'b c': first } : {}, count };
        const expected = await contentsOf(await fn(args));
        expect(await contentsOf(await traced(args)), `program ${i}, first`).toEqual(expected);
        expect(await contentsOf(await traced(args)), `program ${i}, again`).toEqual(expected);
      }
    }
  });
});

function tensorOf(device: Device, random: Random): Int {
  const data = Array.from({ length: 6 }, () => (random.chance(0.2) ? random.int(-(2 ** 31), 2 ** 31 - 1) : random.int(-9, 9)));
  return device.createTensor({ dataType: 'int32', sizes: SIZES }, data);
}

function rowOf(device: Device, random: Random): Int {
  return device.createTensor({ dataType: 'int32', sizes: [3] }, [random.int(-9, 9), random.int(-9, 9), random.int(-9, 9)]);
}

/** Returns the structure with each tensor replaced by its elements in row-major order. */
async function contentsOf(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map(contentsOf));
  if ('buffer' in value && 'read' in value) {
    const { sizes, read } = value as Int;
    return { sizes, data: await Reflect.apply(read, value, []) };
  }
  const entries = await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await contentsOf(each)] as const));
  return Object.fromEntries(entries);
}
