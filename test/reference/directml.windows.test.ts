/**
 * What the package does not let through, asked of DirectML itself: the examples of operators that are still to come,
 * and the descriptors that a reference page has wrong.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAddon, type NativeBinding as Addon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { viewElements } from '#lib/typed-arrays.js';
import { resolveByTable } from '#lib/validation/index.js';
import { product } from '../conformance/layout.js';
import { encodeLoosely } from '../parity/encode.js';
import { isComputable, type Element, type ExampleTensor, type WorkedExample } from './example.js';
import { workedExamples } from './examples/index.js';
import { judge, type Results } from './run.js';
import { decode, encode } from './values.js';

type NativeDevice = Awaited<ReturnType<Addon['createDevice']>>;
type NativeBuffer = ReturnType<NativeDevice['createBuffer']>;

let device: NativeDevice;

beforeAll(async () => {
  const { binding, directory } = loadAddon();
  device = await binding.createDevice({ addonDirectory: directory });
});

afterAll(() => {
  device.dispose();
});

it('computes the examples of operators that are still to come', async () => {
  const failures: (string | null)[] = [];
  for (const example of workedExamples) {
    if (!isComputable(example.descriptor)) failures.push(await judge(example, () => compute(example)));
  }
  expect(failures.filter((failure) => failure !== null)).toEqual([]);
});

it('refuses the descriptors that the examples correct', () => {
  const accepted = workedExamples.filter(({ descriptor, asWritten }) => {
    if (asWritten === undefined) return false;
    const { type, ...fields } = encodeLoosely({ ...descriptor, ...asWritten });
    try {
      device.checkOperator({ type: Number(type), ...fields }, 0);
      return true;
    } catch {
      return false;
    }
  });
  expect(accepted).toEqual([]);
});

/** With the bindings in the order of the operator's fields, as the addon wants them. */
async function compute({ descriptor, inputs, outputs }: WorkedExample): Promise<Results> {
  const operator = await device.compileOperator(encodeOperator(resolveByTable(descriptor, '6.4')), 0);
  const bound: { role: 'input' | 'output'; name: string; tensor: ExampleTensor; buffer: NativeBuffer }[] = [];
  const ranges: Record<'input' | 'output', ({ buffer: NativeBuffer; offset: number; sizeInBytes: number } | null)[]> = {
    input: [],
    output: [],
  };
  for (const { name, role } of operatorTable[descriptor.type].fields) {
    if (role === undefined) continue;
    const value = { input: inputs, output: outputs }[role][name];
    if (value === undefined) ranges[role].push(null);
    for (const tensor of value === undefined ? [] : [value].flat()) {
      const data = new Uint8Array(encode(tensor.dataType, tensor.values ?? []));
      const buffer = device.createBuffer(Math.ceil(data.length / 4) * 4);
      if (role === 'input') device.write(buffer, 0, data);
      bound.push({ role, name, tensor, buffer });
      ranges[role].push({ buffer, offset: 0, sizeInBytes: buffer.sizeInBytes });
    }
  }
  device.dispatch(operator, ranges.input, ranges.output);
  const results = new Map<string, readonly (readonly Element[])[]>();
  for (const { role, name, tensor, buffer } of bound) {
    if (role === 'output') {
      const bytes = await device.read(buffer, 0, buffer.sizeInBytes);
      const elements = decode(tensor.dataType, viewElements(tensor.dataType, bytes, product(tensor.sizes)));
      results.set(name, [...(results.get(name) ?? []), elements]);
    }
    buffer.dispose();
  }
  operator.dispose();
  return results;
}
