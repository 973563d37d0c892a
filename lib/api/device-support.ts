/** Checks that the device supports the data types of a valid descriptor. */
import { fieldError } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { ResolvedOperator } from '../descriptors/resolved.js';

/** @throws {DirectMLError} ERR_DATA_TYPE for a tensor of a data type that the device does not support. */
export function checkDataTypes({ descriptor, slots }: ResolvedOperator, supported: readonly DataType[]): void {
  for (const { path, tensor } of slots) {
    if (tensor === null || supported.includes(tensor.dataType)) continue;
    const expected = `one that the device supports: ${supported.join(', ')}`;
    throw fieldError('ERR_DATA_TYPE', { operator: descriptor.type, field: `${path}.dataType` }, expected, `'${tensor.dataType}'`);
  }
}
