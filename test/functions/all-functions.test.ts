/** The functions of all operators give the same bits as `run` and `graph.add`. */
import { Tensor, Value, type Device, type OperatorType, type TensorDesc } from 'node-directml';
import * as functions from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { fromBase64, type ConformanceCase } from '../../checks/cases/case.js';
import { isTensor, tensorSize } from '../../checks/cases/layout.js';
import { computed } from '../../checks/graphs/draw-case.js';
import { operatorTypes } from '../../checks/operators/cases.js';
import { Random } from '../../checks/harness/random.js';
import { withoutEqualDefaults } from '../../checks/cases/defaults.js';
import { backends, deviceOn } from '../support/devices.js';
import { callFunction, outputsOf } from '../support/functions.js';
import { drawn } from '../support/level.js';

const SEED = 27;
const CASES = drawn({ quick: 2, all: 12 });

type Fields = Record<string, unknown>;

test('there is a function for each operator', () => {
  expect(Object.keys(functions).sort()).toEqual([...operatorTypes].sort());
});

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);

  test.each(operatorTypes)('%s gives the same outputs as run', async (type) => {
    for (let i = 0; i < CASES; i++) {
      const descriptor = withTensors(device(), computed.draw(Random.of(SEED, type, i), type));
      const expected = await bytesIn(await Reflect.apply(device().run, device(), [descriptor]));
      const eager = outputsOf(type, await callFunction(descriptor, device()));
      expect(await bytesIn(eager), 'on tensors').toEqual(expected);
      const added = await bytesIn(await inGraph(device(), type, descriptor, false));
      expect(await bytesIn(await inGraph(device(), type, descriptor, true)), 'in a graph').toEqual(added);
      // DirectML computes some operators differently in a graph.
      if (backend === 'reference') expect(added).toEqual(expected);
    }
  });
});

/** The fields of the case with a tensor for each input, without fields that have their default value. */
function withTensors(device: Device, { descriptor, data }: ConformanceCase): Fields {
  const tensorOf = (desc: TensorDesc, text: unknown): Tensor => {
    const bytes = fromBase64(String(text));
    const buffer = device.createBuffer(Math.ceil(tensorSize(desc) / 16) * 16);
    buffer.write(bytes);
    return device.createTensor({ ...desc, flags: 'none' }, { buffer });
  };
  const fields: [string, unknown][] = Object.entries(withoutEqualDefaults(descriptor)).map(([name, value]) => {
    const given: unknown = data[name];
    if (isTensor(value)) return [name, given === undefined ? layoutOf(value) : tensorOf(value, given)];
    if (!Array.isArray(value) || value.length === 0 || !value.every(isTensor)) return [name, value];
    return [name, value.map((desc, n) => (Array.isArray(given) ? tensorOf(desc, given[n]) : layoutOf(desc)))];
  });
  return Object.fromEntries(fields);
}

/** In a graph, outputs have neither padding nor alignment. */
function layoutOf({ dataType, sizes, strides }: TensorDesc): TensorDesc {
  return { dataType, sizes, strides };
}

/** The outputs of a graph with one node, whose inputs are alternately graph inputs and constants. */
async function inGraph(device: Device, type: OperatorType, descriptor: Fields, byFunction: boolean): Promise<Fields> {
  const graph = device.createGraph();
  const inputs: Record<string, Tensor> = {};
  let count = 0;
  const valueFor = (tensor: unknown, name: string): unknown => {
    if (!(tensor instanceof Tensor)) return tensor;
    // A function turns a tensor into a constant by itself.
    if (count++ % 2 === 1) return byFunction ? tensor : graph.constant(tensor);
    inputs[name] = tensor;
    return graph.input(name, tensor);
  };
  const inputNames = operatorTable[type].fields.filter(({ role }) => role === 'input').map(({ name }) => name);
  const node = Object.fromEntries(
    Object.entries(descriptor).map(([name, value]) => {
      if (!inputNames.includes(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map((each, i) => valueFor(each, `${name}${i}`)) : valueFor(value, name)];
    }),
  );
  const outputs: Fields = byFunction ? outputsOf(type, callFunction(node, graph)) : Reflect.apply(graph.add, graph, [node]);
  const named: Record<string, Value> = {};
  for (const [name, value] of flat(outputs)) if (value instanceof Value) named[name] = value;
  const net = await graph.compile(named);
  return net.run(inputs);
}

/** The outputs by name; an output in an array is named like `outputTensors[1]`. */
function flat(outputs: Fields): [string, unknown][] {
  return Object.entries(outputs).flatMap(([name, value]): [string, unknown][] =>
    Array.isArray(value) ? value.map((each, i): [string, unknown] => [`${name}[${i}]`, each]) : [[name, value]],
  );
}

async function bytesIn(outputs: unknown): Promise<Fields> {
  const read = flat({ ...Object(outputs) }).map(async ([name, tensor]): Promise<[string, Uint8Array]> => {
    if (!(tensor instanceof Tensor)) throw new TypeError(`${name} is no tensor`);
    return [name, new Uint8Array(await tensor.buffer.read(tensor.offset, tensor.totalTensorSizeInBytes))];
  });
  return Object.fromEntries(await Promise.all(read));
}
