/** Creates tensors of a device: with a new buffer, or in a given one. */
import { at, fieldError } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import type { TensorDesc } from '../schema/tensor-desc.js';
import { guard, type ObjectWords } from '../validation/input.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { resolveTensor, tensorWords } from '../validation/tensor.js';
import { alignedOffset, argumentError, labelOption, readArguments, readOptions } from '../validation/arguments.js';
import { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { newTensor } from './outputs.js';
import { describeTensor, Tensor } from './tensor.js';
import { isNumbers, type TensorData } from './tensor-data.js';
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
  data: TensorData<T> | TensorPlace | undefined,
  options: TensorOptions | undefined,
): Tensor<T> {
  const label = labelOption('createTensor', readOptions('createTensor', options, ['label']).get('label'));
  const place = { operator: 'createTensor', field: '' };
  // Read here, and only once, because only here does it have the caller's type.
  const dataType = guard('ERR_INVALID_DESCRIPTOR', at(place, 'dataType'), () => ownDataType(desc));
  const known = dataType === undefined ? undefined : new Map([['dataType', dataType]]);
  const resolved = resolveTensor(describeTensor(desc), place, 'any', context.featureLevel, known, words);
  if (dataType === undefined) throw fieldError('ERR_MISSING_FIELD', at(place, 'dataType'), 'a data type', 'nothing');
  if (isPlace(data)) return placeTensor(context, resolved, dataType, data, label);
  const tensor = newTensor(context, resolved, dataType, label);
  if (data === undefined) return tensor;
  try {
    tensor.write(data);
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
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

/** True for a tensor and for `{ buffer, offset }`; false for data. */
function isPlace(data: unknown): data is TensorPlace {
  if (!isObject(data) || ArrayBuffer.isView(data)) return false;
  return guard('ERR_INVALID_ARGUMENT', { operator: 'createTensor', field: 'data' }, () => Object.hasOwn(data, 'buffer'));
}

function readPlace(place: object): { buffer: DirectMLBuffer; offset: unknown } {
  if (Tensor.is(place)) return { buffer: place.buffer, offset: place.offset };
  const read = readArguments('createTensor', '', place, ['buffer', 'offset']);
  const buffer = read.get('buffer');
  if (DirectMLBuffer.is(buffer)) return { buffer, offset: read.has('offset') ? read.get('offset') : 0 };
  throw argumentError('createTensor', 'buffer', 'a buffer of this device', buffer);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
