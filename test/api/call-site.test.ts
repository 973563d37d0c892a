/** The stack of an error contains the line of the program that made the call. */
import { describe, expect, test } from 'vitest';
import { createDevice, DirectMLError, type Device } from 'node-directml';
import { fromCaller } from '#lib/api/call-site.js';
import { backends, deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';
import { removeDevice } from '../support/remove-device.js';

const float32 = { dataType: 'float32', sizes: [4] } as const;
const gather = {
  type: 'gather',
  inputTensor: float32,
  indicesTensor: { dataType: 'uint32', sizes: [2] },
  outputTensor: { dataType: 'float32', sizes: [2] },
  axis: 0,
  indexDimensions: 1,
} as const;
/** A descriptor that fails so deep in a rule that a stack of ten calls does not reach the caller. */
const deep = { type: 'gemm', aTensor: { ...float32, sizes: [2, 2] }, bTensor: { ...float32, sizes: [2, 2] }, alpha: 1, beta: 1 };
const tooLarge = { ...deep, transA: 'none', transB: 'none', outputTensor: { dataType: 'float32', sizes: [2, 3] } };

/** Returns the stack of the error of `call`. Does not await the call directly, so that V8's async stack lacks the caller. */
async function stackOf(call: () => Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    function callerOfTheMethod() {
      void call().then(
        () => reject(new Error('nothing was rejected')),
        (error: unknown) => resolve(error instanceof DirectMLError ? String(error.stack) : `another error: ${String(error)}`),
      );
    }
    callerOfTheMethod();
  });
}

function leadsHere(stack: string): void {
  expect(stack).toMatch(/^DirectMLError: /);
  expect(stack).toContain('call-site.test.ts');
  expect(stack).toContain('callerOfTheMethod');
}

describe.each(backends)('on %s, the stack contains the line of the call', (backend) => {
  const device = deviceOn(backend);
  const gone = async (use: (other: Device) => Promise<unknown>) => {
    const other = await createDevice({ backend });
    return stackOf(async () => use(other));
  };

  test('of compile, for a descriptor that is refused at once, or deep in a rule', async () => {
    leadsHere(await stackOf(() => device().compile(untyped<never>({ type: 'x' }))));
    leadsHere(await stackOf(() => device().compile(untyped<never>(tooLarge))));
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 6;
    try {
      leadsHere(await stackOf(() => device().compile(untyped<never>(tooLarge))));
    } finally {
      Error.stackTraceLimit = limit;
    }
  });

  test('of compile, on a device that is disposed of meanwhile', async () => {
    leadsHere(
      await gone((other) => {
        const compiled = other.compile(gather);
        other.dispose();
        return compiled;
      }),
    );
  });

  test('of two calls of compile that share an operator, each with its own line', async () => {
    const other = await createDevice({ backend });
    const [first, second] = [other.compile(gather), other.compile(gather)];
    other.dispose();
    const errors = [await rejected(first), await rejected(second)];
    expect(errors[0]).not.toBe(errors[1]);
    for (const error of errors) expect(error.stack?.match(/call-site\.test\.ts/g)?.length).toBeGreaterThan(0);
  });

  test('of dispatchChecked, for a bad index that is found after the tensor was read', async () => {
    const operator = await device().compile(gather);
    const bindings = {
      inputTensor: device().createTensor(float32),
      indicesTensor: device().createTensor(gather.indicesTensor, Uint32Array.of(0, 4)),
      outputTensor: device().createTensor(gather.outputTensor),
    };
    const stack = await stackOf(() => operator.dispatchChecked(bindings));
    expect(stack).toContain('indicesTensor[1]');
    leadsHere(stack);
  });

  test('of read and idle, on a device that is disposed of', async () => {
    const other = await createDevice({ backend });
    const tensor = other.createTensor(float32);
    other.dispose();
    leadsHere(await stackOf(() => tensor.read()));
    leadsHere(await stackOf(() => tensor.buffer.read()));
    leadsHere(await stackOf(() => other.idle()));
  });

  test('of createDevice, for an unknown feature level and a missing adapter', async () => {
    leadsHere(await stackOf(() => createDevice({ backend, featureLevel: untyped('9.0') })));
    leadsHere(await stackOf(() => createDevice({ backend: 'directml', adapter: '7fffffff-12345678' })));
  });

  test('of resolve, for a descriptor that is refused deep in a rule', () => {
    const error = caught(() => device().resolve(untyped(tooLarge)));
    expect(error.stack).toContain('call-site.test.ts');
  });
});

describe.each(backends.filter((backend) => backend === 'directml'))(
  'on %s, the stack of a native error contains the line of the call',
  () => {
    test('of read and idle, on a device that is removed while they wait', async () => {
      const device = await createDevice({ backend: 'directml' });
      const tensor = device.createTensor(float32);
      const calls = [stackOf(() => tensor.read()), stackOf(() => tensor.buffer.read()), stackOf(() => device.idle())];
      removeDevice(device);
      calls.push(stackOf(() => tensor.read()));
      for (const stack of await Promise.all(calls.map(async (call) => call.catch(() => 'it was read before')))) {
        if (stack !== 'it was read before') leadsHere(stack);
      }
      leadsHere(await stackOf(() => device.idle()));
      device.dispose();
    });
  },
);

describe('an error keeps its code if the program prepares the stack', () => {
  const fails = async () => {
    await Promise.resolve();
    throw new DirectMLError('ERR_SIZES', 'text');
  };

  test.each<[string, typeof Error.prepareStackTrace]>([
    ['as an object', () => ({})],
    ['with a function that throws', () => untyped<() => string>(undefined)()],
    ['as an empty string', () => ''],
  ])('%s', async (_, prepare) => {
    const before = Error.prepareStackTrace;
    Error.prepareStackTrace = prepare;
    try {
      await expect(fromCaller(fails)).rejects.toMatchObject({ code: 'ERR_SIZES' });
    } finally {
      Error.prepareStackTrace = before;
    }
  });

  test('with a limit of 0 calls', async () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      await expect(fromCaller(fails)).rejects.toMatchObject({ code: 'ERR_SIZES' });
    } finally {
      Error.stackTraceLimit = limit;
    }
  });

  test('an error of another class is passed on unchanged', async () => {
    const other = new TypeError('mine');
    await expect(fromCaller(() => Promise.reject(other))).rejects.toBe(other);
  });
});
