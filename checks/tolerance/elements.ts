/** The facts that a tolerance may depend on: the output's element, the inputs' elements and the descriptor's fields. */
import type { TensorDesc } from 'node-directml';
import { isFloat } from '#lib/tensors/data-types.js';
import { base64, bytesPerElement, type ConformanceCase } from '../cases/case.js';
import { elementAt } from '../cases/decode.js';
import { inputsOf, product } from '../cases/layout.js';
import type { Element } from './row.js';

/** Further results of the reference that a row of the tolerance table needs. */
export interface Beside {
  /** The result from the magnitudes of all inputs and factors, without the activation. */
  readonly magnitudes?: Float64Array | undefined;
  /** The result without the activation, which is the activation's argument. */
  readonly before?: Uint8Array | undefined;
}

/** A function that gives an output's element by its row-major index. */
export function elementsOf(
  test: ConformanceCase,
  output: TensorDesc,
  expected: Uint8Array,
  { magnitudes, before }: Beside,
): (element: number) => Element {
  const count = product(output.sizes);
  const inputs = inputsOf(test).filter(({ tensor }) => product(tensor.sizes) === count);
  const largest = magnitudes === undefined || before === undefined ? 0 : largestOf(magnitudes);
  const given = (element: number): number[] =>
    before === undefined
      ? inputs.map(({ tensor, bytes }) => elementAt(tensor, bytes, element))
      : [elementAt(output, before, element)];
  let allFinite: boolean | undefined;
  return (element) => {
    const x = given(element);
    return {
      y: elementAt(output, expected, element),
      x,
      finite: x.length === 0 ? (allFinite ??= hasFiniteInputs(test)) : x.every(Number.isFinite),
      ofMagnitudes: withinFloat32(magnitudes?.[element] ?? 0),
      largestOfMagnitudes: largest,
      field: (name) => fieldOf(test.descriptor, name),
    };
  };
}

/** True if all elements of the float inputs are finite. Tensor arrays are assumed to be finite. */
function hasFiniteInputs(test: ConformanceCase): boolean {
  return inputsOf(test).every(
    ({ tensor, bytes }) => !isFloat(tensor.dataType) || numbersOf(tensor, bytes).every(Number.isFinite),
  );
}

/** All elements in row-major order. */
export function numbersOf(tensor: TensorDesc, bytes: Uint8Array): Float64Array {
  return Float64Array.from({ length: product(tensor.sizes) }, (_, i) => elementAt(tensor, bytes, i));
}

/** The bound of partial sums. If the sum of magnitudes overflows, they may still be as large as the largest float32. */
function withinFloat32(magnitude: number): number {
  return Number.isFinite(magnitude) ? magnitude : 2 ** 127;
}

/** The largest of the finite elements. */
function largestOf(values: Float64Array): number {
  return values.reduce((largest, value) => (Number.isFinite(value) ? Math.max(largest, value) : largest), 0);
}

/** A numeric field. The row is the fused activation's, so its field hides an operator's field of the same name. */
function fieldOf(descriptor: object, name: string): number {
  for (const fields of [Reflect.get(descriptor, 'fusedActivation'), descriptor, Reflect.get(descriptor, 'scaleBias')]) {
    const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
    if (typeof value === 'number') return value;
  }
  return 0;
}

export function withoutActivation(test: ConformanceCase): ConformanceCase {
  const descriptor = { ...test.descriptor };
  Reflect.deleteProperty(descriptor, 'fusedActivation');
  return { ...test, descriptor };
}

/** The case with the magnitudes of all numeric fields and of all elements of float inputs. */
export function withMagnitudes(test: ConformanceCase): ConformanceCase {
  const data = { ...test.data };
  for (const { name, tensor, bytes } of inputsOf(test)) {
    if (!isFloat(tensor.dataType)) continue;
    const width = bytesPerElement(tensor.dataType);
    for (let high = width - 1; high < bytes.length; high += width) bytes[high] = (bytes[high] ?? 0) & 0x7f;
    data[name] = base64(bytes);
  }
  const descriptor = { ...test.descriptor };
  for (const [name, value] of Object.entries(descriptor) as [string, unknown][]) {
    if (typeof value === 'number') Reflect.set(descriptor, name, Math.abs(value));
  }
  return { ...test, descriptor, data };
}
