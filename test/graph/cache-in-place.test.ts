/** A cache that each step changes: what graphs refuse, and the ways that docs/graphs.md recommends instead. */
import { describe, expect, test } from 'vitest';
import { elementWiseAbs, elementWiseAdd } from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';
import { caught } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('a graph refuses an output over its input, and says why', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(4));
    const cache = graph.input('cache', float32(4));
    const net = await graph.compile({ next: elementWiseAdd(elementWiseAbs(x), cache) });
    const [values, memory] = [device().createTensor(x, [-1, -1, -1, -1]), device().createTensor(cache, [1, 2, 3, 4])];
    const { code, field, message } = caught(() => net.dispatch({ x: values, cache: memory, next: memory }));
    expect([code, field]).toEqual(['ERR_ALIASED_BINDING', 'next']);
    expect(message).toContain('no output of a graph can be computed in place');
    expect(await memory.read()).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  test('a recording of operators changes a cache in place at each replay', async () => {
    const tensor = () => device().createTensor(float32(2), [-1, -2]);
    const [x, row, cache] = [tensor(), tensor(), tensor()];
    const abs = await device().prepare({ type: 'elementWiseAbs', inputTensor: x, outputTensor: row });
    const add = await device().prepare({ type: 'elementWiseAdd', aTensor: row, bTensor: cache, outputTensor: cache });
    const recording = device().record(() => {
      abs.dispatch();
      add.dispatch();
    });
    for (let i = 0; i < 3; i++) recording.replay();
    expect(await cache.toArray()).toEqual([2, 4]);
  });

  test('attention in a graph adds to the keys and values that its outputs hold', async () => {
    const graph = device().createGraph();
    const past = graph.input('past', { dataType: 'int32', sizes: [1] });
    const x = graph.input('x', float32(1, 1, 4));
    const token = elementWiseAbs(x);
    const present = float32(1, 1, 3, 4);
    const attention = graph.add({
      type: 'multiheadAttention1',
      queryTensor: token,
      keyTensor: token,
      valueTensor: token,
      pastSequenceLengthsTensor: past,
      outputPresentKeyTensor: { sizes: present.sizes },
      outputPresentValueTensor: { sizes: present.sizes },
      queryHeadCount: 1,
      keyValueHeadCount: 1,
    });
    const newKeys = attention.outputPresentKeyTensor ?? expect.fail('present keys');
    const newValues = attention.outputPresentValueTensor ?? expect.fail('present values');
    const y = elementWiseAdd(attention.outputTensor, token);
    const net = await graph.compile({ y, keys: newKeys, values: newValues });
    const [keys, values] = [device().createTensor(present), device().createTensor(present)];
    const output = device().createTensor(net.outputs.y);
    for (let i = 0; i < 3; i++) {
      const inputs = { past: device().createTensor(past, [i]), x: device().createTensor(x, new Float32Array(4).fill(-1 - i)) };
      net.dispatch({ ...inputs, y: output, keys, values });
    }
    const rows = Float32Array.of(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    expect(await keys.read()).toEqual(rows);
    expect(await values.read()).toEqual(rows);
  });
});
