/** Objects of a second copy of this package are refused, with an error that says so. Bundlers or two versions make such copies. */
import { createRequire } from 'node:module';
import * as own from 'node-directml';
import * as ownWebnn from 'node-directml/webnn';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Loads the modules a second time, with classes of their own. */
function loadAgain(names: readonly string[]): readonly unknown[] {
  const require = createRequire(import.meta.url);
  const loaded = { ...require.cache };
  for (const file of Object.keys(require.cache)) if (/[\\/]dist[\\/]/.test(file)) Reflect.deleteProperty(require.cache, file);
  const again = names.map((name): unknown => require(name));
  Object.assign(require.cache, loaded);
  return again;
}

// The modules are loaded again, so they have the same types.
const [other, otherWebnn] = loadAgain(['node-directml', 'node-directml/webnn']) as [typeof own, typeof ownWebnn];
const desc = { dataType: 'float32', sizes: [2] } as const;
const operand = { dataType: 'float32', shape: [2] } as const;

const { createML, ml, MLGraphBuilder, tensorOf } = ownWebnn;

let device: own.Device;
let foreign: own.Device;
beforeAll(async () => {
  device = await own.createDevice({ backend: 'reference', thread: 'caller' });
  foreign = await other.createDevice({ backend: 'reference', thread: 'caller' });
});
afterAll(() => {
  device.dispose();
  foreign.dispose();
});

const copy = (what: string) => `${what} of another copy of node-directml (\`npm ls node-directml\``;

test('tensors and buffers of another copy are refused', async () => {
  const [tensor, buffer] = [foreign.createTensor(desc), foreign.createBuffer(64)];
  await expect(device.run({ type: 'elementWiseAbs', inputTensor: tensor })).rejects.toThrow(copy('a tensor'));
  const operator = await device.compile({ type: 'elementWiseAbs', inputTensor: desc });
  const outputTensor = device.createTensor(desc);
  expect(() => operator.dispatch({ inputTensor: tensor, outputTensor })).toThrow(copy('a tensor'));
  expect(() => operator.dispatch({ inputTensor: { buffer }, outputTensor })).toThrow(copy('a buffer'));
  expect(() => device.createTensor(desc, { buffer, offset: 0 })).toThrow(copy('a buffer'));
  expect(() => device.createTensor(desc, tensor)).toThrow(copy('a tensor'));
  expect(() => device.createGraph().constant(tensor)).toThrow(copy('a tensor'));
});

test('values of a graph and devices of another copy are refused', async () => {
  const value = foreign.createGraph().input('x', desc);
  const graph = device.createGraph();
  expect(() => graph.add({ type: 'elementWiseAbs', inputTensor: value })).toThrow(copy('a value of a graph'));
  await expect(graph.compile({ y: value })).rejects.toThrow(copy('a value of a graph'));
  await expect(own.createDevice(Object(foreign))).rejects.toThrow(copy('a device'));
});

test('WebNN opens no device for a device of another copy', async () => {
  await expect(ml.createContext(foreign)).rejects.toThrow(copy('is a device'));
  await expect(createML(Object(foreign)).createContext()).rejects.toThrow(copy('a device'));
  const context = await otherWebnn.ml.createContext(foreign);
  expect(() => new MLGraphBuilder(context)).toThrow(copy('is an MLContext'));
  const tensor = await context.createTensor(operand);
  expect(() => tensorOf(tensor)).toThrow(copy('an MLTensor'));
  const builder = new MLGraphBuilder(await ml.createContext(device));
  const input = new otherWebnn.MLGraphBuilder(context).input('x', operand);
  expect(() => builder.relu(input)).toThrow(copy('is an MLOperand'));
});

test('data that a script writes into the list that the copies share is not trusted', () => {
  const shared: unknown = Reflect.get(globalThis, Symbol.for('node-directml.kinds'));
  if (!Array.isArray(shared)) throw new Error('the copies share a list');
  const throwing = {
    one: 'a trap',
    is: () => {
      throw new RangeError('own');
    },
  };
  shared.push([throwing, null, {}, 1], null, 5);
  expect(() => device.createTensor(desc, Object('text'))).toThrow('given an object');
  shared.splice(-3);
});
