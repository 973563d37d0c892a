/** Which ranges of one buffer a graph with many inputs and outputs may bind, on each backend. */
import { describe, expect, test } from 'vitest';
import type { BufferBinding } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import { rejected } from '../../support/errors.js';

const count = 6;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  /** Six inputs of 64 bytes, and their absolute values; the last of both have 256 bytes. */
  const compiled = async () => {
    const graph = device().createGraph();
    const outputs = Array.from({ length: count }, (_, i) => {
      const x = graph.input(`x${i}`, { dataType: 'float32', sizes: [i === count - 1 ? 64 : 16] });
      return [`y${i}`, graph.add({ type: 'elementWiseAbs', inputTensor: x }).outputTensor] as const;
    });
    return graph.compile(Object.fromEntries(outputs));
  };
  type Ranges = Readonly<Record<string, readonly [offset: number, size: number]>>;
  const names = Array.from({ length: count }, (_, i) => [`x${i}`, `y${i}`]).flat();
  const dispatch = async (ranges: Ranges) => {
    using net = await compiled();
    const [buffer, ofInputs] = [device().createBuffer(4096), device().createBuffer(256)];
    const bindings = names.map((name): [string, BufferBinding] => {
      const [offset, size] = ranges[name] ?? [0, undefined];
      if (name in ranges) return [name, { buffer, offset, size }];
      return [name, { buffer: name.startsWith('x') ? ofInputs : device().createBuffer(256) }];
    });
    net.dispatch(Object.fromEntries(bindings));
  };

  test.each<[string, Ranges]>([
    ['side by side', Object.fromEntries(names.slice(0, -2).map((name, i) => [name, [64 * i, 64]]))],
    ['inputs within inputs', { x0: [2560, 64], x1: [2624, 64], x2: [2560, 64], x5: [2560, 256] }],
    ['an output between inputs', { x0: [0, 64], y0: [64, 64], x1: [128, 64] }],
  ])('takes %s', async (_, ranges) => {
    await expect(dispatch(ranges)).resolves.toBeUndefined();
  });

  test.each<[string, Ranges, output: string, other: string]>([
    ['an output that begins in an input', { x0: [0, 64], y1: [48, 64] }, 'y1', 'x0'],
    ['an input that begins in an output', { y1: [0, 64], x0: [48, 64] }, 'y1', 'x0'],
    ['an output where an input is', { x3: [0, 64], y3: [0, 64] }, 'y3', 'x3'],
    ['an output within an input', { x5: [2560, 256], y0: [2752, 64] }, 'y0', 'x5'],
    ['an output in an input, behind another input', { x5: [2560, 256], x0: [2624, 64], y0: [2752, 64] }, 'y0', 'x5'],
    ['an input within an output', { y5: [2560, 256], x0: [2752, 64] }, 'y5', 'x0'],
    [
      'an input in an output, behind another input',
      { y5: [2560, 256], x0: [2048, 64], x1: [2752, 64], x2: [2112, 64] },
      'y5',
      'x1',
    ],
    ['an output in an input, behind another output', { x5: [2560, 256], y0: [2544, 64], x1: [0, 64] }, 'y0', 'x5'],
    ['two outputs', { y4: [0, 64], y2: [16, 64] }, 'y2', 'y4'],
    ['two outputs in the other order', { y2: [0, 64], y4: [16, 64] }, 'y2', 'y4'],
    ['two outputs at the same place', { y4: [512, 64], y2: [512, 64] }, 'y2', 'y4'],
    ['an output behind a smaller one, in a larger one', { y5: [2560, 256], y0: [2752, 64] }, 'y0', 'y5'],
  ])('%s is refused', async (_, ranges, output, other) => {
    const { code, message } = await rejected(dispatch(ranges));
    expect([code, message]).toEqual([
      'ERR_ALIASED_BINDING',
      `graph: ${output}: expected bytes of its own, given bytes that are bound to ${other} too ` +
        (other.startsWith('y') ? '(two outputs never share bytes)' : '(no output of a graph can be computed in place)'),
    ]);
  });
});
