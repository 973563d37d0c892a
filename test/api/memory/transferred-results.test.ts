/** A read returns the right bytes, whatever a script does to prototypes and constructors meanwhile; on each backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import { createML } from 'node-directml/webnn';
import { backends } from '../../support/devices.js';
import { example, exampleIndices, exampleInput, exampleOutput, exampleUpdates } from '../../support/scatter-nd.js';

/** The number of float32 elements of a large tensor: the reference backend reads more than 64 KiB in its thread. */
const LARGE = 2 ** 15;

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

function transfer(value: unknown): void {
  if (value instanceof ArrayBuffer) structuredClone(value, { transfer: [value] });
}

/** Defines an accessor on a prototype. It transfers the ArrayBuffer on which it is read. */
function accessor(target: object, name: string): () => void {
  const get = function (this: unknown): void {
    transfer(this);
  };
  Object.defineProperty(target, name, { get, configurable: true });
  return () => Reflect.deleteProperty(target, name);
}

/** Replaces a constructor by one that transfers the ArrayBuffers that it is given or makes. */
function constructor(name: string): () => void {
  const original: unknown = Reflect.get(globalThis, name);
  if (typeof original !== 'function') return () => undefined;
  const construct = (_: object, given: unknown[], target: () => unknown): object => {
    given.forEach(transfer);
    const made: unknown = Reflect.construct(original, given, target);
    transfer(made);
    return Object(made);
  };
  Reflect.set(globalThis, name, new Proxy(original, { construct }));
  return () => Reflect.set(globalThis, name, original);
}

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device.dispose());

  const hostile: readonly (readonly [string, () => () => void])[] = [
    ['ArrayBuffer.prototype.then', () => accessor(ArrayBuffer.prototype, 'then')],
    ['Object.prototype.then', () => accessor(Object.prototype, 'then')],
    ...['ArrayBuffer', 'DataView', 'Float16Array', 'Float32Array', 'Uint8Array', 'Uint16Array', 'Uint32Array'].map(
      (name) => [`another ${name}`, () => constructor(name)] as const,
    ),
  ];

  test.each(hostile)('%s does not change the result of a read', async (_, spoil) => {
    using large = device.createTensor(float32(LARGE), new Float32Array(LARGE).fill(3));
    using halves = device.createTensor({ dataType: 'float16', sizes: [2] }, Uint16Array.of(0x3c00, 0x4000));
    using scatter = await device.compile(example);
    using inputTensor = device.createTensor(float32(8), Float32Array.from(exampleInput));
    using indicesTensor = device.createTensor({ dataType: 'uint32', sizes: [4, 1] }, Uint32Array.from(exampleIndices));
    using updatesTensor = device.createTensor(float32(4), Float32Array.from(exampleUpdates));
    using outputTensor = device.createTensor(float32(8));
    const context = await createML().createContext(device);
    const operand = await context.createTensor({ dataType: 'float32', shape: [2], readable: true, writable: true });
    context.writeTensor(operand, Float32Array.of(5, 6));
    const target = new Float32Array(2);

    const undo = spoil();
    const reads = async () => {
      const whole = await large.read();
      const part = await large.read({ offset: 2, length: 2 });
      const { byteLength } = await halves.read();
      await scatter.dispatchChecked({ inputTensor, indicesTensor, updatesTensor, outputTensor });
      await context.readTensor(operand, target);
      return { length: whole.length, first: whole[0], part: [...part], byteLength };
    };
    const read = await reads().finally(undo);

    expect(read).toEqual({ length: LARGE, first: 3, part: [3, 3], byteLength: 4 });
    expect([...(await outputTensor.read())]).toEqual(exampleOutput);
    expect([...target]).toEqual([5, 6]);
  });
});
