/** `node-directml run --time`: what is measured, and how often. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevice, type Device, type Profile } from 'node-directml';
import { execute } from '#lib/cli/run/execute.js';
import type { RunFile } from '#lib/cli/run/run-file.js';

const vector = { dataType: 'float32', sizes: [2] } as const;
const owned = { ...vector, flags: 'ownedByDml' } as const;
const negate: RunFile = {
  work: { kind: 'operator', descriptor: { type: 'elementWiseNegate', inputTensor: vector } },
  tensors: new Map([['inputTensor', { data: [1, 2] }]]),
};
const untimed = { isTimed: false, checksIndices: false };

let device: Device;
beforeEach(async () => void (device = await createDevice({ backend: 'reference', thread: 'caller' })));
afterEach(() => {
  vi.restoreAllMocks();
  device.dispose();
});

describe('times', () => {
  /** By the clock of the test, compiling takes 7 ms, the first dispatch 5 ms, and each further one what `next` says. */
  async function timesWith(next: (count: number) => Pick<Profile, 'wallMs'> & Partial<Profile>) {
    let [now, count] = [4000, 0];
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const compile = device.compile.bind(device);
    vi.spyOn(device, 'compile').mockImplementation(async (...given: Parameters<Device['compile']>) => {
      const compiled = await compile(...given);
      now += 7;
      return compiled;
    });
    vi.spyOn(device, 'idle').mockImplementation(async () => void (now += 5));
    const profile = async (work: () => unknown) => {
      await work();
      const profiled = { gpuMs: null, ...next(count++) };
      now += profiled.wallMs;
      return profiled;
    };
    vi.spyOn(device, 'profile').mockImplementation(profile as unknown as Device['profile']);
    return (await execute(device, negate, { ...untimed, isTimed: true })).times;
  }

  it('are those of compiling, of the first dispatch, and of at most 100 further ones', async () => {
    const times = await timesWith((count) => ({ wallMs: (count % 10) + 1, gpuMs: null }));
    expect(times).toEqual({ compile: 7, first: 5, median: 6, least: 1, count: 100, gpu: null });
  });

  it('are of fewer dispatches after a second', async () => {
    expect(await timesWith(() => ({ wallMs: 250 }))).toMatchObject({ median: 250, least: 250, count: 4 });
  });

  it('are of 3 slow dispatches', async () => {
    const times = await timesWith((count) => ({ wallMs: 5000 - count, gpuMs: 4000 + count }));
    expect(times).toMatchObject({ median: 4999, least: 4998, count: 3, gpu: 4001 });
  });

  it('leave out dispatches without a time of the GPU', async () => {
    const gpuTimes = [null, 8, null];
    expect(await timesWith((count) => ({ wallMs: 5000, gpuMs: gpuTimes[count] ?? null }))).toMatchObject({ count: 3, gpu: 8 });
  });

  it('are not measured unless they are asked for', async () => {
    const profile = vi.spyOn(device, 'profile');
    expect((await execute(device, negate, untimed)).times).toBeNull();
    expect(profile).not.toHaveBeenCalled();
  });
});

describe('indices', () => {
  it.each([true, false])('are checked: %s', async (checksIndices) => {
    const file: RunFile = {
      work: {
        kind: 'operator',
        descriptor: {
          type: 'gather',
          axis: 0,
          inputTensor: vector,
          indicesTensor: { dataType: 'uint32', sizes: [1] },
          indexDimensions: 1,
        },
      },
      tensors: new Map([
        ['inputTensor', { data: [1, 2] }],
        ['indicesTensor', { data: [7] }],
      ]),
    };
    const running = execute(device, file, { ...untimed, checksIndices });
    if (checksIndices) await expect(running).rejects.toMatchObject({ code: 'ERR_INDEX_OUT_OF_RANGE' });
    else await expect(running).resolves.toMatchObject({ times: null });
  });
});

describe('tensors that DirectML owns', () => {
  it('are given when the operator is compiled, also in lists', async () => {
    const compile = vi.spyOn(device, 'compile');
    const scale = { dataType: 'float32', sizes: [2], flags: 'ownedByDml' } as const;
    const zero = { dataType: 'uint8', sizes: [2], flags: 'ownedByDml' } as const;
    const file: RunFile = {
      work: {
        kind: 'operator',
        descriptor: {
          type: 'dequantize',
          quantizationType: 'scaleZeroPoint',
          inputTensor: { dataType: 'uint8', sizes: [2] },
          quantizationTensors: [scale, zero],
          outputTensor: vector,
        },
      },
      tensors: new Map<string, { data: unknown } | { data: unknown }[]>([
        ['inputTensor', { data: [10, 20] }],
        ['quantizationTensors', [{ data: 2 }, { data: 1 }]],
      ]),
    };
    const { outputs } = await execute(device, file, untimed);
    expect(outputs).toEqual([{ name: 'outputTensor', dataType: 'float32', sizes: [2], strides: null, elements: [18, 38] }]);
    const { initializationInputs } = compile.mock.calls[0]?.[1] ?? {};
    expect(Object.keys(initializationInputs ?? {})).toEqual(['quantizationTensors']);
  });

  it('are none of those without the flag', async () => {
    const compile = vi.spyOn(device, 'compile');
    await execute(
      device,
      {
        ...negate,
        work: { kind: 'operator', descriptor: { type: 'elementWiseNegate', inputTensor: { ...vector, flags: 'none' } } },
      },
      untimed,
    );
    expect(compile.mock.calls[0]?.[1]).toEqual({ initializationInputs: {} });
    const add: RunFile = {
      work: { kind: 'operator', descriptor: { type: 'elementWiseAdd', aTensor: vector, bTensor: owned } },
      tensors: new Map([
        ['aTensor', { data: 1 }],
        ['bTensor', { data: 2 }],
      ]),
    };
    expect((await execute(device, add, untimed)).outputs[0]?.elements).toEqual([3, 3]);
    expect(Object.keys(compile.mock.calls[1]?.[1]?.initializationInputs ?? {})).toEqual(['bTensor']);
  });
});
