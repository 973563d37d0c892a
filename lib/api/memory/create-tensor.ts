/** Creates tensors of a device: with a new buffer, or in a given one. */
import { at, fieldError, list } from '../../values/errors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { TensorDesc } from '../../tensors/tensor-desc.js';
import { guard, type ObjectWords } from '../../values/input.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { isPacked, productOf, sameStrides, stridesOf } from '../../tensors/tensor-size.js';
import { resolveTensor, tensorWords } from '../../descriptors/tensor.js';
import { alignedOffset } from '../../tensors/aligned-offset.js';
import { argumentError, labelOption, readArguments, readOptions } from '../../values/arguments.js';
import { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from '../device-context.js';
import { newTensor } from './new-tensor.js';
import { describeTensor, Tensor } from './tensor.js';
import { bytesOfTensor, isNumbers, type TensorData } from './tensor-data.js';
import { tensorAdvice } from './tensor-words.js';

/** The memory for a tensor that {@link Device.createTensor} creates in an existing buffer. */
export interface TensorPlace {
  readonly buffer: DirectMLBuffer;
  /** The first byte of the tensor in the buffer, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
}

/** Options of {@link Device.createTensor}. */
export interface TensorOptions {
  /**
   * Name of the tensor in error messages. A new buffer has it too, for debuggers and the Direct3D 12 debug layer. Default: `''`.
   */
  readonly label?: string | undefined;
}

const words: ObjectWords = {
  ...tensorWords,
  advice: (value) =>
    isNumbers(value) || typeof value === 'string'
      ? 'createTensor({ dataType, sizes }, data) takes it first'
      : tensorAdvice(value),
  fieldAdvice: (name) =>
    name === 'data' ? 'createTensor({ dataType, sizes }, data) takes it as its second argument' : undefined,
};

export function createTensor<T extends DataType>(
  context: DeviceContext,
  desc: TensorDesc & { readonly dataType: T },
  data: TensorData<T> | Tensor<T> | TensorPlace | undefined,
  options: TensorOptions | undefined,
): Tensor<T> {
  const label = labelOption('createTensor', readOptions('createTensor', options, ['label']).get('label'));
  const place = { operator: 'createTensor', field: '' };
  // Read here, and only once, because only here does it have the caller's type.
  const dataType = guard('ERR_INVALID_DESCRIPTOR', at(place, 'dataType'), () => ownDataType(desc));
  const known = dataType === undefined ? undefined : new Map([['dataType', dataType]]);
  const resolved = resolveTensor(describeTensor(desc), place, 'any', context.featureLevel, known, words);
  if (dataType === undefined) throw fieldError('ERR_MISSING_FIELD', at(place, 'dataType'), 'a data type', 'nothing');
  if (Tensor.is(data)) return copyTensor(context, resolved, dataType, data, label);
  if (isPlace(data)) return placeTensor(context, resolved, dataType, data, label);
  if (data === undefined) return newTensor(context, resolved, dataType, label);
  context.refuseWhileRecording('createTensor');
  const tensor = newTensor(context, resolved, dataType, label);
  try {
    tensor.buffer.write(bytesOfTensor({ operator: 'createTensor', field: 'data' }, tensor, data));
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

/** A new tensor with a copy of the elements of another one, which is recorded. */
function copyTensor<T extends DataType>(
  context: DeviceContext,
  resolved: ResolvedTensor,
  dataType: T,
  source: Tensor,
  label: string,
): Tensor<T> {
  const method = 'createTensor';
  if (!source.buffer.belongsTo(context)) {
    throw fieldError('ERR_WRONG_DEVICE', { operator: method, field: 'data' }, 'a tensor of this device', `another device's`);
  }
  source.buffer.check(method);
  requireSameLayout(resolved, source);
  context.refuseWhileRecording(method);
  const tensor = newTensor(context, resolved, dataType, label);
  const sizeInBytes = Math.min(source.totalTensorSizeInBytes, tensor.totalTensorSizeInBytes);
  const rangeOf = ({ buffer, offset }: Tensor) => ({ buffer: buffer.memory, offset, sizeInBytes });
  try {
    context.backend.copy(rangeOf(source), rangeOf(tensor));
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

/** @throws {DirectMLError} unless the elements of both are in the same places. */
function requireSameLayout(wanted: ResolvedTensor, source: Tensor): void {
  const place = { operator: 'createTensor', field: 'data' };
  if (source.dataType !== wanted.dataType) {
    const why = 'the operator cast converts tensors';
    throw fieldError('ERR_DATA_TYPE', place, `a tensor of ${wanted.dataType}`, `one of ${source.dataType}`, { why });
  }
  if (source.sizes.join() !== wanted.sizes.join()) {
    const isReshaped = isPacked(source) && productOf(source.sizes) === productOf(wanted.sizes);
    const why = isReshaped ? `tensor.reshape(${list(wanted.sizes)}) has them` : undefined;
    throw fieldError('ERR_SIZES', place, `a tensor of sizes ${list(wanted.sizes)}`, list(source.sizes), { why });
  }
  if (sameStrides(wanted.sizes, stridesOf(wanted), stridesOf(source))) return;
  const why = 'the operator elementWiseIdentity copies a tensor into another layout';
  throw fieldError('ERR_STRIDES', place, `a tensor of strides ${list(stridesOf(wanted))}`, list(stridesOf(source)), { why });
}

function placeTensor<T extends DataType>(
  context: DeviceContext,
  resolved: ResolvedTensor,
  dataType: T,
  place: TensorPlace,
  label: string,
): Tensor<T> {
  const method = { operator: 'createTensor', field: '' };
  const { buffer, offset: given } = readPlace(place);
  if (!buffer.belongsTo(context)) {
    throw fieldError('ERR_WRONG_DEVICE', at(method, 'buffer'), 'a buffer of this device', `another device's`);
  }
  buffer.check('createTensor');
  const offset = alignedOffset('createTensor', given);
  const end = offset + resolved.totalTensorSizeInBytes;
  if (end > buffer.sizeInBytes) {
    const expected = `a range within the buffer's ${buffer.sizeInBytes} bytes`;
    throw fieldError('ERR_BINDING_RANGE', at(method, 'buffer'), expected, `bytes ${offset} to ${end}`);
  }
  return new Tensor(resolved, dataType, { buffer, offset, ownsBuffer: false, label });
}

function ownDataType<T extends DataType>(desc: { readonly dataType: T }): T | undefined {
  return isObject(desc) && Object.hasOwn(desc, 'dataType') ? desc.dataType : undefined;
}

/** True for `{ buffer, offset }`; false for data. */
function isPlace(data: unknown): data is TensorPlace {
  if (!isObject(data) || ArrayBuffer.isView(data)) return false;
  return guard('ERR_INVALID_ARGUMENT', { operator: 'createTensor', field: 'data' }, () => Object.hasOwn(data, 'buffer'));
}

function readPlace(place: object): { buffer: DirectMLBuffer; offset: unknown } {
  const read = readArguments('createTensor', '', place, ['buffer', 'offset']);
  const buffer = read.get('buffer');
  if (DirectMLBuffer.is(buffer)) return { buffer, offset: read.has('offset') ? read.get('offset') : 0 };
  throw argumentError('createTensor', 'buffer', 'a buffer of this device', buffer);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
