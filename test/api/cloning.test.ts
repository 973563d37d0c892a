/**
 * Objects of the package are not cloned by accident, where Node.js can refuse it (22.10 and later): a copy would have the
 * properties, but no memory. On each backend.
 */
import * as threads from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import type { Device } from 'node-directml';
import { ml, MLGraphBuilder } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';

const desc = { dataType: 'float32', sizes: [2] } as const;
const canRefuse = 'markAsUncloneable' in threads;

async function objectsOf(device: Device): Promise<Readonly<Record<string, object>>> {
  const tensor = device.createTensor(desc);
  const operator = await device.compile({ type: 'activationRelu', inputTensor: desc });
  const graph = device.createGraph();
  const value = graph.input('x', desc);
  const { outputTensor } = graph.add({ type: 'activationRelu', inputTensor: value });
  const net = await graph.compile({ outputTensor });
  const recording = device.record(() => operator.dispatch({ inputTensor: tensor, outputTensor: tensor }));
  const run = await device.run({ type: 'activationRelu', inputTensor: tensor });
  const context = await ml.createContext(device);
  const builder = new MLGraphBuilder(context);
  const operand = builder.input('x', { dataType: 'float32', shape: [2] });
  const mlGraph = await builder.build({ y: builder.relu(operand) });
  const mlTensor = await context.createTensor({ dataType: 'float32', shape: [2] });
  return {
    ...{ device, tensor, view: tensor.reshape([2, 1]), buffer: device.createBuffer(16), operator, graph, value, outputTensor },
    ...{ net, recording, run, ran: run.outputTensor, ml, context, builder, operand, mlGraph, mlTensor },
  };
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('a clone is an error, or before Node.js 22.10 an object that is none of the package', async () => {
    const objects = await objectsOf(device());
    const { port1, port2 } = new MessageChannel();
    for (const [name, object] of Object.entries(objects)) {
      const clones = [() => structuredClone(object), () => structuredClone([{ object }]), () => port1.postMessage(object)];
      for (const clone of clones) {
        if (canRefuse) expect(clone, name).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
        else expect(clone, name).not.toThrow();
      }
      if (!canRefuse) expect(Object.getPrototypeOf(structuredClone(object)), name).toBe(Object.prototype);
    }
    for (const port of [port1, port2]) port.close();
  });

  test('what is read, descriptions and descriptors are cloned', async () => {
    using tensor = device().createTensor(desc, [1, 2]);
    const { dataType, sizes, strides } = tensor;
    expect(structuredClone({ dataType, sizes, strides })).toEqual({ dataType, sizes, strides });
    expect(structuredClone(await tensor.read())).toEqual(Float32Array.of(1, 2));
    using operator = await device().compile({ type: 'activationRelu', inputTensor: tensor });
    expect(structuredClone(operator.descriptor)).toEqual(operator.descriptor);
    expect(structuredClone(device().info)).toEqual(device().info);
    const graph = device().createGraph();
    const net = graph.add({ type: 'activationRelu', inputTensor: graph.input('x', desc) });
    expect(structuredClone(graph.toDescriptor(net))).toEqual(graph.toDescriptor(net));
    expect(structuredClone(tensor.sizes)).toEqual([2]);
  });
});
