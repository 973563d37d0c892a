/** Contexts whose device is gone, destroyed contexts with work in flight, and the options with which devices are opened. */
import { describe, expect, test } from 'vitest';
import { createDevice, DirectMLError, type Tensor } from 'node-directml';
import { createML, ml, MLGraphBuilder, tensorOf, type MLContextOptions, type MLTensor } from 'node-directml/webnn';
import { Pending } from '#lib/webnn/pending.js';

const desc = { dataType: 'float32', shape: [2] } as const;

/** The code of the error of a read; undefined if the tensor can be read. */
async function codeOf(memory: Tensor): Promise<string | undefined> {
  try {
    await memory.read();
  } catch (error) {
    return error instanceof DirectMLError ? error.code : String(error);
  }
  return undefined;
}

describe('a device that was disposed of', () => {
  /** The error of each use of a context whose device has just been disposed of. */
  async function errors() {
    const device = await createDevice({ backend: 'reference' });
    const context = await ml.createContext(device);
    const tensor = await context.createTensor({ ...desc, readable: true, writable: true });
    const result = await context.createTensor({ ...desc, readable: true });
    const build = () => {
      const b = new MLGraphBuilder(context);
      const y = b.relu(b.input('x', desc));
      return () => b.build({ y });
    };
    const [graph, next] = [await build()(), build()];
    device.dispose();
    const uses: Readonly<Record<string, () => unknown>> = {
      writeTensor: () => context.writeTensor(tensor, new Float32Array(2)),
      dispatch: () => context.dispatch(graph, { x: tensor }, { y: result }),
      createTensor: async () => context.createTensor(desc),
      createConstantTensor: async () => context.createConstantTensor(desc, new Float32Array(2)),
      build: next,
    };
    // All begin before any ends.
    const errorOf = async (use: () => unknown): Promise<unknown> => {
      try {
        return await use();
      } catch (error) {
        return error;
      }
    };
    const begun = Object.entries(uses).map(([name, use]) => [name, errorOf(use)] as const);
    const made: Record<string, unknown> = {};
    for (const [name, error] of begun) made[name] = await error;
    return { made, lost: await context.lost };
  }

  test('gives an InvalidStateError with the cause, at once', async () => {
    const { made, lost } = await errors();
    const invalid = (message: string) =>
      expect.objectContaining({
        ...{ name: 'InvalidStateError', message, cause: expect.objectContaining({ code: 'ERR_DISPOSED', message }) as unknown },
      }) as unknown;
    expect(made).toEqual({
      writeTensor: invalid('buffer.write: the device is disposed'),
      dispatch: invalid('graph: dispatch: the device is disposed'),
      createTensor: invalid('createTensor: the device is disposed'),
      createConstantTensor: invalid('createTensor: the device is disposed'),
      build: invalid('createGraph: the device is disposed'),
    });
    expect(lost).toEqual({ message: 'the device was disposed' });
  });
});

describe('destroying a context', () => {
  test('frees a constant that a graph still in compilation would read', async () => {
    await using device = await createDevice({ backend: 'reference' });
    const context = await ml.createContext(device);
    const weights = await context.createConstantTensor(desc, Float32Array.of(1, 2));
    const memory = tensorOf(weights);
    const b = new MLGraphBuilder(context);
    const building = b.build({ y: b.add(b.input('x', desc), b.constant(weights)) });
    context.destroy();
    await expect(building).rejects.toMatchObject({ name: 'InvalidStateError', message: 'The context is lost.' });
    await expect.poll(() => codeOf(memory)).toBe('ERR_DISPOSED');
  });

  test('frees all of its tensors, however many were made and destroyed before', async () => {
    await using device = await createDevice({ backend: 'reference' });
    const context = await ml.createContext(device);
    const kept: MLTensor[] = [];
    for (let i = 0; i < 200; i++) {
      const tensor = await context.createTensor(desc);
      if (i % 2 === 0) tensor.destroy();
      else kept.push(tensor);
    }
    const memories = kept.map(tensorOf);
    context.destroy();
    const codes = await Promise.all(memories.map(codeOf));
    expect(codes).toEqual(kept.map(() => 'ERR_DISPOSED'));
    for (const tensor of kept) expect(() => tensorOf(tensor)).toThrow('tensorOf: the tensor was destroyed.');
  });

  test('frees the device that it opened, and no other', async () => {
    const context = await createML({ backend: 'reference' }).createContext();
    const memory = tensorOf(await context.createTensor(desc));
    context.destroy();
    await expect(memory.read()).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    await using own = await createDevice({ backend: 'reference' });
    (await ml.createContext(own)).destroy();
    expect(await own.tensor([1]).toArray()).toEqual([1]);
  });
});

