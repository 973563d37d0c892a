/** Writes a file under a temporary name, and renames it when it is complete: no program sees half a file. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Tensor } from '../api/memory/tensor.js';
import { spanInBytes } from '../validation/tensor-size.js';
import { fromSystem } from './file-reader.js';
import { partSize } from './upload.js';

/** A file with the bytes `header`, and after it the elements of tensors in memory order, without gaps between tensors. */
export async function writeFile(method: string, path: string, header: Uint8Array, tensors: readonly Tensor[]): Promise<void> {
  const place = { operator: method, field: path };
  const system = <T>(call: () => Promise<T>) => fromSystem(place, 'a file that can be written', call);
  const temporary = `${path}.${randomUUID()}.tmp`;
  const handle = await system(() => open(temporary, 'wx'));
  try {
    try {
      await system(() => handle.writeFile(header));
      for await (const part of partsOf(tensors)) await system(() => handle.writeFile(part));
      await system(() => handle.sync());
    } finally {
      await handle.close();
    }
    await system(() => rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Each part is valid until the next one is asked for. */
async function* partsOf(tensors: readonly Tensor[]): AsyncGenerator<Uint8Array> {
  let memory = new Uint8Array(0);
  for (const { buffer, offset, dataType, sizes, strides } of tensors) {
    const size = spanInBytes(dataType, sizes, strides);
    for (let done = 0; done < size; done += partSize) {
      const length = Math.min(partSize, size - done);
      if (memory.length < length) memory = new Uint8Array(length);
      const part = memory.subarray(0, length);
      await buffer.readBytesInto(part, offset + done);
      yield part;
    }
  }
}
