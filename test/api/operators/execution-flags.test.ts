/** The DML_EXECUTION_FLAGS that reach the backend: none, unless the options of a method set them. */
import { describe, expect, test, vi } from 'vitest';
import { elementWiseSin as sin } from 'node-directml/operators';
import { backendOf } from '#lib/api/device-internals.js';
import { backends, deviceOn } from '../../support/devices.js';

const none = { allowHalfPrecisionComputation: false, disableMetacommands: false };
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  let count = 0;
  /** Each time of another size, so that nothing is compiled already. */
  const tensor = () => device().createTensor(float32(1, ++count));

  async function flagsOf(work: () => unknown): Promise<readonly object[]> {
    const spies = [vi.spyOn(backendOf(device()), 'compile'), vi.spyOn(backendOf(device()), 'compileGraph')] as const;
    await work();
    const flags = spies.flatMap((spy) => spy.mock.calls.map(([, flags]) => flags));
    for (const spy of spies) spy.mockRestore();
    return flags;
  }

  const type = 'elementWiseSin';
  const compileGraph = (options?: object) => {
    const graph = device().createGraph();
    return graph.compile({ y: sin(graph.input('x', tensor())) }, options);
  };

  test.each<[string, () => unknown]>([
    ['run', () => device().run({ type, inputTensor: tensor() })],
    ['a function of an operator', () => sin(tensor())],
    ['jit', () => device().jit((x) => sin(x))(tensor())],
    ['compile', () => device().compile({ type, inputTensor: tensor() })],
    ['compile with a label', () => device().compile({ type, inputTensor: tensor() }, { label: 'wave' })],
    ['prepare', () => device().prepare({ type, inputTensor: tensor() })],
    ['graph.compile', () => compileGraph()],
  ])('%s sets none', async (_, work) => {
    expect(await flagsOf(work)).toEqual([none]);
  });

  test.each(Object.keys(none))('%s is set alone', async (name) => {
    const options = { [name]: true };
    const expected = [{ ...none, ...options }];
    expect(await flagsOf(() => device().compile({ type, inputTensor: tensor() }, options))).toEqual(expected);
    expect(await flagsOf(() => device().prepare({ type, inputTensor: tensor() }, options))).toEqual(expected);
    expect(await flagsOf(() => compileGraph(options))).toEqual(expected);
  });
});
