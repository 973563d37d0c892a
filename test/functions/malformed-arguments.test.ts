/** Functions of operators read malformed arguments once, and refuse them with typed errors. */
import type { Tensor } from 'node-directml';
import { elementWiseAdd as add, activationRelu as relu, fillValueConstant, gemm, join } from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { counted, revoked, throwing, thrown, untyped } from '../../checks/malformed/objects.js';

type Floats = Tensor<'float32'>;

/** An array whose elements throw. */
function unreadable<T>(array: readonly T[]): readonly T[] {
  return new Proxy(array, {
    get(target, name) {
      if (name === '0') throw thrown;
      return Reflect.get(target, name);
    },
  });
}

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);
  const floats = (sizes: readonly number[], data?: readonly number[]) =>
    device().createTensor({ dataType: 'float32', sizes }, data);

  /** Calls with one malformed argument, and the field that the error names. */
  const callsWith = (x: Floats): readonly (readonly [() => unknown, string])[] => [
    [() => gemm(untyped<Floats>(revoked({})), x), 'aTensor'],
    [() => gemm(x, untyped<Floats>(revoked([]))), 'bTensor'],
    [() => gemm(x, x, { cTensor: untyped<Floats>(revoked([])) }), 'cTensor'],
    [() => add(x, untyped<Floats>(revoked({}))), 'bTensor'],
    [() => gemm(x, x, untyped<object>(revoked({}))), 'options'],
    [() => gemm(x, x, throwing({ alpha: 1 }, 'alpha')), 'options.alpha'],
    [() => join(untyped<Floats[]>(revoked([x])), { axis: 0 }), 'inputTensors'],
    [() => join(untyped<Floats[]>([x, revoked({})]), { axis: 0 }), 'inputTensors[1]'],
    [() => join(unreadable([x]), { axis: 0 }), 'inputTensors[0]'],
  ];

  test('on tensors, as a rejection', async () => {
    for (const [call, field] of callsWith(floats([2, 2]))) {
      const error = await rejected(untyped(call()));
      expect(gist(error)[1], String(call)).toBe(field);
      expect(error.stack).toContain('malformed-arguments.test');
      if (field === 'options.alpha' || field === 'inputTensors[0]') expect(error.cause).toBe(thrown);
    }
    expect(gist(await rejected(relu(untyped<Floats>(revoked(Object(() => 1))))))[1]).toBe('inputTensor');
  });

  test('in a graph, at once', () => {
    const x = device()
      .createGraph()
      .input('x', floats([2, 2]));
    for (const [call, field] of callsWith(untyped(x))) {
      // No value is found in an array that cannot be read.
      if (!field.startsWith('inputTensors')) expect(gist(caught(call))[1], String(call)).toBe(field);
    }
  });

  test('each property and element is read once', async () => {
    const [first, second] = [floats([1], [1]), floats([1], [2])];
    const inputs = counted([first, second]);
    const options = counted({ axis: 0 });
    const joined = await join(inputs.proxy, options.proxy);
    expect(await joined.toArray()).toEqual([1, 2]);
    expect(Math.max(...inputs.reads.values(), ...options.reads.values())).toBe(1);
  });

  test('a wrong argument is thrown at once in a graph, and is a rejection on tensors', async () => {
    const x = floats([2, 2]);
    const graph = device().createGraph();
    const value = graph.input('x', x);
    const wrong = untyped<object>(3);
    const wrongFill = untyped<{ outputTensor: { dataType: 'int32'; sizes: number[] }; value: number }>(3);
    const inGraph = [
      () => gemm(value, value, wrong),
      () => gemm(value, x, wrong),
      () => gemm(x, value, wrong),
      () => fillValueConstant(graph, wrongFill),
    ];
    for (const call of inGraph) {
      const error = caught(call);
      expect(gist(error), String(call)).toEqual(['ERR_INVALID_ARGUMENT', 'options']);
      expect(error.stack?.split('\n')[1]).toContain('malformed-arguments.test');
    }
    for (const call of [() => gemm(x, x, wrong), () => fillValueConstant(device(), wrongFill)]) {
      expect(gist(await rejected(call())), String(call)).toEqual(['ERR_INVALID_ARGUMENT', 'options']);
    }
  });
});
