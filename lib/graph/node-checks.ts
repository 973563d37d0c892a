/** Refuses descriptors that work alone but not inside a graph. */
import { bitsOf } from '../tensors/data-types.js';
import { at, fieldError, list, type Place } from '../values/errors.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { ResolvedTensor, TensorSlot } from '../descriptors/resolved.js';
import { strict } from '../descriptors/strict.js';
import { minimumTensorSizeInBytes, sameStrides } from '../tensors/tensor-size.js';

/** @throws {DirectMLError} if DirectML could not put the output where it plans the memory of a graph. */
export function checkOutput(tensor: ResolvedTensor, place: Place): void {
  const needed = minimumTensorSizeInBytes(tensor.dataType, tensor.sizes, tensor.strides);
  if (tensor.totalTensorSizeInBytes !== needed) {
    const given = `${tensor.totalTensorSizeInBytes}`;
    const why = 'a tensor inside a graph has no padding';
    const total = at(place, 'totalTensorSizeInBytes');
    throw strict('graph-padding', fieldError('ERR_TENSOR_SIZE', total, `${needed}`, given, { why }));
  }
  if (tensor.guaranteedBaseOffsetAlignment !== 0) {
    const why = 'DirectML places the tensors inside a graph';
    const given = `${tensor.guaranteedBaseOffsetAlignment}`;
    const alignment = at(place, 'guaranteedBaseOffsetAlignment');
    throw strict('graph-alignment', fieldError('ERR_FIELD_COMBINATION', alignment, '0', given, { why }));
  }
}

/** DirectML refuses some 4-bit tensors with gaps or in another order inside a graph, though it takes them in an operator alone. */
export function refuseStrided4Bit({ path, tensor }: TensorSlot, type: OperatorType): void {
  if (tensor === null || bitsOf(tensor.dataType) !== 4 || sameStrides(tensor.sizes, tensor.strides, null)) return;
  const why = 'DirectML takes few other 4-bit tensors inside a graph';
  const place = { operator: type, field: `${path}.strides` };
  const error = fieldError('ERR_STRIDES', place, 'those of a packed tensor', list(tensor.strides ?? []), { why });
  throw strict('graph-four-bit-strides', error);
}
