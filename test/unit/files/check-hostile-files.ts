/** Loads hostile files: each gives an error that names it, or the tensors that it says it has. */
import { DirectMLError, type Device } from 'node-directml';
import { loadSafetensors } from 'node-directml/files';
import { gist } from '../../support/errors.js';
import { parsed } from './files.js';
import { hostileFile } from './hostile-files.js';

/** Codes of errors about tensors that are right in the file, but that DirectML cannot have. */
const codes: readonly string[] = ['ERR_INVALID_FILE', 'ERR_DIMENSION_COUNT', 'ERR_SIZES', 'ERR_OUT_OF_RANGE', 'ERR_TENSOR_SIZE'];

/** How many files were loaded and how many were refused, and what went wrong. */
export async function checkHostileFiles(
  device: Device,
  write: (name: string, bytes: Uint8Array) => string,
  count: number,
): Promise<{ loaded: number; refused: number; wrong: string[] }> {
  const result = { loaded: 0, refused: 0, wrong: [] as string[] };
  for (let seed = 0; seed < count; seed++) {
    const { what, bytes } = hostileFile(seed);
    const path = write('hostile.safetensors', bytes);
    try {
      const problem = await device.scope(async () => {
        return differs(bytes, await loadSafetensors(device, path));
      });
      if (problem !== null) result.wrong.push(`${what}: ${problem}`);
      result.loaded += 1;
    } catch (error) {
      result.refused += 1;
      if (!(error instanceof DirectMLError) || !codes.includes(error.code)) result.wrong.push(`${what}: ${String(error)}`);
      else if (!(gist(error)[1] ?? '').startsWith(path)) result.wrong.push(`${what}: no path: ${error.message}`);
    }
  }
  return result;
}

/** Compares the tensors with the bytes of the file, which were accepted, in the simplest way. Null if they are right. */
async function differs(file: Uint8Array, tensors: Awaited<ReturnType<typeof loadSafetensors>>): Promise<string | null> {
  const { header, data } = parsed(file);
  delete header['__metadata__'];
  const names = Object.keys(header).sort();
  if (names.join() !== Object.keys(tensors).sort().join()) return `other names: ${names.join()}`;
  let total = 0;
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    const tensor = tensors[name];
    const expected = data.subarray(...data_offsets);
    total += expected.length;
    const sizes = shape.length === 0 ? [1] : shape;
    if (tensor?.sizes.join() !== sizes.join()) return `other sizes of ${name}`;
    const bytes = Buffer.from(await tensor.buffer.read());
    const given = dtype === 'BF16' ? bytes.filter((_, i) => i % 4 >= 2) : bytes.subarray(0, expected.length);
    if (!expected.equals(given)) return `other elements of ${name}`;
  }
  return total === data.length ? null : 'bytes of no tensor';
}
