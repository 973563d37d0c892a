/** Encodes a resolved operator for the addon: an enum becomes DirectML's number, a scalar its 8 bytes. */
import type { NativeOperatorDesc, NativeTensorDesc } from '../../../binding.js';
import { codecs } from '../../tensors/element.js';
import { bitsOf } from '../../tensors/data-types.js';
import { operatorTable } from '../../descriptors/generated/table.js';
import { enums, type DataType, type EnumSchema } from '../../tensors/generated/enums.js';
import type { FieldSchema } from '../../descriptors/types.js';
import { scalarTypeOf } from '../../descriptors/scalar.js';
import type { CompileFlags } from '../backend.js';
import {
  isActivation,
  isTensor,
  valuesOf,
  type Resolved,
  type ResolvedActivation,
  type ResolvedTensor,
} from '../../descriptors/resolved.js';
import { withFewerIndexDimensions } from './fewer-index-dimensions.js';

/** The engine's own, saved now because a program may replace the global later. */
const { DataView } = globalThis;

/** DML_EXECUTION_FLAGS */
const executionFlags: Readonly<Record<keyof CompileFlags, number>> = {
  allowHalfPrecisionComputation: 1,
  disableMetacommands: 2,
};

export function encodeFlags(flags: CompileFlags): number {
  let bits = 0;
  if (flags.allowHalfPrecisionComputation) bits |= executionFlags.allowHalfPrecisionComputation;
  if (flags.disableMetacommands) bits |= executionFlags.disableMetacommands;
  return bits;
}

export function encodeOperator(operator: Resolved | ResolvedActivation): NativeOperatorDesc {
  const schema = operatorTable[operator.type];
  const values = valuesOf(withFewerIndexDimensions(operator));
  const encoded: NativeOperatorDesc = { __proto__: null, type: schema.value };
  for (const field of schema.fields) {
    encoded[field.name] = encodeField(field, values[field.name], operator);
  }
  return encoded;
}

function encodeField(field: FieldSchema, value: unknown, operator: Resolved | ResolvedActivation): unknown {
  if (field.kind === 'enum') return enumNumber(field.enumName, value);
  if (field.kind === 'scalar') return scalarBytes(scalarTypeOf(operator.type, valuesOf(operator)), value);
  return isArray(value) ? value.map(encodeValue) : encodeValue(value);
}

function encodeValue(value: unknown): unknown {
  if (isTensor(value)) return encodeTensor(value);
  if (isActivation(value)) return encodeOperator(value);
  return value;
}

function encodeTensor(tensor: ResolvedTensor): NativeTensorDesc {
  const encoded = {
    __proto__: null,
    ...tensor,
    dataType: enums.DataType.values[tensor.dataType],
    flags: enums.TensorFlags.values[tensor.flags],
  };
  return encoded;
}

function enumNumber(name: FieldSchema['enumName'], member: unknown): number {
  const found: EnumSchema | undefined = name === undefined ? undefined : enums[name];
  const value = typeof member === 'string' ? found?.values[member] : undefined;
  if (value === undefined) throw new TypeError(`the enum ${name} has no member ${String(member)}`);
  return value;
}

/** DML_SCALAR_UNION: the value in the low bytes, zeros in the others. */
function scalarBytes(dataType: DataType | undefined, value: unknown): Uint8Array {
  if (dataType === undefined) throw new TypeError('no data type for a scalar');
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError(`no scalar: ${String(value)}`);
  const bytes = new Uint8Array(8);
  // A scalar of 4 bits has a byte of its own.
  codecs[bitsOf(dataType) === 4 ? 'int8' : dataType].write(new DataView(bytes.buffer), 0, value);
  return bytes;
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
