/** The checks that the rules of many operators share. */
import { bitsOf } from '../../data-types/table.js';
import { list } from '../../errors.js';
import type { DataType } from '../../schema/generated/enums.js';
import { channelHint } from '../channels.js';
import { dataTypeOf, dimensionCountOf, fillIn, missingPart, sizesOf } from '../complete-outputs.js';
import type { ResolvedTensor } from '../resolved.js';
import { canBroadcast } from '../tensor-size.js';
import {
  fieldOf,
  namedTensors,
  refuse,
  tensorOf,
  type NamedTensor,
  type Typed,
  type WithField,
  type WithNumber,
  type WithNumbers,
  type WithOptionalTensors,
  type WithTensors,
} from './rule.js';

/** The array field `name`, whose elements are at least 1. */
export function numbersAtLeastOne<Name extends string>(operator: WithNumbers<NoInfer<Name>>, name: Name): readonly number[] {
  const values = fieldOf<Name, readonly number[]>(operator, name);
  const zero = values.indexOf(0);
  if (zero >= 0) throw refuse(operator, 'ERR_OUT_OF_RANGE', `${name}[${zero}]`, 'at least 1', '0');
  return values;
}

/** All given tensors have the same data type: that of the first one whose data type is known. */
export function sameDataType<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  const tensors = namedTensors<Name>(operator, names);
  const known = tensors.find(({ tensor }) => dataTypeOf(tensor) !== undefined);
  if (known === undefined) return;
  for (const each of tensors) checkDataType(operator, each, known.tensor.dataType, `as ${known.name} has`);
}

/** `why` says where the expected data type comes from, such as `as inputTensor has`. */
function checkDataType(operator: Typed, { name, tensor }: NamedTensor, expected: DataType, why: string): void {
  fillIn(tensor, { dataType: expected });
  if (tensor.dataType !== expected) {
    throw refuse(operator, 'ERR_DATA_TYPE', `${name}.dataType`, `'${expected}', ${why}`, `'${tensor.dataType}'`);
  }
}

