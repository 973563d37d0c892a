/** What only the device at hand can say of a descriptor that is valid. */
import { fieldError } from './errors.js';
import type { DataType } from './schema/generated/enums.js';
import { isTensor, type ResolvedOperator } from './validation/resolved.js';

/** @throws {DirectMLError} ERR_DATA_TYPE for a tensor of a data type that the device does not support. */
export function checkDataTypes(operator: ResolvedOperator, supported: readonly DataType[]): void {
  for (const [field, value] of Object.entries(operator.fields)) {
    const isArray = Array.isArray(value);
    const tensors: readonly unknown[] = isArray ? value : [value];
    for (const [i, tensor] of tensors.entries()) {
      if (!isTensor(tensor) || supported.includes(tensor.dataType)) continue;
      const path = isArray ? `${field}[${i}].dataType` : `${field}.dataType`;
      const expected = `one that the device supports: ${supported.join(', ')}`;
      throw fieldError('ERR_DATA_TYPE', operator.type, path, expected, `'${tensor.dataType}'`);
    }
  }
}
