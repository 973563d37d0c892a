/** Compares the results of a graph, of its operators one by one, and of the reference for the same inputs. */
import type { Device } from 'node-directml';
import { bytesPerElement } from '../cases/case.js';
import { number, spread, textOf } from '../cases/decode.js';
import { offsetOf, product } from '../cases/layout.js';
import type { Output } from '../cases/run-case.js';
import { isExact } from '../tolerance/row.js';
import { DIRECTML, differenceFrom, expectationOf } from '../conformance/runner.js';
import { caseOf, valueIn, type Bytes, type Layout, type PlainGraph, type PlainNode, type Values } from './graph-case.js';

/** The first difference between a node's outputs and the reference's for the same inputs; null if there is none. */
export async function differenceFromKernel(reference: Device, node: PlainNode, values: Values): Promise<string | null> {
  const test = caseOf(node, values);
  const expected = await expectationOf(reference, test);
  const actual = node.outputs.map(({ path, tensor, value }) => ({ name: path, tensor, bytes: valueIn(values, value) }));
  // JavaScript's numbers have one NaN. DirectML keeps the sign of a NaN that it casts, or passes on after a comparison.
  const isOfNumbers = expected.some(({ tolerance: { row } }) => isExact(row) && row.compares === true);
  const hasOneNan = test.descriptor.type === 'cast' || isOfNumbers;
  const simplified = <Given extends Output>(outputs: readonly Given[]) =>
    outputs.map((output) => withQuietNan(output, hasOneNan));
  return differenceFrom(simplified(expected), simplified(actual), DIRECTML);
}

/** Makes float16 NaN quiet, as DirectML may do when it copies them. With `hasOne`, also replaces every NaN by the same one. */
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

/** The first difference between a graph's outputs, in any of its runs, and these values; null if there is none. */
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

/** What a graph may lose by `optimize: 'fast'`, beside its largest magnitude, or beside 1. */
const fastTolerances: Readonly<Record<string, number>> = { float32: 1e-4, float16: 0.02 };

/** The first element that is not nearly as expected, in any output; null if there is none. */
export function distanceOfOutputs({ outputs }: PlainGraph, expected: Values, given: Values): string | null {
  for (const [name, { tensor }] of outputs) {
    const numbersIn = (values: Values) => {
      const bytes = valueIn(values, name);
      const width = bytesPerElement(tensor.dataType);
      return Array.from({ length: product(tensor.sizes) }, (_, element) => {
        const at = offsetOf(tensor, element) * width;
        return number(tensor.dataType, bytes.subarray(at, at + width));
      });
    };
    const [wanted, got] = [numbersIn(expected), numbersIn(given)];
    const most = Math.max(1, ...wanted.map(Math.abs).filter(Number.isFinite));
    const tolerance = (fastTolerances[tensor.dataType] ?? 0) * most;
    const isNear = (value: number, other = 0) =>
      // A relu alone makes 0 of NaN; one in another operator passes NaN on.
      Object.is(value, other) || Math.abs(value - other) <= tolerance || (value === 0 && Number.isNaN(other));
    const at = wanted.findIndex((value, i) => !isNear(value, got[i]));
    if (at >= 0) return `${name}, element ${at}: expected ${wanted[at]}, given ${got[at]}`;
  }
  return null;
}

/**
 * The number of defined elements of a value; DirectML does not define coordinates after the count. Undefined if all are defined.
 */
function definedIn({ nodes }: PlainGraph, value: string, values: Values): number | undefined {
  const node = nodes.find(({ descriptor, outputs }) => descriptor.type === 'nonzeroCoordinates' && outputs[1]?.value === value);
  const [count, coordinates] = node?.outputs ?? [];
  if (count === undefined || coordinates === undefined) return undefined;
  const bytes = valueIn(values, count.value);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) * (coordinates.tensor.sizes.at(-1) ?? 1);
}

interface Comparison {
  /** True if two NaN always count as equal, because JavaScript does not specify which NaN a computation gives. */
  readonly anyNan?: boolean;
  /** The number of elements that are defined; the others may have any bits. By default all. */
  readonly defined?: number;
}

/** The first difference between elements, bit by bit. Bytes in gaps do not count, because a graph does not define them. */
function differenceOf(
  tensor: Layout,
  expected: Bytes,
  actual: Bytes,
  { anyNan = false, defined }: Comparison = {},
): string | null {
  if (Buffer.compare(expected, actual) === 0) return null;
  const isNibbles = bytesPerElement(tensor.dataType) < 1;
  const width = isNibbles ? 1 : bytesPerElement(tensor.dataType);
  const [wanted, given] = isNibbles ? [spread(expected), spread(actual)] : [expected, actual];
  const count = defined ?? product(tensor.sizes);
  let first: string | null = null;
  let wrong = 0;
  for (let element = 0; element < count; element++) {
    const at = offsetOf(tensor, element) * width;
    const [a, b] = [wanted.subarray(at, at + width), given.subarray(at, at + width)];
    if (Buffer.compare(a, b) === 0 || (tensor.dataType === 'float16' && isMadeQuiet(a, b))) continue;
    const [x, y] = [number(tensor.dataType, a), number(tensor.dataType, b)];
    if (anyNan && Number.isNaN(x) && Number.isNaN(y)) continue;
    wrong += 1;
    first ??= `element ${element}: expected ${textOf(tensor.dataType, a)}, given ${textOf(tensor.dataType, b)}`;
  }
  return first === null ? null : `${first}, ${wrong} of ${count} elements differ`;
}

/** True if `given` is the quiet form of a signaling float16 NaN; DirectML makes NaN quiet with strides (docs/differences.md). */
function isMadeQuiet([low = 0, high = 0]: Uint8Array, given: Uint8Array): boolean {
  const isNaN = (high & 0x7c) === 0x7c && ((high & 3) | low) !== 0;
  return isNaN && given[0] === low && given[1] === (high | 2);
}
