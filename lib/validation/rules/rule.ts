/** What a rule is, and the checks that many operators share. */
import { fieldError, type DirectMLError, type ErrorCode } from '../../errors.js';
import type { DataType, FeatureLevel } from '../../schema/generated/enums.js';
import { isDataType } from '../enum.js';
import { list } from '../input.js';
import { dataTypeOf, dimensionCountOf, fillIn, missingPart, sizesOf } from '../settle.js';
import { isOperator, isTensor, numbersField, type ResolvedOperator, type ResolvedTensor, type ResolvedValue } from '../resolved.js';

export { isOperator, isTensor, numbersField };

/**
 * States what an operator's outputs are, and throws where fields that are right alone are wrong together. What it states
 * of an output is compared with what the descriptor gave, or fills in what that left out.
 */
export type Rule = (operator: ResolvedOperator, featureLevel: FeatureLevel) => void;

export function tensorField(operator: ResolvedOperator, name: string): ResolvedTensor {
  const value = operator.fields[name];
  if (isTensor(value)) return value;
  throw new TypeError(`${operator.type}.${name} is no tensor`);
}

export function tensorsField(operator: ResolvedOperator, name: string): readonly ResolvedTensor[] {
  const value = operator.fields[name];
  if (Array.isArray(value)) return value.filter(isTensor);
  throw new TypeError(`${operator.type}.${name} is no array of tensors`);
}

export function uintField(operator: ResolvedOperator, name: string): number {
  const value = operator.fields[name];
  if (typeof value === 'number') return value;
  throw new TypeError(`${operator.type}.${name} is no number`);
}

export function sizeField(operator: ResolvedOperator, name: string): { readonly width: number; readonly height: number } {
  const value = operator.fields[name];
  if (typeof value === 'object' && value !== null && 'width' in value) return value;
  throw new TypeError(`${operator.type}.${name} is no size`);
}

export function numbersAtLeastOne(operator: ResolvedOperator, name: string): readonly number[] {
  const values = numbersField(operator, name);
  const zero = values.indexOf(0);
  if (zero >= 0) throw refuse(operator, 'ERR_OUT_OF_RANGE', `${name}[${zero}]`, 'at least 1', '0');
  return values;
}

export function refuse(
  operator: ResolvedOperator,
  code: ErrorCode,
  field: string,
  expected: string,
  given: string,
  why = '',
): DirectMLError {
  return fieldError(code, operator.type, field, expected, given, why);
}

/** All have the data type of the first one, or of the first that does not leave it out. */
export function sameDataType(operator: ResolvedOperator, first: string, ...others: string[]): void {
  const names = [first, ...others];
  const known = names.find((name) => dataTypeOf(tensorField(operator, name)) !== undefined);
  if (known === undefined) return;
  const { dataType } = tensorField(operator, known);
  for (const name of names) hasDataType(operator, name, dataType, `as ${known} has`);
}

/** @param why Why it has to be this one: `as inputTensor has`. */
export function hasDataType(operator: ResolvedOperator, name: string, expected: DataType, why: string): void {
  const tensor = tensorField(operator, name);
  fillIn(tensor, { dataType: expected });
  if (tensor.dataType !== expected) {
    throw refuse(operator, 'ERR_DATA_TYPE', `${name}.dataType`, `'${expected}', ${why}`, `'${tensor.dataType}'`);
  }
}

