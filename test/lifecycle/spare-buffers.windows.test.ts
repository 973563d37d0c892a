/** New buffers take the memory of disposed ones. Nobody may notice that, except by the time that it saves. */
import { createDevice, type Device, type DirectMLBuffer } from 'node-directml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { interop } from '../../checks/interop/addon.js';

const SIZE = 4096;
const old = new Uint8Array(SIZE).fill(0xab);
const zeros = Buffer.alloc(SIZE);
let device: Device;
beforeAll(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterAll(() => device.dispose());

const bytesOf = async (buffer: DirectMLBuffer) => Buffer.from(await buffer.read());
/** Leaves memory with old bytes behind. */
function leaveOldBytes(size = SIZE): void {
  const buffer = device.createBuffer(size);
  buffer.write(old.subarray(0, size));
  buffer.dispose();
}
/** The bytes of the memory that other buffers have left. */
const idleBytes = () => device.memory().temporary.idle;

test('memory of disposed buffers is kept for new ones, and is freed after a pause', async () => {
  await device.idle();
  await expect.poll(idleBytes, { timeout: 10_000 }).toBeLessThan(2 ** 21);
  const before = idleBytes();
  const buffers = Array.from({ length: 8 }, () => device.createBuffer(2 ** 20));
  expect(idleBytes()).toBe(before);
  for (const buffer of buffers) buffer.dispose();
  expect(idleBytes()).toBe(before + 2 ** 23);
  const again = device.createBuffer(2 ** 20);
  expect(idleBytes()).toBe(before + 7 * 2 ** 20);
  again.dispose();
  await expect.poll(idleBytes, { timeout: 10_000 }).toBeLessThanOrEqual(before);
});

test('at most 64 MiB are kept', async () => {
  const before = idleBytes();
  for (let i = 1; i <= 20; i += 1) {
    const buffers = [device.createBuffer(2 ** 23 + 4 * i), device.createBuffer(2 ** 23 + 4 * i)];
    for (const buffer of buffers) buffer.dispose();
  }
  expect(idleBytes()).toBeLessThanOrEqual(before + 2 ** 26);
  device.createBuffer(2 ** 27).dispose();
  expect(idleBytes()).toBeLessThanOrEqual(before + 2 ** 26);
});

test('a new buffer has zeros', async () => {
  leaveOldBytes();
  expect(await bytesOf(device.createBuffer(SIZE))).toEqual(zeros);
});

test('a buffer that is written in part has zeros elsewhere', async () => {
  leaveOldBytes();
  const buffer = device.createBuffer(SIZE);
  buffer.write(old.subarray(0, 8), 16);
  const expected = Buffer.from(zeros).fill(0xab, 16, 24);
  expect(await bytesOf(buffer)).toEqual(expected);
});

test.each([
  ['with gaps', { dataType: 'float32', sizes: [16], strides: [64] }],
  ['with bytes after its last element', { dataType: 'float32', sizes: [1] }],
  ['of bytes that fill no word', { dataType: 'uint8', sizes: [5] }],
] as const)('an output %s has zeros besides its elements', async (_, desc) => {
  const sizes = [...desc.sizes];
  const outputs = [];
  for (const fill of [old, zeros]) {
    const spare = device.createBuffer(SIZE);
    spare.write(fill);
    spare.dispose();
    const buffer = device.createBuffer(SIZE);
    const inputTensor = device.createTensor({ dataType: desc.dataType, sizes });
    inputTensor.write(sizes[0] === 5 ? [1, 2, 3, 4, 5] : Array.from({ length: sizes[0] ?? 0 }, (__, i) => i + 1));
    const outputTensor = device.createTensor(desc, { buffer });
    await device.run({ type: 'elementWiseIdentity', inputTensor, outputTensor });
    outputs.push(await bytesOf(buffer));
  }
  expect(outputs[0]).toEqual(outputs[1]);
});

test('what an operator leaves of its output has zeros', async () => {
  const inputTensor = device.createTensor({ dataType: 'float32', sizes: [SIZE / 8] });
  inputTensor.write([5, 0, 7], { offset: 100 });
  leaveOldBytes(SIZE / 2);
  const { outputCoordinatesTensor } = await device.run({ type: 'nonzeroCoordinates', inputTensor });
  expect(outputCoordinatesTensor.totalTensorSizeInBytes).toBe(SIZE / 2);
  expect([...new Set(await outputCoordinatesTensor.read())]).toEqual([100, 102, 0]);
});

test('what was recorded before a buffer was disposed of has its bytes', async () => {
  const tensor = device.createTensor({ dataType: 'float32', sizes: [SIZE / 4] });
  tensor.write(new Float32Array(SIZE / 4).fill(2));
  const reading = tensor.read();
  const square = await device.prepare({ type: 'elementWiseMultiply', aTensor: tensor, bTensor: tensor });
  square.dispatch();
  tensor.dispose();
  const next = device.createTensor({ dataType: 'float32', sizes: [SIZE / 4] });
  next.write(new Float32Array(SIZE / 4).fill(9));
  expect(new Set(await reading)).toEqual(new Set([2]));
  expect(new Set(await square.outputs.outputTensor.read())).toEqual(new Set([4]));
  expect(new Set(await next.read())).toEqual(new Set([9]));
});

test('an initialization reads the bytes of a buffer that is disposed of meanwhile', async () => {
  const desc = { dataType: 'float32', sizes: [1, 1, 32, 32] } as const;
  const filterTensor = { dataType: 'float32', sizes: [1, 1, 1, 1], flags: 'ownedByDml' } as const;
  const filter = device.createTensor({ dataType: 'float32', sizes: [1, 1, 1, 1] }, new Float32Array([3]));
  const compiling = device.compile(
    {
      type: 'convolution',
      ...{ inputTensor: desc, filterTensor, outputTensor: desc, mode: 'crossCorrelation', direction: 'forward' },
      ...{ strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0], outputPadding: [0, 0], groupCount: 1 },
    },
    { initializationInputs: { filterTensor: filter } },
  );
  filter.dispose();
  const other = device.createTensor({ dataType: 'float32', sizes: [1] }, new Float32Array([7]));
  const convolution = await compiling;
  const inputTensor = device.createTensor(desc, new Float32Array(32 * 32).fill(1));
  const outputTensor = device.createTensor(desc);
  convolution.dispatch({ inputTensor, outputTensor });
  expect(new Set(await outputTensor.read())).toEqual(new Set([3]));
  expect(await other.read()).toEqual(new Float32Array([7]));
});

test('memory that other code has seen never becomes another buffer', async () => {
  const buffer = device.createBuffer(SIZE);
  const external = buffer.native;
  buffer.dispose();
  const next = Array.from({ length: 3 }, () => device.createBuffer(SIZE));
  await device.idle();
  interop.writeBuffer(external, 0, old);
  for (const each of next) expect(await bytesOf(each)).toEqual(zeros);
});

test('memory with a label in debuggers, and shared memory, never becomes another buffer', () => {
  const before = idleBytes();
  device.createBuffer(SIZE, { label: 'weights' }).dispose();
  device.createBuffer(SIZE, { shared: true }).dispose();
  expect(idleBytes()).toBeLessThanOrEqual(before);
});