/** All given tensors have the same dimension count: that of the first one whose dimension count is known. */
export function sameDimensionCount<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  const tensors = namedTensors<Name>(operator, names);
  const known = tensors.find(({ tensor }) => dimensionCountOf(tensor) !== undefined);
  if (known === undefined) return;
  const count = dimensionCountOf(known.tensor);
  for (const { name, tensor } of tensors) {
    fillIn(tensor, { dimensionCount: count });
    const given = dimensionCountOf(tensor);
    if (given !== count) {
      const expected = `${count} dimensions, as ${known.name} has`;
      const hint = channelHint(operator.type, name, sizesOf(tensor) ?? [], sizesOf(known.tensor));
      const why = hint ?? broadcastHint({ name, tensor }, known);
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${name}.sizes`, expected, `${given}`, why);
    }
  }
}

/** All given tensors have the same sizes: those of the first one whose sizes are known. */
export function sameSizes<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  const tensors = namedTensors<Name>(operator, names);
  const known = tensors.find(({ tensor }) => sizesOf(tensor) !== undefined) ?? tensors[0];
  if (known === undefined || tensors.length === 1) return;
  const { sizes } = known.tensor;
  for (const each of tensors) {
    checkSizes(operator, each, sizes, `as ${known.name} has`, () => broadcastHint(each, known));
  }
}

/** The call that makes the sizes of two inputs the same; undefined if there is none. */
function broadcastHint(given: NamedTensor, known: NamedTensor): string | undefined {
  for (const [from, to] of [
    [given, known],
    [known, given],
  ] as const) {
    const [own, target] = [sizesOf(from.tensor), sizesOf(to.tensor)];
    if (own === undefined || target === undefined || from.name.startsWith('output') || equal(own, target)) continue;
    if (canBroadcast(own, target)) return `${from.name}.broadcastTo(${list(target)}) would fit`;
  }
  return undefined;
}

/** All given tensors have the same dimension count, sizes and data type. */
export function sameTensors<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  sameDimensionCount(operator, ...names);
  sameSizes(operator, ...names);
  sameDataType(operator, ...names);
}

/** Each size of the tensors is 1 or that of `target`. All have the same dimension count, which was checked before. */
export function broadcastsTo<Target extends string, Name extends string>(
  operator: WithTensors<NoInfer<Target>> & WithOptionalTensors<NoInfer<Name>>,
  target: Target,
  ...names: Name[]
): void {
  const { sizes } = tensorOf<Target, ResolvedTensor>(operator, target);
  for (const { name, tensor } of namedTensors<Name>(operator, names)) {
    const given = tensor.sizes;
    const i = given.findIndex((size, axis) => size !== 1 && size !== sizes[axis]);
    if (i >= 0) {
      const expected = sizes[i] === 1 ? '1' : `1 or ${sizes[i]}`;
      throw refuse(operator, 'ERR_SIZES', `${name}.sizes[${i}]`, expected, `${given[i]}`, `to broadcast to ${target}`);
    }
  }
}

/** If the tensor is given, it has these sizes. */
export function hasSizes<Name extends string>(
  operator: WithOptionalTensors<NoInfer<Name>>,
  name: Name,
  expected: readonly number[],
  why: string,
): void {
  for (const each of namedTensors<Name>(operator, [name])) checkSizes(operator, each, expected, why);
}

/** `hint` is asked for only if the sizes differ. */
function checkSizes(
  operator: Typed,
  { name, tensor }: NamedTensor,
  expected: readonly number[],
  why: string,
  hint: () => string | undefined = () => undefined,
): void {
  fillIn(tensor, { sizes: expected });
  if (equal(tensor.sizes, expected)) return;
  const reasons = [why, hint()].filter((reason) => reason !== undefined).join('; ');
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, list(expected), list(tensor.sizes), reasons);
}

/**
 * Fills in the sizes of an output if the descriptor leaves them out. The rule itself checks sizes that are given,
 * because it allows several, or checks them in another order.
 */
export function sizesUnlessGiven(tensor: ResolvedTensor, sizes: () => readonly number[]): void {
  if (sizesOf(tensor) === undefined) fillIn(tensor, { sizes: sizes() });
}

/** Fills in the data type of an output if the descriptor leaves it out. The rule itself checks one that is given. */
export function dataTypeUnlessGiven(tensor: ResolvedTensor, dataType: DataType): void {
  fillIn(tensor, { dataType });
}

/** Throws if the descriptor leaves the data type out. `expected` says which ones are allowed. */
export function needsDataType(tensor: ResolvedTensor, expected: string): void {
  if (dataTypeOf(tensor) === undefined) throw missingPart(tensor, 'dataType', expected);
}

/** The dimension count, which may be known for an output before its sizes are. */
export function dimensionCount(tensor: ResolvedTensor): number {
  return dimensionCountOf(tensor) ?? tensor.sizes.length;
}

/** Throws if the descriptor leaves the sizes out. `expected` says which ones are allowed. */
export function needsSizes(tensor: ResolvedTensor, expected: string): void {
  if (sizesOf(tensor) === undefined) throw missingPart(tensor, 'sizes', expected);
}

/** `name` has the sizes of `first`, except along `axis`, where its size is `size`. */
export function sameSizesExceptAlong<First extends string, Name extends string>(
  operator: WithTensors<NoInfer<First | Name>>,
  first: First,
  name: Name,
  axis: number,
  size: number,
): void {
  const expected = tensorOf<First, ResolvedTensor>(operator, first).sizes.with(axis, size);
  checkSizes(
    operator,
    { name, tensor: tensorOf<Name, ResolvedTensor>(operator, name) },
    expected,
    `as ${first} has, but for dimension ${axis}`,
  );
}

/** The tensors in the field `field` have the data type and the sizes of `whole`, except along `axis`. */
export function sameExceptAlong(
  operator: Typed,
  axis: number,
  field: string,
  parts: readonly ResolvedTensor[],
  { name, tensor: whole }: NamedTensor,
): void {
  for (const [i, part] of parts.entries()) {
    const path = `${field}[${i}]`;
    if (part.dataType !== whole.dataType) {
      const expected = `'${whole.dataType}', as ${name} has`;
      throw refuse(operator, 'ERR_DATA_TYPE', `${path}.dataType`, expected, `'${part.dataType}'`);
    }
    if (part.sizes.length !== whole.sizes.length) {
      const expected = `${whole.sizes.length} dimensions, as ${name} has`;
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${path}.sizes`, expected, `${part.sizes.length}`);
    }
    if (part.sizes.some((size, dimension) => dimension !== axis && size !== whole.sizes[dimension])) {
      const expected = `${list(whole.sizes)} but for dimension ${axis}`;
      throw refuse(operator, 'ERR_SIZES', `${path}.sizes`, expected, list(part.sizes));
    }
  }
}

