/** Damaged models: a run of any bytes gives results or a typed error that names the model, and takes no long time. */
import { expect, test } from 'vitest';
import { DirectMLError, Tensor } from 'node-directml';
import { loadOnnx, type OnnxInput, type OnnxResult } from 'node-directml/onnx';
import { Random } from '../../checks/harness/random.js';
import { deviceOn } from '../support/devices.js';
import { drawn } from '../support/level.js';
import { folderOfFiles } from '../support/folder-of-files.js';
import { models } from '../../checks/networks/models/index.js';
import { smallModel, type SmallGraph } from '../../checks/networks/small-model.js';

const SEED = 20261129;
const COUNT = drawn({ quick: 600, all: 20_000 });

const body: SmallGraph = {
  inputs: 'int64 i []; bool go []; float32 a [2]',
  outputs: 'bool again []; float32 b [2]; float32 c [2]',
  nodes: [
    ['Add', 'a x', 'b'],
    ['Mul', 'b b', 'c'],
    ['ReduceMax', 'b', 'most', { keepdims: 0 }],
    ['Less', 'most five', 'again'],
  ],
};
const loop = smallModel({
  inputs: 'float32 x [2]',
  outputs: 'float32 last [2]; float32 all; int64 places',
  nodes: [
    ['Loop', 'count - x', 'last all', { body }],
    ['NonZero', 'all', 'places'],
  ],
  weights: { five: ['float32', [], [5]], count: ['int64', [], [4]] },
});
const whole = [loop, ...Object.values(models).map((make) => make().bytes)].filter(({ length }) => length < 2 ** 18);

const device = deviceOn('reference');
const write = folderOfFiles();

test(`${COUNT} damaged models`, { timeout: 3_600_000 }, async () => {
  const wrong: string[] = [];
  let ran = 0;
  for (let i = 0; i < COUNT; i++) {
    const random = Random.of('damaged', SEED, i);
    try {
      await run(damaged(random, random.pick(whole)));
      ran += 1;
    } catch (error) {
      if (!(error instanceof DirectMLError)) wrong.push(`${i}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(ran).toBeGreaterThan(COUNT / 50);
});

function damaged(random: Random, model: Uint8Array): Uint8Array {
  if (random.chance(0.1)) return model.slice(0, random.int(0, model.length - 1));
  const bytes = Uint8Array.from(model);
  for (let count = random.int(1, 3); count > 0; count--) {
    // The nodes come first in these files, and the weights last.
    const most = random.chance(0.7) ? Math.min(bytes.length, 2000) : bytes.length;
    bytes[random.int(0, most - 1)] = random.pick([0, 1, 127, 128, 255, random.int(0, 255)]);
  }
  return bytes;
}

async function run(bytes: Uint8Array): Promise<void> {
  using model = await loadOnnx(device(), bytes);
  const inputs: Record<string, OnnxInput> = {};
  for (const { name, type, dims = [2] } of model.inputs) {
    const dataType = type === 'int64' ? type : type === 'float16' ? type : 'float32';
    const sizes = dims.length === 0 ? [1] : dims.map((dim) => (typeof dim === 'number' ? Math.max(1, Math.min(dim, 64)) : 2));
    inputs[name] = device().createTensor({ dataType, sizes: sizes.slice(0, 8) });
  }
  const outputs = await model.run<Readonly<Record<string, OnnxResult>>>(inputs);
  for (const output of Object.values(outputs)) if (output instanceof Tensor) output.dispose();
  for (const input of Object.values(inputs)) if (input instanceof Tensor) input.dispose();
}

test('a loop without an end is ended', async () => {
  const endless = smallModel({
    inputs: 'float32 x [2]',
    outputs: 'float32 last [2]',
    nodes: [['Loop', ' - x', 'last all', { body }]],
    weights: { five: ['float32', [], [5]] },
  });
  using model = await loadOnnx(device(), endless);
  using x = device().createTensor({ dataType: 'float32', sizes: [2] }, [0, 0]);
  await expect(model.run({ x })).rejects.toMatchObject({
    code: 'ERR_INVALID_FILE',
    message: expect.stringContaining('more than 1024 graphs one after the other'),
  });
});

test.each<[what: string, content: Uint8Array, message: string]>([
  ['of zeros', new Uint8Array(2 ** 26), 'a field has the number 0'],
  ['of more fields than models have', new Uint8Array(2 ** 26).fill(8), 'a message has more than 1048576 fields'],
])('a file %s is refused before it is read to its end', async (_, content, message) => {
  const file = write('model.onnx', content);
  await expect(loadOnnx(device(), file)).rejects.toMatchObject({
    code: 'ERR_INVALID_FILE',
    message: expect.stringContaining(message),
  });
});
