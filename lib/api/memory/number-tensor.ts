/** Tensors of one element, for numbers that a program gives in the place of a tensor. */
import type { Place } from '../../values/errors.js';
import { numberText } from '../../values/given.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { DeviceContext } from '../device-context.js';
import { outsideScopes } from '../scope.js';
import { newTensor } from './new-tensor.js';
import type { Tensor } from './tensor.js';
import { resolveTensor } from '../../descriptors/tensor.js';
import { readScalar } from '../../descriptors/scalar.js';
import { bytesOfArray } from './array-data.js';

/** So many are kept for each device; which ones were used last does not matter for that. */
const CAPACITY = 1024;

/** By device, the tensors that it has, by data type, number and sizes. */
const known = new WeakMap<DeviceContext, Map<string, Tensor>>();

/** A tensor that has the number everywhere: a view of one element. `place` is that of the number. */
export function numberTensor(
  context: DeviceContext,
  place: Place,
  dataType: DataType,
  number: number | bigint,
  sizes: readonly number[],
): Tensor {
  const tensors = known.get(context) ?? new Map<string, Tensor>();
  known.set(context, tensors);
  const text = keyOfNumber(dataType, number);
  const key = `${text} ${sizes.join()}`;
  const found = tensors.get(key);
  if (found !== undefined && !found.buffer.isDisposed) return found;
  const one = tensors.get(text);
  const element = one !== undefined && !one.buffer.isDisposed ? one : newElement(context, place, dataType, number);
  const tensor = element.broadcastTo(sizes);
  // Their memory is freed when nothing uses it any more. Commands and views may.
  if (tensors.size >= CAPACITY) tensors.clear();
  tensors.set(text, element);
  tensors.set(key, tensor);
  return tensor;
}

/** A text that is the same only for equal numbers of the same type. */
export function keyOfNumber(dataType: DataType, number: number | bigint): string {
  return `${dataType} ${numberText(number)}`;
}

function newElement(context: DeviceContext, place: Place, dataType: DataType, number: number | bigint): Tensor {
  const bytes = bytesOfArray(place, [readScalar(number, place, dataType)], dataType, 1);
  const desc = resolveTensor({ dataType, sizes: [1] }, place, 'any', context.featureLevel);
  const tensor = outsideScopes(() => newTensor(context, desc, dataType));
  tensor.buffer.write(bytes);
  return tensor;
}
