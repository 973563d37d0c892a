/** The addon matches its types in binding.d.ts: the names of functions, methods and properties. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import ts from 'typescript';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { lowerGraph } from '#lib/backends/directml/lower-graph.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { example } from '../../support/scatter-nd.js';

const path = fileURLToPath(new URL('../../../binding.d.ts', import.meta.url));
const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
const { binding, directory } = loadAddon();

test('the addon exports the functions that are declared', () => {
  const declared = source.statements.filter(ts.isFunctionDeclaration).map((statement) => statement.name?.text);
  expect(Object.keys(binding).sort()).toEqual(declared.sort());
  for (const name of Object.keys(binding)) expect(Reflect.get(binding, name)).toBeTypeOf('function');
});

test('the objects of the addon have the members that are declared', async () => {
  const device = await binding.createDevice({ addonDirectory: directory });
  const buffer = device.createBuffer(16);
  const operator = await device.compileOperator(encodeOperator(resolveDescriptor(example, '6.4').descriptor), 0);
  expect(membersOf(device)).toEqual(declaredMembers('NativeDevice'));
  expect(membersOf(buffer)).toEqual(declaredMembers('NativeBuffer'));
  expect(membersOf(operator)).toEqual(declaredMembers('NativeOperator'));
  expect(membersOf(device.info)).toEqual(declaredMembers('NativeDeviceInfo'));
  expect(membersOf(device.info.adapter)).toEqual(declaredMembers('NativeAdapter'));
  expect(membersOf(binding.liveObjects())).toEqual(declaredMembers('LiveObjects'));
  for (const object of [operator, buffer, device]) object.dispose();
});

test('the operator table in the addon has every operator, with the same fields as ours', () => {
  const native = new Map(binding.operatorTable().map((row) => [row.type, row]));
  expect(native.size).toBe(Object.keys(operatorTable).length);
  for (const schema of Object.values(operatorTable)) {
    expect(native.get(schema.value)?.fields.map(({ name }) => name)).toEqual(schema.fields.map(({ name }) => name));
  }
});

function declaredMembers(name: string): string[] {
  const declaration = source.statements.filter(ts.isInterfaceDeclaration).find((statement) => statement.name.text === name);
  if (declaration === undefined) throw new Error(`binding.d.ts has no ${name}`);
  return declaration.members.flatMap((member) => member.name?.getText(source) ?? []).sort();
}

/** The names of the object's and of its class's properties. */
function membersOf(object: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(object);
  const inherited =
    prototype === Object.prototype || typeof prototype !== 'object' || prototype === null
      ? []
      : Object.getOwnPropertyNames(prototype);
  return [...new Set([...Object.keys(object), ...inherited])].filter((name) => name !== 'constructor').sort();
}

test('a read is not affected by a replaced ArrayBuffer constructor', async () => {
  const device = await binding.createDevice({ addonDirectory: directory });
  const buffer = device.createBuffer(1 << 20);
  const { ArrayBuffer } = globalThis;
  const reached: unknown[] = [];
  const detaching = class extends ArrayBuffer {
    constructor(size: number) {
      super(size);
      reached.push(this);
      queueMicrotask(() => structuredClone(this, { transfer: [this] }));
    }
  };
  for (const replacement of [detaching, Array, undefined]) {
    Object.assign(globalThis, { ArrayBuffer: replacement });
    try {
      const { bytes: read } = await device.read(buffer, 0, 1 << 20);
      expect(Object.getPrototypeOf(read)).toBe(ArrayBuffer.prototype);
      expect(read.byteLength).toBe(1 << 20);
    } finally {
      Object.assign(globalThis, { ArrayBuffer });
    }
  }
  expect(reached).toEqual([]);
  device.dispose();
});

test('a getter `then` of all objects that throws rejects a compilation, and nothing is freed twice', async () => {
  const device = await binding.createDevice({ addonDirectory: directory });
  const compiling = device.compileOperator(encodeOperator(resolveDescriptor(example, '6.4').descriptor), 0);
  const thrown = new Error('from the getter');
  Object.defineProperty(Object.prototype, 'then', {
    configurable: true,
    get(this: object) {
      if (this.constructor.name === 'NativeOperator') throw thrown;
      return undefined;
    },
  });
  try {
    await expect(compiling).rejects.toBe(thrown);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'then');
  }
  device.dispose();
});

test('the addon itself refuses accesses outside a buffer, and ranges that are too small for their tensors', async () => {
  const device = await binding.createDevice({ addonDirectory: directory });
  const [buffer, other] = [device.createBuffer(64), device.createBuffer(64)];
  expect(() => device.copy(buffer, 48, other, 0, 32)).toThrow('do not lie within');
  expect(() => device.copy(buffer, 0, other, 48, 32)).toThrow('do not lie within');
  const operator = await device.compileOperator(encodeOperator(resolveDescriptor(example, '6.4').descriptor), 0);
  const dispatch = (...sizes: number[]) => {
    const rows = sizes.flatMap((size, i) => [(i === 3 ? other : buffer).number, 0, size]);
    binding.dispatch(Float64Array.of(operator.number, ...rows));
  };
  for (const sizes of [
    [16, 16, 16, 32],
    [32, 12, 16, 32],
    [32, 16, 12, 32],
    [32, 16, 16, 28],
  ]) {
    expect(() => dispatch(...sizes)).toThrow(/the tensor needs (16|32) bytes, given/);
  }
  dispatch(32, 16, 16, 32);
  for (const object of [operator, buffer, other, device]) object.dispose();
});

test.each(['inputEdges', 'outputEdges'] as const)(
  'a graph is refused if one of its %s names a node or tensor that it lacks',
  async (edges) => {
    const device = await binding.createDevice({ addonDirectory: directory });
    const builder = new GraphBuilder('6.4');
    const x = builder.input('x', { dataType: 'float32', sizes: [4] });
    const { outputTensor: y } = builder.add({ type: 'elementWiseNegate', inputTensor: x });
    const { native } = lowerGraph(builder.resolve({ y }));
    device.checkGraph(native, 0);
    for (const column of native[edges].keys()) {
      const wrong = { ...native, [edges]: native[edges].with(column, 7) };
      expect(() => device.checkGraph(wrong, 0), `column ${column}`).toThrow(Error);
    }
    device.dispose();
  },
);
