/** The bytes of safetensors and `.npy` files that tests write. */

export interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The header of a safetensors file of these tensors, in this order. */
export function headerOf(tensors: Readonly<Record<string, Entry>>): Record<string, unknown> {
  let end = 0;
  const header = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    const start = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [start, end] }];
  });
  return Object.fromEntries(header);
}

/** The bytes of a safetensors file. `header` is written as it is, if it is a string. */
export function safetensors(header: unknown, data: Uint8Array | readonly Uint8Array[]): Buffer {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...(data instanceof Uint8Array ? [data] : data)]);
}

export function safetensorsOf(tensors: Readonly<Record<string, Entry>>): Buffer {
  const data = Object.values(tensors).map(({ bytes }) => bytes);
  return safetensors(headerOf(tensors), data);
}

/** A `.npy` file with this header. */
export function npy(header: string, data: Uint8Array, [major = 1, minor = 0]: readonly number[] = []): Buffer {
  const text = Buffer.from(header, 'latin1');
  const length = Buffer.alloc(major === 1 ? 2 : 4);
  length.writeUIntLE(text.length, 0, length.length);
  return Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY'), Buffer.from([major, minor]), length, text, data]);
}

/** The header of a `.npy` file. `shape` is a tuple as Python writes it. */
export function npyHeaderOf(descr: string, shape: string, order = 'False'): string {
  return `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
}

/** A tensor in a header. */
interface Described {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [from: number, to: number];
}

/** The parts of a valid file, read in the simplest way. */
export function parsed(file: Uint8Array): { header: Record<string, Described>; data: Buffer } {
  const buffer = Buffer.from(file);
  const start = 8 + Number(buffer.readBigUInt64LE());
  return { header: JSON.parse(buffer.subarray(8, start).toString()), data: buffer.subarray(start) };
}

/** The bytes of an array's elements. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}
