/** device.simulateLoss does to a device what a driver reset does; the same on each backend. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, describe, test } from 'vitest';
import { createDevice, type Device, type DeviceOptions } from 'node-directml';
import { ml, MLGraphBuilder } from 'node-directml/webnn';
import { backends } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const relu = { type: 'activationRelu', inputTensor: float32(4) } as const;

const options: readonly DeviceOptions[] = backends.flatMap((backend): DeviceOptions[] =>
  backend === 'directml'
    ? [{ backend }]
    : [
        { backend, thread: 'worker' },
        { backend, thread: 'caller' },
      ],
);

async function reluOn(device: Device, ...numbers: number[]): Promise<number[]> {
  using inputTensor = device.createTensor(float32(4), numbers);
  const { outputTensor } = await device.run({ type: 'activationRelu', inputTensor });
  return [...(await outputTensor.read())];
}

describe.each(options)('on %j', (opened) => {
  test('calls that wait reject, later calls throw, and a new device works', async () => {
    const device = await createDevice(opened);
    expect(await reluOn(device, -1, 0, 1, 2)).toEqual([0, 0, 1, 2]);
    const aTensor = device.createTensor(float32(256, 256));
    const { outputTensor: product } = await device.run({ type: 'gemm', aTensor, bTensor: aTensor });
    const small = device.createTensor(float32(4), [1, 2, 3, 4]);
    const operator = await device.compile(relu);
    const graph = device.createGraph();
    const net = await graph.compile(graph.add({ ...relu, inputTensor: graph.input('x', float32(4)) }));
    const recording = device.record(() => net.dispatch({ x: small, outputTensor: product.view({ sizes: [4] }) }));
    const waiting: readonly Promise<unknown>[] = [
      product.read(),
      product.readInto(new Float32Array(2 ** 16)),
      small.read(),
      small.buffer.read(),
      small.readInto(new Float32Array(4)),
      device.compile({ ...relu, outputTensor: float32(4) }),
      device.idle(),
    ].map(rejected);
    device.simulateLoss();
    const refused = [
      () => device.simulateLoss(),
      () => device.createBuffer(16),
      () => device.createTensor(float32(4)),
      () => device.resolve(relu),
      () => device.createGraph(),
      () => device.memory(),
      () => device.submit(),
      () => device.record(() => undefined),
      () => small.write([1, 2, 3, 4]),
      () => operator.dispatch({ inputTensor: small, outputTensor: small }),
      () => net.createOutputs(),
      () => recording.replay(),
    ].map(caught);
    const later = [
      () => small.read(),
      () => small.readInto(new Float32Array(4)),
      () => device.idle(),
      () => device.compile(relu),
      () => device.run({ type: 'activationRelu', inputTensor: small }),
      () => net.run({ x: small }),
      () => device.profile(() => undefined),
    ].map((work) => rejected(work()));
    const errors = [...(await Promise.all(waiting)), ...refused, ...(await Promise.all(later))];
    for (const error of errors) expect(error, String(error)).toMatchObject({ code: 'ERR_DEVICE_LOST' });

    const { reason, message } = await device.lost;
    expect(reason).toBe('unknown');
    expect(message).toContain(opened.backend === 'directml' ? 'DXGI_ERROR_DEVICE_REMOVED' : 'device.simulateLoss');
    expect(caught(() => device.simulateLoss()).message).toContain(`simulateLoss: the device was lost (${message})`);
    for (const each of [recording, net, operator, small, product, device, device]) each.dispose();
    expect(caught(() => device.simulateLoss()).code).toBe('ERR_DISPOSED');
    expect((await device.lost).reason).toBe('unknown');

    await using next = await createDevice(opened);
    expect(await reluOn(next, 3, -3, 3, -3)).toEqual([3, 0, 3, 0]);
  });

  test('each error names its method, the reason of the loss, and what to do', async () => {
    const device = await createDevice(opened);
    const a = device.createTensor(float32(256, 256));
    const small = device.createTensor(float32(4), [1, 2, 3, 4]);
    const indices = device.createTensor({ dataType: 'uint32', sizes: [4] }, [0, 1, 2, 3]);
    const other = device.createTensor(float32(4));
    const gather = { type: 'gatherElements', inputTensor: float32(4), indicesTensor: indices, axis: 0 } as const;
    const gathering = await device.compile(gather);
    const net = device.createGraph();
    const y = net.add({ ...relu, inputTensor: net.input('x', float32(4)) });
    for (let i = 0; i < 4; i++) await device.run({ type: 'gemm', aTensor: a, bTensor: a });
    const waiting: readonly (readonly [method: string, call: Promise<unknown>])[] = [
      ['tensor.read', small.read()],
      ['tensor.read', a.read({ offset: 4, length: 4 })],
      ['tensor.toArray', small.toArray()],
      ['tensor.readInto', small.readInto(new Float32Array(4))],
      ['buffer.read', small.buffer.read()],
      ['buffer.readInto', small.buffer.readInto(new Float32Array(4))],
      [
        'gatherElements: dispatchChecked',
        gathering.dispatchChecked({ inputTensor: small, indicesTensor: indices, outputTensor: other }),
      ],
      ['idle', device.idle()],
      ['compile', device.compile({ ...relu, inputTensor: float32(5) })],
      ['prepare', device.prepare({ type: 'elementWiseTan', inputTensor: small })],
      ['run', device.run({ type: 'elementWiseSin', inputTensor: small })],
      ['graph.compile', net.compile(y)],
      ['profile', device.profile(() => undefined)],
    ];
    const errors = waiting.map(([, call]) => rejected(call));
    device.simulateLoss();
    const { message: reason } = await device.lost;
    const text = (method: string) => `${method}: the device was lost (${reason}); create a new one`;
    const messages = (await Promise.all(errors)).map(({ message }) => message);
    expect(messages).toEqual(waiting.map(([method]) => text(method)));
    const later = await rejected(small.read());
    expect([later.message, later.code]).toEqual([text('tensor.read'), 'ERR_DEVICE_LOST']);
    device.dispose();
  });

  test('lost resolves for an idle device, and for one that is disposed of at once', async () => {
    const idle = await createDevice(opened);
    idle.simulateLoss();
    expect((await idle.lost).reason).toBe('unknown');
    idle.dispose();
    const disposed = await createDevice(opened);
    const read = rejected(disposed.createTensor(float32(4)).read());
    disposed.simulateLoss();
    disposed.dispose();
    expect((await read).code).toBe('ERR_DEVICE_LOST');
    expect(['unknown', 'destroyed']).toContain((await disposed.lost).reason);
  });

  test('within device.record and device.profile', async () => {
    await using device = await createDevice(opened);
    const error = await rejected(device.profile(() => device.simulateLoss()));
    expect(error.code).toBe('ERR_DEVICE_LOST');
    await using other = await createDevice(opened);
    expect(caught(() => other.record(() => other.simulateLoss())).code).toBe('ERR_DEVICE_LOST');
  });

  test('contexts of WebNN are lost too', async () => {
    const device = await createDevice(opened);
    const context = await ml.createContext(device);
    const desc = { dataType: 'float32', shape: [2] } as const;
    const tensor = await context.createTensor({ ...desc, readable: true, writable: true });
    const state = { name: 'InvalidStateError' };
    const read = context.readTensor(tensor);
    device.simulateLoss();
    await expect(read).rejects.toMatchObject(state);
    expect((await context.lost).message).toBe((await device.lost).message);
    await expect(context.readTensor(tensor)).rejects.toMatchObject(state);
    expect(() => context.writeTensor(tensor, new Float32Array(2))).toThrow(expect.objectContaining(state));
    expect(() => new MLGraphBuilder(context)).toThrow(expect.objectContaining(state));
    context.destroy();
    device.dispose();
  });
});

const program = fileURLToPath(new URL('programs/loss.mjs', import.meta.url));
const worked = ['unknown', '1,2'];
const ways: Readonly<Record<string, readonly string[]>> = {
  alone: worked,
  'in workers': [...worked, '0', ...worked, '0', '1,2'],
};
const lossesNobodyNoticed = { 'after a failed call': ['ERR_DEVICE_LOST', ...worked] };

describe.each(backends)('on %s, a process that only waits for lost stays alive until it resolves', (backend) => {
  test.each(Object.entries({ ...ways, ...(backend === 'directml' ? lossesNobodyNoticed : {}) }))('%s', async (way, lines) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, backend, way]);
    expect(stdout.trim().split(/\r?\n/)).toEqual(lines);
  });
});
