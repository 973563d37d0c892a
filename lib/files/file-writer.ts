/** Writes a file under a temporary name, and renames it when it is complete: no program sees half a file. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { waitFor, type Wait } from '../api/abortable.js';
import type { Tensor } from '../api/memory/tensor.js';
import { spanInBytes } from '../validation/tensor-size.js';
import { fromSystem } from './file-reader.js';
import type { Watch } from './options.js';
import { partSize } from './upload.js';

/** A file with the bytes `header`, and after it the elements of tensors in memory order, without gaps between tensors. */
export async function writeFile(
  method: string,
  path: string,
  header: Uint8Array,
  tensors: readonly Tensor[],
  watch: Watch,
): Promise<void> {
  const { wait, progressOf } = watch;
  // A signal that is aborted already leaves the file system alone.
  await waitFor(wait, () => Promise.resolve());
  const onPart = progressOf(tensors.reduce((sum, tensor) => sum + sizeOf(tensor), 0));
  const place = { operator: method, field: path };
  const system = <T>(call: () => Promise<T>) => fromSystem(place, 'a file that can be written', call);
  const temporary = `${path}.${randomUUID()}.tmp`;
  const handle = await system(() => open(temporary, 'wx'));
  try {
    try {
      const write = (part: Uint8Array) => waitFor(wait, () => system(() => handle.writeFile(part)));
      await write(header);
      for await (const part of partsOf(tensors, wait)) {
        await write(part);
        onPart(part.length);
      }
      await waitFor(wait, () => system(() => handle.sync()));
    } finally {
      // Waits for writes that have begun.
      await handle.close();
    }
    await system(() => rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Each part is valid until the next one is asked for. */
async function* partsOf(tensors: readonly Tensor[], wait: Wait | null): AsyncGenerator<Uint8Array> {
  let memory = new Uint8Array(0);
  for (const tensor of tensors) {
    const { buffer, offset } = tensor;
    const size = sizeOf(tensor);
    for (let done = 0; done < size; done += partSize) {
      const length = Math.min(partSize, size - done);
      if (memory.length < length) memory = new Uint8Array(length);
      const part = memory.subarray(0, length);
      await buffer.readBytesInto(part, offset + done, wait ?? undefined);
      yield part;
    }
  }
}

function sizeOf({ dataType, sizes, strides }: Tensor): number {
  return spanInBytes(dataType, sizes, strides);
}
