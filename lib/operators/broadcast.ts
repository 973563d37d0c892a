/** Broadcasts inputs as NumPy does, by views. Where sizes do not fit, the inputs stay as they are: `run` says what is wrong. */
import { Tensor } from '../api/memory/tensor.js';
import { Value } from '../graph/value.js';
import { operatorTable } from '../schema/generated/table.js';
import type { DataType } from '../schema/generated/enums.js';
import { equal } from '../validation/rules/checks.js';
import { canBroadcast } from '../validation/tensor-size.js';
import type { Form, Request } from './form.js';

/** Makes a tensor or a value of these sizes that has the number everywhere. */
export type MakeNumber = (dataType: DataType, number: number | bigint, sizes: readonly number[]) => Tensor | Value;

/** Replaces numbers in the request, and tensors that have fewer elements than others. */
export function broadcastInputs(request: Request, { broadcast }: Form, make: MakeNumber): void {
  if (broadcast.length === 0) return;
  const target = request.type === 'gemm' ? productSizes(request) : commonSizes(broadcast, request);
  if (target === null) return;
  for (const name of broadcast) {
    const value = request[name];
    if (typeof value === 'number' || typeof value === 'bigint') {
      const dataType = dataTypeFor(request, name);
      if (dataType !== undefined) request[name] = make(dataType, value, target);
    } else if (isArrayLike(value) && !equal(value.sizes, target) && canBroadcast(value.sizes, target)) {
      request[name] = value.broadcastTo(target);
    }
  }
}

/** The sizes to which all inputs can be repeated; null if there are none. */
function commonSizes(names: readonly string[], request: Request): readonly number[] | null {
  let common: readonly number[] | null = null;
  for (const name of names) {
    const value = request[name];
    if (!isArrayLike(value)) continue;
    const { sizes } = value;
    if (common !== null && equal(sizes, common)) continue;
    if (common === null || canBroadcast(common, sizes)) common = sizes;
    else if (!canBroadcast(sizes, common)) common = bothSizes(sizes, common);
    if (common === null) return null;
  }
  return common;
}

/** For [3, 1] and [4], [3, 4]. */
function bothSizes(a: readonly number[], b: readonly number[]): readonly number[] | null {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const added = long.length - short.length;
  const both = long.map((size, axis) => (size === 1 ? (short[axis - added] ?? 1) : size));
  return canBroadcast(a, both) && canBroadcast(b, both) ? both : null;
}

/** The sizes of the product of two matrices. */
function productSizes({ aTensor, bTensor, transA, transB }: Request): readonly number[] | null {
  if (!isArrayLike(aTensor) || !isArrayLike(bTensor)) return null;
  const rows = aTensor.sizes.at(transA === 'transpose' ? -1 : -2);
  const columns = bTensor.sizes.at(transB === 'transpose' ? -2 : -1);
  return rows === undefined || columns === undefined ? null : [...aTensor.sizes.slice(0, -2), rows, columns];
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
