/** `device.prepare`: operators with bound tensors, dispatched without arguments; on each backend. */
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('computes with the tensors as they are at each dispatch', async () => {
    const x = device().createTensor(float32(2), [1, 2]);
    const sum = await device().prepare({ type: 'elementWiseAdd', aTensor: x, bTensor: x }, { label: 'double' });
    expect([sum.type, sum.label]).toEqual(['elementWiseAdd', 'double']);
    expect(await sum.outputs.outputTensor.toArray()).toEqual([0, 0]);
    sum.dispatch();
    expect(await sum.outputs.outputTensor.toArray()).toEqual([2, 4]);
    x.write([10, 20]);
    sum.dispatch();
    expect(await sum.outputs.outputTensor.toArray()).toEqual([20, 40]);
  });

  test('writes into a given output, and in place', async () => {
    const x = device().createTensor(float32(2), [1, 2]);
    const step = await device().prepare({ type: 'elementWiseAdd', aTensor: x, bTensor: x, outputTensor: x });
    expect(step.outputs.outputTensor).toBe(x);
    for (let i = 0; i < 3; i++) step.dispatch();
    expect(await x.toArray()).toEqual([8, 16]);
    step.dispose();
    expect(await x.toArray()).toEqual([8, 16]);
  });

  test('is recorded, in short', async () => {
    const x = device().createTensor(float32(2), [1, 2]);
    const step = await device().prepare({ type: 'elementWiseAdd', aTensor: x, bTensor: x, outputTensor: x });
    const recording = device().record(() => {
      step.dispatch();
      step.dispatch();
    });
    expect(recording.dispatchCount).toBe(2);
    recording.replay();
    expect(await x.toArray()).toEqual([4, 8]);
    step.dispose();
    expect(caught(() => recording.replay()).code).toBe('ERR_DISPOSED');
  });

  test('disposes of the outputs that it made, and of nothing else', async () => {
    const x = device().createTensor(float32(2), [1, 2], { label: 'x' });
    for (const method of ['dispose', Symbol.dispose] as const) {
      const step = await device().prepare({ type: 'elementWiseAdd', aTensor: x, bTensor: x });
      step[method]();
      step[method]();
      expect(caught(() => step.dispatch()).message).toBe('elementWiseAdd: dispatch: the operator is disposed');
      expect((await rejected(step.outputs.outputTensor.read())).code).toBe('ERR_DISPOSED');
    }
    const other = await device().prepare({ type: 'elementWiseAdd', aTensor: x, bTensor: x });
    x.dispose();
    expect(caught(() => other.dispatch()).message).toBe(
      `elementWiseAdd: aTensor: expected a live tensor or buffer, given tensor 'x', which is disposed`,
    );
  });

  test('ends its wait when its signal is aborted', async () => {
    const x = device().createTensor(float32(2));
    const controller = new AbortController();
    const waiting = rejected(device().prepare({ type: 'elementWiseAbs', inputTensor: x }, { signal: controller.signal }));
    controller.abort();
    expect((await waiting).message).toBe('prepare: the wait was aborted; what the device compiles is released when it is ready');
  });

  test('fails as run does', async () => {
    const x = device().createTensor(float32(2));
    const y = device().createTensor(float32(3));
    const wrong = [
      [{ type: 'elementWiseAdd', aTensor: x, bTensor: y }, undefined, 'ERR_SIZES'],
      [{ type: 'elementWiseAdd', aTensor: x }, undefined, 'ERR_MISSING_FIELD'],
      [{ type: 'elementWiseAdd', aTensor: x, bTensor: float32(2) }, undefined, 'ERR_MISSING_BINDING'],
      [{ type: 'elementWiseAbs', inputTensor: x }, { lable: '' }, 'ERR_INVALID_ARGUMENT'],
      ['elementWiseAbs', { inputTensor: x }, 'ERR_INVALID_DESCRIPTOR'],
      [{ type: 'activationSoftmax', inputTensor: x, outputTensor: x.view({ sizes: [2] }) }, undefined, 'ERR_ALIASED_BINDING'],
    ] as const;
    for (const [descriptor, options, code] of wrong) {
      expect((await rejected(device().prepare<'gemm'>(untyped(descriptor), untyped(options)))).code).toBe(code);
    }
  });
});
