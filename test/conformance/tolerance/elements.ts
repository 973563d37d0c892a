/** What a tolerance may depend on: the elements of a case's outputs, beside the inputs' and the descriptor's fields. */
import type { TensorDesc } from 'node-directml';
import { isFloat } from '#lib/data-types/table.js';
import { base64, bytesPerElement, fromBase64, type ConformanceCase } from '../case.js';
import { elementAt } from '../decode.js';
import { isTensor, product } from '../layout.js';
import type { Element } from './row.js';

/** Results of the reference that a row asks for, beside the case's own. */
export interface Beside {
  /** By element, where all inputs and factors are taken by their magnitudes, and without the activation. */
  readonly magnitudes?: Float64Array | undefined;
  /** Without the activation: what the activation is given. */
  readonly before?: Uint8Array | undefined;
}

/** Gives the element of an output by its row-major number. */
export function elementsOf(
  { descriptor, data }: ConformanceCase,
  output: TensorDesc,
  expected: Uint8Array,
  { magnitudes, before }: Beside,
): (element: number) => Element {
  const count = product(output.sizes);
  const inputs = Object.entries(descriptor).flatMap(([name, tensor]: [string, unknown]) => {
    const bytes = data[name];
    if (!isTensor(tensor) || typeof bytes !== 'string' || product(tensor.sizes) !== count) return [];
    return [{ tensor, bytes: fromBase64(bytes) }];
  });
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
      finite: x.length === 0 ? (allFinite ??= hasFiniteInputs(descriptor, data)) : x.every(Number.isFinite),
      ofMagnitudes: withinFloat32(magnitudes?.[element] ?? 0),
      largestOfMagnitudes: largest,
      field: (name) => fieldOf(descriptor, name),
    };
  };
}

/** Of the floating-point tensors; lists of tensors are taken for finite. */
function hasFiniteInputs(descriptor: object, data: ConformanceCase['data']): boolean {
  return Object.entries(data).every(([name, text]) => {
    const tensor: unknown = Reflect.get(descriptor, name);
    if (typeof text !== 'string' || !isTensor(tensor) || !isFloat(tensor.dataType)) return true;
    return numbersOf(tensor, fromBase64(text)).every(Number.isFinite);
  });
}

/** All elements in row-major order. */
export function numbersOf(tensor: TensorDesc, bytes: Uint8Array): Float64Array {
  return Float64Array.from({ length: product(tensor.sizes) }, (_, i) => elementAt(tensor, bytes, i));
}

/** Where magnitudes overflow, partial sums of the elements themselves may be as large as there are numbers. */
function withinFloat32(magnitude: number): number {
  return Number.isFinite(magnitude) ? magnitude : 2 ** 127;
}

/** Of the finite elements. */
function largestOf(values: Float64Array): number {
  return values.reduce((largest, value) => (Number.isFinite(value) ? Math.max(largest, value) : largest), 0);
}

/** A fused activation's fields come before those that the operator has of the same name, for the row is its own. */
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

/** The case with the sign of every factor and of every element of its floating-point inputs taken away. */
export function withMagnitudes(test: ConformanceCase): ConformanceCase {
  const data = Object.entries(test.data).map(([name, text]) => {
    const tensor: unknown = Reflect.get(test.descriptor, name);
    if (typeof text !== 'string' || !isTensor(tensor) || !isFloat(tensor.dataType)) return [name, text];
    const bytes = fromBase64(text);
    const width = bytesPerElement(tensor.dataType);
    for (let high = width - 1; high < bytes.length; high += width) bytes[high] = (bytes[high] ?? 0) & 0x7f;
    return [name, base64(bytes)];
  });
  const descriptor = { ...test.descriptor };
  for (const [name, value] of Object.entries(descriptor) as [string, unknown][]) {
    if (typeof value === 'number') Reflect.set(descriptor, name, Math.abs(value));
  }
  return { ...test, descriptor, data: Object.fromEntries(data) };
}
