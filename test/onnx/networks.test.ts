/** The ten small networks and the five blocks compute what onnxruntime's CPU computes. */
import { describe, expect, test } from 'vitest';
import { Tensor, type DataType } from 'node-directml';
import { loadOnnx } from 'node-directml/onnx';
import { deviceOn, ownBackend } from '../support/devices.js';
import { distance, expectedOf } from '../../checks/networks/sessions.js';
import { blocks, models } from '../../checks/networks/models/index.js';

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(Object.entries({ ...models, ...blocks }))('%s', async (_name, make) => {
    const network = make();
    using model = await loadOnnx(device(), network.bytes);
    const inputs = Object.entries(network.feeds).map(([name, { type, dims, data }]) => {
      const desc = { dataType: type as DataType, sizes: dims.length === 0 ? [1] : dims };
      return [name, device().createTensor(desc, data as Float32Array)] as const;
    });
    const outputs = await model.run(Object.fromEntries(inputs));
    const given: Record<string, readonly number[]> = {};
    for (const [name, output] of Object.entries(outputs)) {
      if (!(output instanceof Tensor)) throw new Error(`${name} is no tensor`);
      given[name] = Array.from(await output.read(), Number);
    }
    expect(distance(given, await expectedOf(network))).toBeLessThanOrEqual(network.tolerance);
  });
});
