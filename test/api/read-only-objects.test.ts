/** The objects that the package hands out cannot be changed from outside, on each backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type CompiledOperator, type Device, type Tensor } from 'node-directml';
import { backends } from '../support/devices.js';
import { example } from '../support/scatter-nd.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  let device: Device;
  let scatter: CompiledOperator;
  let tensor: Tensor<'float32'>;

  beforeAll(async () => {
    device = await createDevice({ backend });
    scatter = await device.compile(example);
    tensor = device.createTensor(float32(8));
  });

  afterAll(() => device.dispose());

  test('read-only properties cannot be changed in JavaScript either', () => {
    const constant: [object, string[]][] = [
      [device, ['info']],
      [tensor, ['dataType', 'sizes', 'strides', 'totalTensorSizeInBytes', 'buffer', 'offset']],
      [tensor.buffer, ['sizeInBytes']],
      [scatter, ['type', 'descriptor']],
    ];
    for (const [object, names] of constant) {
      for (const name of names) {
        expect([name, Reflect.set(object, name, 7), Reflect.deleteProperty(object, name)]).toEqual([name, false, false]);
        expect([name, Object.keys(object).includes(name)]).toEqual([name, true]);
      }
    }
    expect(mutable(device.info)).toEqual([]);
    expect(mutable(scatter.descriptor)).toEqual([]);
    expect(mutable(tensor.sizes)).toEqual([]);
  });

  test('all kinds of fields of a descriptor are frozen', async () => {
    const side = float32(1, 1, 4, 4);
    using join = await device.compile({ type: 'join', inputTensors: [side, side], outputTensor: float32(1, 1, 8, 4), axis: 2 });
    using upsample = await device.compile({
      type: 'upsample2d',
      inputTensor: side,
      outputTensor: float32(1, 1, 8, 8),
      scaleSize: { width: 2, height: 2 },
      interpolationMode: 'nearestNeighbor',
    });
    using identity = await device.compile({
      type: 'elementWiseIdentity',
      inputTensor: side,
      outputTensor: side,
      scaleBias: { scale: 2, bias: 1 },
    });
    using resample = await device.compile({
      type: 'resample',
      inputTensor: side,
      outputTensor: side,
      interpolationMode: 'linear',
      scales: [1, 1, 1, 1],
    });
    using slice = await device.compile({
      type: 'slice1',
      inputTensor: side,
      outputTensor: side,
      inputWindowOffsets: [0, 0, 0, 0],
      inputWindowSizes: [1, 1, 4, 4],
      inputWindowStrides: [1, 1, 1, 1],
    });
    using add = await device.compile({
      type: 'elementWiseAdd1',
      aTensor: side,
      bTensor: side,
      outputTensor: side,
      fusedActivation: { type: 'activationLinear', alpha: 1, beta: 0 },
    });
    const strided = { ...side, strides: [16, 16, 4, 1] };
    using copy = await device.compile({ type: 'elementWiseIdentity', inputTensor: strided, outputTensor: strided });
    for (const { descriptor } of [join, upsample, identity, resample, slice, add, copy]) expect(mutable(descriptor)).toEqual([]);
  });
});

/** The paths of all objects in the value that are not frozen. */
function mutable(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, field]) => mutable(field, `${path}.${name}`));
  return Object.isFrozen(value) ? inner : [path, ...inner];
}
