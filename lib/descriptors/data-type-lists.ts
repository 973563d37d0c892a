/** Lists of data types that many tensors support. Pages and types list them in this order. */
import type { DataType } from '../tensors/generated/enums.js';

type DataTypes = readonly DataType[];

export const floats: DataTypes = ['float32', 'float16'];
export const bytes: DataTypes = ['int8', 'uint8'];
export const indices: DataTypes = ['int64', 'int32', 'uint64', 'uint32'];
export const unsigned: DataTypes = ['uint64', 'uint32', 'uint16', 'uint8'];
export const integersUpTo32Bits: DataTypes = ['int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8'];
export const floatsAnd32Bits: DataTypes = [...floats, 'int32', 'uint32'];
export const floatsAndIndices: DataTypes = [...floats, ...indices];
export const upTo32Bits: DataTypes = [...floats, ...integersUpTo32Bits];
export const allButFloat64: DataTypes = [...floats, 'int64', 'int32', 'int16', 'int8', ...unsigned];
export const all: DataTypes = ['float64', ...allButFloat64];
