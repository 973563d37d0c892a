/** Reads the elements of a tensor's bytes as numbers, without the package's own conversions, which this checks. */
import type { TensorDesc } from 'node-directml';
import { bytesPerElement, type DataType } from './case.js';
import { offsetOf } from './layout.js';

/** The value of the element with the row-major index `element`; an integer of 64 bits may lose digits. */
export function elementAt(tensor: TensorDesc, bytes: Uint8Array, element: number): number {
  return Number(exactAt(tensor, bytes, element));
}

/** Like `elementAt`, but with all digits: integers of 64 bits are bigints. */
export function exactAt(tensor: TensorDesc, bytes: Uint8Array, element: number): number | bigint {
  const width = bytesPerElement(tensor.dataType);
  const offset = offsetOf(tensor, element);
  if (width < 1) {
    const byte = bytes[offset >> 1] ?? 0;
    return exact(tensor.dataType, Uint8Array.of(offset % 2 === 0 ? byte & 15 : byte >> 4));
  }
  return exact(tensor.dataType, bytes.subarray(offset * width, (offset + 1) * width));
}

/** Spreads 4-bit elements to one byte each. The first element of a packed byte is in its low bits. */
export function spread(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: bytes.length * 2 }, (_, i) => ((bytes[i >> 1] ?? 0) >> ((i % 2) * 4)) & 15);
}

/** The value and the bits of an element. */
export function textOf(dataType: DataType, bytes: Uint8Array): string {
  return `${number(dataType, bytes)} (${hex(bytes)})`;
}

export function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).reverse().toString('hex')}`;
}

export function number(dataType: DataType, bytes: Uint8Array): number {
  return Number(exact(dataType, bytes));
}

function exact(dataType: DataType, bytes: Uint8Array): number | bigint {
  return READERS[dataType](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

const READERS: Readonly<Record<DataType, (view: DataView) => number | bigint>> = {
  float64: (view) => view.getFloat64(0, true),
  float32: (view) => view.getFloat32(0, true),
  float16: (view) => float16(view.getUint16(0, true)),
  uint64: (view) => view.getBigUint64(0, true),
  int64: (view) => view.getBigInt64(0, true),
  uint32: (view) => view.getUint32(0, true),
  int32: (view) => view.getInt32(0, true),
  uint16: (view) => view.getUint16(0, true),
  int16: (view) => view.getInt16(0, true),
  uint8: (view) => view.getUint8(0),
  int8: (view) => view.getInt8(0),
  uint4: (view) => view.getUint8(0),
  int4: (view) => (view.getUint8(0) << 28) >> 28,
};

function float16(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
