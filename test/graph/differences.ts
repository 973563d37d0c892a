/** Differences between what a graph gives, what its operators give one by one, and what the reference makes of the same inputs. */
import type { Device } from 'node-directml';
import type { Output } from '../conformance/run-case.js';
import { isExact } from '../conformance/tolerance/row.js';
import { differenceFrom, expectationOf } from '../conformance/runner.js';
import { definedElements, differenceOf, type Comparison } from './compare-values.js';
import { caseOf, valueIn, type PlainGraph, type PlainNode, type Values } from './graph-case.js';

/** The first difference of a node's outputs from what the reference makes of the same inputs; null if there is none. */
export async function differenceFromKernel(reference: Device, node: PlainNode, values: Values): Promise<string | null> {
  const test = caseOf(node, values);
  const expected = await expectationOf(reference, test);
  const actual = node.outputs.map(({ path, tensor, value }) => ({ name: path, tensor, bytes: valueIn(values, value) }));
  // JavaScript's numbers have one NaN. DirectML keeps the sign of a NaN that it casts, or passes on after a comparison.
  const isOfNumbers = expected.some(({ tolerance: { row } }) => isExact(row) && row.compares === true);
  const simplified = test.descriptor.type === 'cast' || isOfNumbers ? withOneNan : withQuietNan;
  return differenceFrom(expected.map(simplified), actual.map(simplified));
}

/** DirectML may make a signaling float16 NaN quiet when it copies it. */
function withQuietNan<Given extends Output>(output: Given): Given {
  if (output.tensor.dataType !== 'float16') return output;
  const bytes = output.bytes.slice();
  const words = new Uint16Array(bytes.buffer);
  words.forEach((word, i) => (words[i] = (word & 0x7fff) > 0x7c00 ? word | 0x200 : word));
  return { ...output, bytes };
}

function withOneNan<Given extends Output>(output: Given): Given {
  const { dataType } = output.tensor;
  const bytes = output.bytes.slice();
  if (dataType === 'float16') {
    const words = new Uint16Array(bytes.buffer);
    words.forEach((word, i) => (words[i] = (word & 0x7fff) > 0x7c00 ? 0x7e00 : word));
  } else if (dataType === 'float32') {
    const words = new Uint32Array(bytes.buffer);
    words.forEach((word, i) => (words[i] = (word & 0x7fff_ffff) > 0x7f80_0000 ? 0x7fc0_0000 : word));
  }
  return { ...output, bytes };
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

function definedIn({ nodes }: PlainGraph, value: string, values: Values): number | undefined {
  for (const node of nodes) {
    const port = node.outputs.find((output) => output.value === value);
    if (port !== undefined) return definedElements(node, port.path, values);
  }
  return undefined;
}
