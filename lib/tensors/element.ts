/** Reads and writes single elements, little-endian. An element of 64 bits is a bigint if its data type is an integer. */
import type { DataType } from './generated/enums.js';
import { float16FromBits, float16ToBits } from './float16.js';

interface Codec {
  /** `i` is the index of the element. */
  readonly read: (view: DataView, i: number) => number | bigint;
  /** Wraps an integer to the type's width. Elements of 4 bits are written once: those of a byte are combined. */
  readonly write: (view: DataView, i: number, value: number | bigint) => void;
}

export const codecs: Readonly<Record<DataType, Codec>> = {
  float64: {
    read: (view, i) => view.getFloat64(i * 8, true),
    write: (view, i, value) => view.setFloat64(i * 8, Number(value), true),
  },
  float32: {
    read: (view, i) => view.getFloat32(i * 4, true),
    write: (view, i, value) => view.setFloat32(i * 4, Number(value), true),
  },
  float16: {
    read: (view, i) => float16FromBits(view.getUint16(i * 2, true)),
    write: (view, i, value) => view.setUint16(i * 2, float16ToBits(Number(value)), true),
  },
  int64: { read: (view, i) => view.getBigInt64(i * 8, true), write: writeWide },
  uint64: { read: (view, i) => view.getBigUint64(i * 8, true), write: writeWide },
  int32: { read: (view, i) => view.getInt32(i * 4, true), write: writeWord },
  uint32: { read: (view, i) => view.getUint32(i * 4, true), write: writeWord },
  int16: { read: (view, i) => view.getInt16(i * 2, true), write: writeShort },
  uint16: { read: (view, i) => view.getUint16(i * 2, true), write: writeShort },
  int8: { read: (view, i) => view.getInt8(i), write: writeByte },
  uint8: { read: (view, i) => view.getUint8(i), write: writeByte },
  int4: { read: (view, i) => (nibble(view, i) << 28) >> 28, write: writeNibble },
  uint4: { read: nibble, write: writeNibble },
};

function writeWide(view: DataView, i: number, value: number | bigint): void {
  view.setBigInt64(i * 8, BigInt.asIntN(64, BigInt(value)), true);
}

function writeWord(view: DataView, i: number, value: number | bigint): void {
  view.setInt32(i * 4, Number(value), true);
}

function writeShort(view: DataView, i: number, value: number | bigint): void {
  view.setInt16(i * 2, Number(value), true);
}

function writeByte(view: DataView, i: number, value: number | bigint): void {
  view.setInt8(i, Number(value));
}

/** The first element of a byte is in its low bits. */
function nibble(view: DataView, i: number): number {
  return (view.getUint8(i >> 1) >> ((i & 1) * 4)) & 15;
}

function writeNibble(view: DataView, i: number, value: number | bigint): void {
  view.setUint8(i >> 1, view.getUint8(i >> 1) | ((Number(value) & 15) << ((i & 1) * 4)));
}
