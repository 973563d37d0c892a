/** Reads the elements of a tensor's bytes as numbers, without the package's own conversions, which this checks. */
import type { TensorDesc } from 'node-directml';
import { bytesPerElement, type DataType } from './case.js';
import { offsetOf } from './layout.js';

/** The value of the element with the row-major index `element`. */
export function elementAt(tensor: TensorDesc, bytes: Uint8Array, element: number): number {
  const width = bytesPerElement(tensor.dataType);
  const offset = offsetOf(tensor, element);
  if (width < 1) {
    const byte = bytes[offset >> 1] ?? 0;
    return number(tensor.dataType, Uint8Array.of(offset % 2 === 0 ? byte & 15 : byte >> 4));
  }
  return number(tensor.dataType, bytes.subarray(offset * width, (offset + 1) * width));
}

/** One byte for each 4-bit element. In a packed byte, the first element has the low bits. */
export function spread(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: bytes.length * 2 }, (_, i) => ((bytes[i >> 1] ?? 0) >> ((i % 2) * 4)) & 15);
}

export function number(dataType: DataType, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (dataType) {
    case 'float64':
      return view.getFloat64(0, true);
    case 'float32':
      return view.getFloat32(0, true);
    case 'float16':
      return float16(view.getUint16(0, true));
    case 'uint64':
      return Number(view.getBigUint64(0, true));
    case 'int64':
      return Number(view.getBigInt64(0, true));
    case 'uint32':
      return view.getUint32(0, true);
    case 'int32':
      return view.getInt32(0, true);
    case 'uint16':
      return view.getUint16(0, true);
    case 'int16':
      return view.getInt16(0, true);
    case 'int8':
      return view.getInt8(0);
    case 'int4':
      return (view.getUint8(0) << 28) >> 28;
    default:
      return view.getUint8(0);
  }
}

function float16(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const magnitude =
    exponent === 31
      ? mantissa === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? mantissa * 2 ** -24
        : (1024 + mantissa) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}
