/** Computes a worked example through the public API and compares the results with the page. */
import type { Device, Tensor } from 'node-directml';
import {
  isDescriptor,
  isList,
  type Element,
  type ExampleTensor,
  type ExampleTensors,
  type WorkedExample,
} from '../cases/example.js';
import { agree, decode, encode } from './example-values.js';

/** Null if the results are right; otherwise the differences as text, with the descriptor as JSON. */
export async function runExample(device: Device, example: WorkedExample): Promise<string | null> {
  return judge(example, () => compute(device, example));
}

/** Like {@link runExample}, for results that `run` computes. */
async function judge(example: WorkedExample, run: () => Promise<Results>): Promise<string | null> {
  const { descriptor, directml, outputs } = example;
  let wrong: string[];
  try {
    const given = await run();
    wrong = differences(directml ?? outputs, given);
    if (directml !== undefined && differences(outputs, given).length === 0) {
      wrong.push('the page is right after all: the example needs no "directml"');
    }
  } catch (error) {
    wrong = [String(error)];
  }
  if (wrong.length === 0) return null;
  return [`${descriptor.type}, ${example.title} (${example.page})`, ...wrong, JSON.stringify(descriptor)].join('\n  ');
}

/** The elements of each output, by field name: one list per tensor, so a tensor array has several. */
type Results = ReadonlyMap<string, readonly (readonly Element[])[]>;

async function compute(device: Device, { descriptor, inputs, outputs }: WorkedExample): Promise<Results> {
  if (!isDescriptor(descriptor)) throw new TypeError(`there is no operator ${descriptor.type}`);
  const tensors = new Map<string, Tensor[]>();
  const create = (name: string, { dataType, sizes, values }: ExampleTensor, isInput: boolean): void => {
    const data = isInput && values !== null ? encode(dataType, values) : undefined;
    const tensor = device.createTensor({ dataType, sizes }, data);
    tensors.set(name, [...(tensors.get(name) ?? []), tensor]);
  };
  const compiled = await device.compile(descriptor);
  try {
    for (const [name, tensor] of flatten(inputs)) create(name, tensor, true);
    for (const [name, tensor] of flatten(outputs)) create(name, tensor, false);
    const bindings = Object.entries({ ...inputs, ...outputs }).map(([name, value]) => {
      const bound = tensors.get(name) ?? [];
      return [name, isList(value) ? bound : bound[0]];
    });
    compiled.dispatch(Object.fromEntries(bindings));
    const results = new Map<string, readonly (readonly Element[])[]>();
    for (const name of Object.keys(outputs)) {
      const read = (tensors.get(name) ?? []).map(async (tensor) => decode(tensor.dataType, await tensor.read()));
      results.set(name, await Promise.all(read));
    }
    return results;
  } finally {
    for (const tensor of [...tensors.values()].flat()) tensor.dispose();
    compiled.dispose();
  }
}

function differences(expected: ExampleTensors, given: Results): string[] {
  const seen = new Map<string, number>();
  return flatten(expected).flatMap(([name, tensor]) => {
    const position = seen.get(name) ?? 0;
    seen.set(name, position + 1);
    const elements = given.get(name)?.[position] ?? [];
    if (tensor.values === null || agree(tensor, elements)) return [];
    return [`${name}[${position}]: expected ${show(tensor.values)}`, `${name}[${position}]: given    ${show(elements)}`];
  });
}

function flatten(tensors: ExampleTensors): [name: string, tensor: ExampleTensor][] {
  return Object.entries(tensors).flatMap(([name, value]) =>
    (isList(value) ? value : [value]).map((tensor): [string, ExampleTensor] => [name, tensor]),
  );
}

/** `?` is an element that the page leaves open. */
function show(elements: readonly Element[]): string {
  return `[${elements.map((element) => (element === null ? '?' : String(element))).join(', ')}]`;
}
