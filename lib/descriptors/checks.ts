/** The checks that the rules of many operators share. */
import { bitsOf } from '../tensors/data-types.js';
import { list } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import {
  knownDimensionCount,
  needDataType,
  needDimensionCount,
  needSizes,
  stateDataType,
  stateDimensionCount,
  stateSizes,
  type TensorOrDraft,
} from './drafted.js';
import type { ResolvedTensor } from './resolved.js';
import { sameSizesHint, type Sized } from './shape-hints.js';
import { strict } from './strict.js';
import { productOf } from '../tensors/tensor-size.js';
import {
  fieldOf,
  namedTensors,
  refuse,
  tensorOf,
  type NamedTensor,
  type Typed,
  type WithField,
  type WithInputs,
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
  const known = tensors.find(({ tensor }) => tensor.dataType !== undefined);
  if (known?.tensor.dataType === undefined) return;
  for (const each of tensors) checkDataType(operator, each, known.tensor.dataType, `as ${known.name} has`);
}

/** `why` says where the expected data type comes from, such as `as inputTensor has`. */
function checkDataType(operator: Typed, { name, tensor }: NamedTensor, expected: DataType, why: string): void {
  const given = stateDataType(tensor, expected);
  if (given !== expected) throw refuse(operator, 'ERR_DATA_TYPE', `${name}.dataType`, `'${expected}', ${why}`, `'${given}'`);
}

