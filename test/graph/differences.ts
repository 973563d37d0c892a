/** Differences between what a graph gives, what its operators give one by one, and what the reference makes of the same inputs. */
import type { Device } from 'node-directml';
import type { Output } from '../conformance/run-case.js';
import { isExact } from '../conformance/tolerance/row.js';
import { differenceFrom, expectationOf } from '../conformance/runner.js';
import { differenceOf, type Comparison } from './compare-values.js';
import { caseOf, valueIn, type PlainGraph, type PlainNode, type Values } from './graph-case.js';

/** The first difference of a node's outputs from what the reference makes of the same inputs; null if there is none. */
export async function differenceFromKernel(reference: Device, node: PlainNode, values: Values): Promise<string | null> {
  const test = caseOf(node, values);
  const expected = await expectationOf(reference, test);
  const actual = node.outputs.map(({ path, tensor, value }) => ({ name: path, tensor, bytes: valueIn(values, value) }));
  // JavaScript's numbers have one NaN. DirectML keeps the sign of a NaN that it casts, or passes on after a comparison.
  const isOfNumbers = expected.some(({ tolerance: { row } }) => isExact(row) && row.compares === true);
  const hasOneNan = test.descriptor.type === 'cast' || isOfNumbers;
  const simplified = <Given extends Output>(outputs: readonly Given[]) =>
    outputs.map((output) => withQuietNan(output, hasOneNan));
  return differenceFrom(simplified(expected), simplified(actual));
}

/** The output with float16 NaN made quiet, as DirectML may do when it copies them; with one NaN, all floats have the same. */
function withQuietNan<Given extends Output>(output: Given, hasOne: boolean): Given {
  const isHalf = output.tensor.dataType === 'float16';
  if (!isHalf && !(hasOne && output.tensor.dataType === 'float32')) return output;
  const { buffer } = output.bytes.slice();
  const words = isHalf ? new Uint16Array(buffer) : new Uint32Array(buffer);
  const [infinity, magnitude] = isHalf ? [0x7c00, 0x7fff] : [0x7f80_0000, 0x7fff_ffff];
  const quiet = infinity | (infinity >> 1);
  words.forEach((word, i) => {
    if ((word & magnitude) > infinity) words[i] = hasOne ? quiet : word | quiet;
  });
  return { ...output, bytes: new Uint8Array(buffer) };
}

/** The first difference of a graph's outputs, in any of its runs, from the values; null if there is none. */
export function differenceOfOutputs(
  plain: PlainGraph,
  values: Values,
  runs: readonly Values[],
  how: Comparison = {},
): string | null {
  for (const [run, results] of runs.entries()) {
    for (const [name, { tensor, value }] of plain.outputs) {
      const defined = definedIn(plain, value, values);
      const comparison = defined === undefined ? how : { ...how, defined };
      const difference = differenceOf(tensor, valueIn(values, value), valueIn(results, name), comparison);
      if (difference !== null) return `${name} (${value}), dispatch ${run + 1}: ${difference}`;
    }
  }
  return null;
}

/** How many elements of a value are defined: DirectML promises nothing about the coordinates past the count. */
function definedIn({ nodes }: PlainGraph, value: string, values: Values): number | undefined {
  const node = nodes.find(({ descriptor, outputs }) => descriptor.type === 'nonzeroCoordinates' && outputs[1]?.value === value);
  const [count, coordinates] = node?.outputs ?? [];
  if (count === undefined || coordinates === undefined) return undefined;
  const bytes = valueIn(values, count.value);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) * (coordinates.tensor.sizes.at(-1) ?? 1);
}