export function sameDimensionCount(operator: ResolvedOperator, first: string, ...others: string[]): void {
  const names = [first, ...others];
  const countOf = (name: string) => dimensionCountOf(tensorField(operator, name));
  const known = names.find((name) => countOf(name) !== undefined);
  if (known === undefined) return;
  const count = countOf(known);
  for (const name of names) {
    fillIn(tensorField(operator, name), { dimensionCount: count });
    const given = countOf(name);
    if (given !== count) {
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${name}.sizes`, `${count} dimensions, as ${known} has`, `${given}`);
    }
  }
}

export function sameSizes(operator: ResolvedOperator, first: string, ...others: string[]): void {
  const names = [first, ...others];
  const known = names.find((name) => sizesOf(tensorField(operator, name)) !== undefined) ?? first;
  const { sizes } = tensorField(operator, known);
  for (const name of names) hasSizes(operator, name, sizes, `as ${known} has`);
}

/** Each size of the tensors is 1 or the size of `target` there; all have the same dimension count. */
export function broadcastsTo(operator: ResolvedOperator, target: string, ...names: string[]): void {
  const { sizes } = tensorField(operator, target);
  for (const name of names) {
    const given = tensorField(operator, name).sizes;
    const i = given.findIndex((size, axis) => size !== 1 && size !== sizes[axis]);
    if (i >= 0) {
      const expected = sizes[i] === 1 ? '1' : `1 or ${sizes[i]}`;
      throw refuse(operator, 'ERR_SIZES', `${name}.sizes[${i}]`, expected, `${given[i]}`, `to broadcast to ${target}`);
    }
  }
}

export function hasSizes(operator: ResolvedOperator, name: string, expected: readonly number[], why: string): void {
  const tensor = tensorField(operator, name);
  fillIn(tensor, { sizes: expected });
  if (!equal(tensor.sizes, expected)) {
    throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, list(expected), list(tensor.sizes), why);
  }
}

/**
 * What an output has where the descriptor leaves its sizes out: computed only then, for what it gives is compared by
 * limits that leave it a choice, or in another order.
 */
export function sizesUnlessGiven(operator: ResolvedOperator, name: string, sizes: () => readonly number[]): void {
  const tensor = tensorField(operator, name);
  if (sizesOf(tensor) === undefined) fillIn(tensor, { sizes: sizes() });
}

/** What an output has where the descriptor leaves its data type out; what it gives is compared by the rule itself. */
export function dataTypeUnlessGiven(operator: ResolvedOperator, name: string, dataType: DataType): void {
  fillIn(tensorField(operator, name), { dataType });
}

/** The descriptor must give the data type. @param expected What it may be. */
export function needsDataType(operator: ResolvedOperator, name: string, expected: string): void {
  const tensor = tensorField(operator, name);
  if (dataTypeOf(tensor) === undefined) throw missingPart(tensor, 'dataType', expected);
}

/** The number of dimensions, which an output may have where its sizes are not known yet. */
export function dimensionCount(operator: ResolvedOperator, name: string): number {
  const tensor = tensorField(operator, name);
  return dimensionCountOf(tensor) ?? tensor.sizes.length;
}

/** The descriptor must give the sizes. @param expected What they may be. */
export function needsSizes(operator: ResolvedOperator, name: string, expected: string): void {
  const tensor = tensorField(operator, name);
  if (sizesOf(tensor) === undefined) throw missingPart(tensor, 'sizes', expected);
}

/** `name` has the sizes of `first` but for `axis`, where it has `size`. */
export function sameSizesBut(operator: ResolvedOperator, first: string, name: string, axis: number, size: number): void {
  const expected = tensorField(operator, first).sizes.with(axis, size);
  hasSizes(operator, name, expected, `as ${first} has, but for dimension ${axis}`);
}

/** An axis of the tensor. */
export function axisOf(operator: ResolvedOperator, name: string): number {
  return inRange(operator, 'axis', 0, tensorField(operator, name).sizes.length - 1);
}

/** An array with one element per dimension of the tensor. */
export function perDimension(operator: ResolvedOperator, name: string, tensor: string): readonly number[] {
  const values = numbersField(operator, name);
  const { length } = tensorField(operator, tensor).sizes;
  if (values.length !== length) {
    const expected = `${length} elements, one per dimension of ${tensor}`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', name, expected, `${values.length}`);
  }
  return values;
}

/** A field with a data type of its own for scalars, which has to be the tensor's. */
export function sameScalarType(operator: ResolvedOperator, name: string, tensor: string): void {
  const given = operator.fields[name];
  if (isDataType(given)) fillIn(tensorField(operator, tensor), { dataType: given });
  const { dataType } = tensorField(operator, tensor);
  if (given !== dataType) {
    throw refuse(operator, 'ERR_DATA_TYPE', name, `'${dataType}', as ${tensor} has`, `'${String(given)}'`);
  }
}

export function inRange(operator: ResolvedOperator, name: string, minimum: number, maximum: number): number {
  const value = uintField(operator, name);
  if (value < minimum || value > maximum) {
    const expected = minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', name, expected, `${value}`);
  }
  return value;
}

/** The dimensions before the last `count` are ones. */
export function leadingOnes(operator: ResolvedOperator, name: string, count: number, countField: string): void {
  const { sizes } = tensorField(operator, name);
  const i = sizes.findIndex((size, axis) => axis < sizes.length - count && size !== 1);
  if (i >= 0) {
    const why = `${countField} is ${count}, so dimensions before the last ${count} do not count`;
    throw refuse(operator, 'ERR_SIZES', `${name}.sizes[${i}]`, '1', `${sizes[i]}`, why);
  }
}

/**
 * `sizes` right-aligned in `count` dimensions: ones are put in front, or taken away; null where something else than
 * a one would have to go.
 */
export function rightAlign(sizes: readonly number[], count: number): number[] | null {
  const surplus = Math.max(0, sizes.length - count);
  if (sizes.slice(0, surplus).some((size) => size !== 1)) return null;
  return [...new Array<number>(Math.max(0, count - sizes.length)).fill(1), ...sizes.slice(surplus)];
}

export function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

export function product(sizes: readonly number[]): number {
  return sizes.reduce((result, size) => result * size, 1);
}

export type { ResolvedOperator, ResolvedTensor, ResolvedValue };