test('work that waits ends with its own result, unless all of it is rejected before', async () => {
  const pending = new Pending();
  const never = pending.wait(new Promise(() => undefined));
  await expect(pending.wait(Promise.resolve(1))).resolves.toBe(1);
  await expect(pending.wait(Promise.reject(new Error('own')))).rejects.toThrow('own');
  const made: Error[] = [];
  const error = () => {
    made.push(new Error('all'));
    return made.at(-1);
  };
  pending.reject(error);
  pending.reject(error);
  await expect(never).rejects.toBe(made[0]);
  // What has ended is not rejected again.
  expect(made).toHaveLength(1);
});

describe('the options of createML', () => {
  const refused =
    "NotSupportedError: createDevice: options.powerPreference: expected 'high-performance' or 'low-power', given 'bad'";
  const bad = { powerPreference: 'bad' } as never;

  test.each<readonly [title: string, options: object, wishes: MLContextOptions, result: string]>([
    ['hold where createContext wishes nothing', bad, {}, refused],
    ['hold where it wishes the default', bad, { powerPreference: 'default' }, refused],
    ['give way to a wish', bad, { powerPreference: 'low-power' }, 'opened'],
    ['hold for the reference backend', { ...(bad as object), backend: 'reference' }, { powerPreference: 'low-power' }, refused],
    ['hold beside an adapter', { ...(bad as object), adapter: 0 }, { powerPreference: 'low-power' }, refused],
    ['hold where there is no software adapter', bad, { accelerated: false }, refused],
    [
      'name an adapter that there is not',
      { adapter: 0 },
      { accelerated: false },
      `NotSupportedError: createDevice: options.adapter: expected ${process.platform === 'win32' ? 'one of listAdapters() or its luid' : 'nothing with the reference backend'}, given 0`,
    ],
    [
      'are given on with an external',
      { external: 5 },
      { deviceType: 'cpu' },
      'NotSupportedError: createDevice: options.external: expected an external of a native addon, given 5 \
(include/node_directml.h makes externals)',
    ],
  ])('%s', async (_title, options, wishes, result) => {
    const opened = async () => {
      try {
        (await createML(options).createContext(wishes)).destroy();
        return 'opened';
      } catch (error) {
        return String(error);
      }
    };
    expect(await opened()).toBe(result);
  });

  test('a context tells whether it is accelerated', async () => {
    const reference = createML({ backend: 'reference' });
    await using device = await createDevice({ backend: 'reference' });
    const contexts = [
      await reference.createContext(),
      await reference.createContext({ accelerated: false }),
      await reference.createContext(device),
    ];
    expect(contexts.map(({ accelerated }) => accelerated)).toEqual([true, false, true]);
    for (const context of contexts) context.destroy();
  });

  test('a device of too low a level is refused, and disposed of if createContext opened it', async () => {
    const message = (level: string) => `WebNN needs a device of feature level 6.3, and this one has ${level}.`;
    const error = { name: 'NotSupportedError', message: message('6.2') };
    await using device = await createDevice({ backend: 'reference', featureLevel: '6.2' });
    await expect(ml.createContext(device)).rejects.toMatchObject(error);
    expect(await device.tensor([1]).toArray()).toEqual([1]);
    await expect(createML({ backend: 'reference', featureLevel: '6.2' }).createContext()).rejects.toMatchObject(error);
    await using enough = await createDevice({ backend: 'reference', featureLevel: '6.3' });
    (await ml.createContext(enough)).destroy();
  });
});