/** All given tensors have the same dimension count: that of the first one whose dimension count is known. */
export function sameDimensionCount<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  const tensors = namedTensors<Name>(operator, names);
  const known = tensors.find(({ tensor }) => knownDimensionCount(tensor) !== undefined);
  if (known === undefined) return;
  const count = needDimensionCount(known.tensor);
  for (const { name, tensor } of tensors) {
    const given = stateDimensionCount(tensor, count);
    if (given !== count) {
      const expected = `${count} dimensions, as ${known.name} has`;
      const why = sameSizesHint(operator.type, sized({ name, tensor }), sized(known));
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${name}.sizes`, expected, `${given}`, why);
    }
  }
}

/** All given tensors have the same sizes: those of the first one whose sizes are known. */
export function sameSizes<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  const tensors = namedTensors<Name>(operator, names);
  const known = tensors.find(({ tensor }) => tensor.sizes !== undefined) ?? tensors[0];
  if (known === undefined || tensors.length === 1) return;
  const sizes = needSizes(known.tensor);
  for (const each of tensors) {
    checkSizes(operator, each, sizes, `as ${known.name} has`, () => sameSizesHint(operator.type, sized(each), sized(known)));
  }
}

function sized({ name, tensor }: NamedTensor): Sized {
  return { name, sizes: tensor.sizes };
}

/** All given tensors have the same dimension count, sizes and data type. */
export function sameTensors<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  sameDimensionCount(operator, ...names);
  sameSizes(operator, ...names);
  sameDataType(operator, ...names);
}

/** All tensors have the same dimension count, sizes and data type. */
export function alike<Name extends string>(...names: Name[]): (operator: WithOptionalTensors<Name>) => void {
  return (operator) => sameTensors(operator, ...names);
}

/** Each size of the tensors is 1 or that of `target`. All have the same dimension count, which was checked before. */
export function broadcastsTo<Target extends string, Name extends string>(
  operator: WithInputs<NoInfer<Target>> & WithOptionalTensors<NoInfer<Name>>,
  target: Target,
  ...names: Name[]
): void {
  const { sizes } = fieldOf<Target, ResolvedTensor>(operator, target);
  for (const { name, tensor } of namedTensors<Name>(operator, names)) {
    const given = needSizes(tensor);
    const i = given.findIndex((size, axis) => size !== 1 && size !== sizes[axis]);
    if (i >= 0) {
      const expected = sizes[i] === 1 ? '1' : `1 or ${sizes[i]}`;
      throw refuse(operator, 'ERR_SIZES', `${name}.sizes[${i}]`, expected, `${given[i]}`, `to broadcast to ${target}`);
    }
  }
}

/** If the tensor is given, it has these sizes. `hint` is asked for only if the sizes differ. */
export function hasSizes<Name extends string>(
  operator: WithOptionalTensors<NoInfer<Name>>,
  name: Name,
  expected: readonly number[],
  why: string,
  hint?: () => string | undefined,
): void {
  for (const each of namedTensors<Name>(operator, [name])) checkSizes(operator, each, expected, why, hint);
}

/** As many groups of threads as Direct3D allows along a dimension of a dispatch, times the threads of a group. */
const MOST_THREADS = 65_535 * 256;

/**
 * The tensor has no more elements than a dispatch may have threads, since each has a thread of its own. If all elements along
 * `axes` share a thread, their sizes do not count.
 */
export function fitsOneDispatch<Name extends string>(
  operator: WithTensors<NoInfer<Name>>,
  name: Name,
  axes: readonly number[] = [],
): void {
  const sizes = needSizes(tensorOf<Name, TensorOrDraft>(operator, name));
  const count = productOf(sizes.filter((_, axis) => !axes.includes(axis)));
  if (count <= MOST_THREADS) return;
  const expected = `at most ${MOST_THREADS} elements${axes.length > 0 ? ' besides those along the axes' : ''}`;
  const why = `DirectML cannot dispatch a thread for each of ${count}`;
  throw strict('thread-groups', refuse(operator, 'ERR_SIZES', `${name}.sizes`, expected, list(sizes), why));
}

/** `hint` is asked for only if the sizes differ. */
function checkSizes(
  operator: Typed,
  { name, tensor }: NamedTensor,
  expected: readonly number[],
  why: string,
  hint: () => string | undefined = () => undefined,
): void {
  const given = stateSizes(tensor, () => expected);
  if (equal(given, expected)) return;
  const reasons = [why, hint()].filter((reason) => reason !== undefined).join('; ');
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, list(expected), list(given), reasons);
}

/** `name` has the sizes of `first`, except along `axis`, where its size is `size`. */
export function sameSizesExceptAlong<First extends string, Name extends string>(
  operator: WithTensors<NoInfer<First | Name>>,
  first: First,
  name: Name,
  axis: number,
  size: number,
): void {
  const expected = needSizes(tensorOf<First, TensorOrDraft>(operator, first)).with(axis, size);
  checkSizes(
    operator,
    { name, tensor: tensorOf<Name, TensorOrDraft>(operator, name) },
    expected,
    `as ${first} has, but for dimension ${axis}`,
  );
}

/** The tensors in the field `field` have the data type and the sizes of `whole`, except along `axis`. */
export function sameExceptAlong(
  operator: Typed,
  axis: number,
  field: string,
  parts: readonly TensorOrDraft[],
  { name, tensor: whole }: NamedTensor,
): void {
  for (const [i, part] of parts.entries()) {
    const path = `${field}[${i}]`;
    const [dataType, wanted] = [needDataType(part), needDataType(whole)];
    if (dataType !== wanted) {
      throw refuse(operator, 'ERR_DATA_TYPE', `${path}.dataType`, `'${wanted}', as ${name} has`, `'${dataType}'`);
    }
    const [sizes, wholeSizes] = [needSizes(part), needSizes(whole)];
    if (sizes.length !== wholeSizes.length) {
      const expected = `${wholeSizes.length} dimensions, as ${name} has`;
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${path}.sizes`, expected, `${sizes.length}`);
    }
    if (sizes.some((size, dimension) => dimension !== axis && size !== wholeSizes[dimension])) {
      const expected = `${list(wholeSizes)} but for dimension ${axis}`;
      throw refuse(operator, 'ERR_SIZES', `${path}.sizes`, expected, list(sizes));
    }
  }
}

/** The field `axis`, which is a dimension of the tensor. */
export function axisOf(operator: WithNumber<'axis'>, tensor: TensorOrDraft): number {
  return inRange(operator, 'axis', 0, needSizes(tensor).length - 1);
}

/** The array field `name`, which has one element for each dimension of the tensor. */
export function perDimension<Name extends string, Tensor extends string>(
  operator: WithNumbers<NoInfer<Name>> & WithTensors<NoInfer<Tensor>>,
  name: Name,
  tensor: Tensor,
): readonly number[] {
  const values = fieldOf<Name, readonly number[]>(operator, name);
  const { length } = needSizes(tensorOf<Tensor, TensorOrDraft>(operator, tensor));
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
  const dataType = stateDataType(tensorOf<Tensor, TensorOrDraft>(operator, tensor), given);
  if (given !== dataType) {
    throw refuse(operator, 'ERR_DATA_TYPE', name, `'${dataType}', as ${tensor} has`, `'${given}'`);
  }
}

/** `scaleBias` must be null for 64-bit data types. */
export function scaleBiasFits(operator: WithInputs<'inputTensor'> & { readonly scaleBias?: object | null }): void {
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
  operator: WithInputs<NoInfer<Name>>,
  name: Name,
  count: number,
  countField: string,
): void {
  const { sizes } = fieldOf<Name, ResolvedTensor>(operator, name);
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
