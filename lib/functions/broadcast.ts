/** Broadcasts inputs as NumPy does, by views. The only place that explains why sizes do not broadcast. */
import { Tensor } from '../api/memory/tensor.js';
import { fieldError, list, type DirectMLError, type Place } from '../values/errors.js';
import { Value } from '../graph/value.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { equal } from '../descriptors/checks.js';
import { broadcastHint } from '../descriptors/shape-hints.js';
import { canBroadcast } from '../tensors/tensor-size.js';
import type { Form, Request } from './form.js';

/** Makes a tensor or a value of these sizes that has the number everywhere. `place` is that of the number. */
type MakeNumber = (place: Place, dataType: DataType, number: number | bigint, sizes: readonly number[]) => Tensor | Value;

/**
 * Replaces numbers in the request, and tensors that have fewer elements than others.
 *
 * @throws {DirectMLError} ERR_DIMENSION_COUNT or ERR_SIZES if the sizes do not broadcast; the errors of a number that does not
 * fit into its data type.
 */
export function broadcastInputs(request: Request, { broadcast }: Form, make: MakeNumber): void {
  if (broadcast.length === 0) return;
  const target = request.type === 'gemm' ? productSizes(request) : commonSizes(broadcast, request);
  if (target === null) return;
  for (const name of broadcast) {
    const value = request[name];
    if (typeof value === 'number' || typeof value === 'bigint') {
      const dataType = dataTypeFor(request, name);
      if (dataType !== undefined) request[name] = make({ operator: request.type, field: name }, dataType, value, target);
    } else if (isArrayLike(value) && !equal(value.sizes, target)) {
      request[name] = value.broadcastTo(canBroadcast(value.sizes, target) ? target : refusedSizes(request, value, target));
    }
  }
}

/** The sizes to which all inputs can be repeated; null if there are none. */
function commonSizes(names: readonly string[], request: Request): readonly number[] | null {
  let common: readonly number[] | null = null;
  let before = '';
  for (const name of names) {
    const value = request[name];
    if (!isArrayLike(value)) continue;
    const { sizes } = value;
    if (common !== null && equal(sizes, common)) continue;
    if (common === null || canBroadcast(common, sizes)) {
      common = sizes;
      before = name;
    } else if (!canBroadcast(sizes, common)) {
      const both = bothSizes(sizes, common);
      if (both === null) throw cannotBroadcast(request, { name, sizes }, { name: before, sizes: common });
      common = both;
      before += ` and ${name}`;
    }
  }
  return common;
}

/** For [3, 1] and [4], [3, 4]; null if a size that is not 1 meets another one. */
export function bothSizes(a: readonly number[], b: readonly number[]): readonly number[] | null {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const added = long.length - short.length;
  const both = long.map((size, axis) => (size === 1 ? (short[axis - added] ?? 1) : size));
  return canBroadcast(a, both) && canBroadcast(b, both) ? both : null;
}

interface Sized {
  readonly name: string;
  readonly sizes: readonly number[];
}

/** `before` are the inputs before it, with the sizes that they have together. */
function cannotBroadcast({ type }: Request, given: Sized, before: Sized): DirectMLError {
  const { sizes } = given;
  const [wanted, size] = firstDifference(before.sizes, sizes);
  const expected = `sizes that broadcast with ${list(before.sizes)} of ${before.name}`;
  const rule = `from the last one on, sizes must be equal or 1: ${size} is not ${wanted}`;
  return misfit(type, given, before.sizes, expected, [rule, broadcastHint(given, before.sizes) ?? broadcastHint(before, sizes)]);
}

/**
 * The sizes with as many dimensions as the product has, if the matrices cannot be multiplied: `run` refuses these, and not the
 * dimension count of C.
 *
 * @throws {DirectMLError} if the matrices can be multiplied, because then it is C that does not fit.
 */
function refusedSizes(request: Request, { sizes }: Tensor | Value, target: readonly number[]): readonly number[] {
  if (!canMultiply(request)) return [...new Array<number>(Math.max(0, target.length - sizes.length)).fill(1), ...sizes];
  const given = { name: 'cTensor', sizes };
  const expected = `sizes that repeat to ${list(target)} of the product`;
  throw misfit(request.type, given, target, expected, [broadcastHint(given, target)]);
}

function misfit(
  type: OperatorType,
  { name, sizes }: Sized,
  target: readonly number[],
  expected: string,
  reasons: readonly (string | undefined)[],
): DirectMLError {
  const code = sizes.length === target.length ? 'ERR_SIZES' : 'ERR_DIMENSION_COUNT';
  const why = reasons.filter((reason) => reason !== undefined).join('; ');
  return fieldError(code, { operator: type, field: `${name}.sizes` }, expected, list(sizes), why === '' ? {} : { why });
}

/** The first two sizes, from the last one on, that do not broadcast. */
function firstDifference(a: readonly number[], b: readonly number[]): readonly [number, number] {
  let place = -1;
  while (a.at(place) === b.at(place) || a.at(place) === 1 || b.at(place) === 1) place--;
  return [a.at(place) ?? 1, b.at(place) ?? 1];
}

/** The sizes of the product of two matrices. */
function productSizes({ aTensor, bTensor, transA, transB }: Request): readonly number[] | null {
  if (!isArrayLike(aTensor) || !isArrayLike(bTensor)) return null;
  const rows = aTensor.sizes.at(transA === 'transpose' ? -1 : -2);
  const columns = bTensor.sizes.at(transB === 'transpose' ? -2 : -1);
  return rows === undefined || columns === undefined ? null : [...aTensor.sizes.slice(0, -2), rows, columns];
}

function canMultiply({ aTensor, bTensor, transA, transB }: Request): boolean {
  if (!isArrayLike(aTensor) || !isArrayLike(bTensor)) return false;
  const inner = aTensor.sizes.at(transA === 'transpose' ? -2 : -1) === bTensor.sizes.at(transB === 'transpose' ? -1 : -2);
  return inner && equal(aTensor.sizes.slice(0, -2), bTensor.sizes.slice(0, -2));
}

/** The data type of a number: that of a tensor that supports the same ones, or the only one that the field supports. */
function dataTypeFor(request: Request, name: string): DataType | undefined {
  const { fields } = operatorTable[request.type];
  const support = fields.find((field) => field.name === name)?.support;
  for (const field of fields) {
    const value = request[field.name];
    if (field.role === 'input' && field.support === support && isArrayLike(value)) return value.dataType;
  }
  // The scale of a quantization, which float16 tensors have in float16 too.
  const { inputTensor } = request;
  if (name === 'scaleTensor' && isArrayLike(inputTensor)) return inputTensor.dataType === 'float16' ? 'float16' : 'float32';
  const [only, ...others] = new Set(support?.flatMap(({ dataTypes }) => dataTypes));
  return others.length === 0 ? only : undefined;
}

function isArrayLike(value: unknown): value is Tensor | Value {
  return Tensor.is(value) || Value.is(value);
}