/** The field `axis`, which is a dimension of the tensor. */
export function axisOf(operator: WithNumber<'axis'>, tensor: ResolvedTensor): number {
  return inRange(operator, 'axis', 0, tensor.sizes.length - 1);
}

/** The array field `name`, which has one element for each dimension of the tensor. */
export function perDimension<Name extends string, Tensor extends string>(
  operator: WithNumbers<NoInfer<Name>> & WithTensors<NoInfer<Tensor>>,
  name: Name,
  tensor: Tensor,
): readonly number[] {
  const values = fieldOf<Name, readonly number[]>(operator, name);
  const { length } = tensorOf<Tensor, ResolvedTensor>(operator, tensor).sizes;
  if (values.length !== length) {
    const expected = `${length} elements, one per dimension of ${tensor}`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', name, expected, `${values.length}`);
  }
  return values;
}

/** The field `name`, the data type of the operator's scalars, is the data type of the tensor. */
export function sameScalarType<Name extends string, Tensor extends string>(
  operator: WithField<NoInfer<Name>, DataType> & WithTensors<NoInfer<Tensor>>,
  name: Name,
  tensor: Tensor,
): void {
  const given = fieldOf<Name, DataType>(operator, name);
  const typed = tensorOf<Tensor, ResolvedTensor>(operator, tensor);
  fillIn(typed, { dataType: given });
  const { dataType } = typed;
  if (given !== dataType) {
    throw refuse(operator, 'ERR_DATA_TYPE', name, `'${dataType}', as ${tensor} has`, `'${given}'`);
  }
}

/** `scaleBias` must be null for 64-bit data types. */
export function scaleBiasFits(operator: WithTensors<'inputTensor'> & { readonly scaleBias?: object | null }): void {
  const { dataType } = operator.inputTensor;
  const { scaleBias = null } = operator;
  if (scaleBias !== null && bitsOf(dataType) === 64) {
    const why = 'DirectML scales no 64-bit types';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'scaleBias', `null for '${dataType}'`, 'a scale and a bias', why);
  }
}

/** The field `name`, which is `minimum` to `maximum`. */
export function inRange<Name extends string>(
  operator: WithNumber<NoInfer<Name>>,
  name: Name,
  minimum: number,
  maximum: number,
): number {
  const value = fieldOf<Name, number>(operator, name);
  if (value < minimum || value > maximum) {
    const expected = minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', name, expected, `${value}`);
  }
  return value;
}

/** All sizes before the last `count` are 1. */
export function leadingOnes<Name extends string>(
  operator: WithTensors<NoInfer<Name>>,
  name: Name,
  count: number,
  countField: string,
): void {
  const { sizes } = tensorOf<Name, ResolvedTensor>(operator, name);
  const i = sizes.findIndex((size, axis) => axis < sizes.length - count && size !== 1);
  if (i >= 0) {
    const why = `${countField} is ${count}, so dimensions before the last ${count} do not count`;
    throw refuse(operator, 'ERR_SIZES', `${name}.sizes[${i}]`, '1', `${sizes[i]}`, why);
  }
}

/**
 * `sizes` with `count` dimensions: leading ones are added or removed. Returns null if a leading size other than 1
 * would have to be removed.
 */
export function rightAlign(sizes: readonly number[], count: number): number[] | null {
  const surplus = Math.max(0, sizes.length - count);
  if (sizes.slice(0, surplus).some((size) => size !== 1)) return null;
  return [...new Array<number>(Math.max(0, count - sizes.length)).fill(1), ...sizes.slice(surplus)];
}

export function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
