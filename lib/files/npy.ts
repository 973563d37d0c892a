/** Loads and saves a tensor in NumPy's format. */
import type { Device } from '../api/device.js';
import { fromCaller } from '../api/call-site.js';
import { refuseInRecording } from '../api/recording/recorded-work.js';
import { newTensor } from '../api/memory/new-tensor.js';
import type { Tensor } from '../api/memory/tensor.js';
import { fieldError, list } from '../values/errors.js';
import { readOptions } from '../values/arguments.js';
import { resolveTensor } from '../descriptors/tensor.js';
import { isPacked, packedStrides, sameStrides, spanInBytes, stridesOf } from '../tensors/tensor-size.js';
import { FileReader, invalidFile } from './file-reader.js';
import { writeFile } from './file-writer.js';
import { descrOf, headerOf, readHeader } from './npy-header.js';
import { contextFor, readPath, readTensor, readWatch, watchNames, type FileOptions } from './options.js';
import { Upload } from './upload.js';

/**
 * Loads the array of a `.npy` file, of versions 1 to 3. The data goes in parts from the file to the device.
 *
 * @returns The tensor. An array without dimensions has the sizes `[1]`, and bool is uint8. An array in Fortran order becomes a
 * tensor with the strides of that order.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE if the file cannot be read or is wrong, or for an array of another
 * data type, such as big-endian, complex, text and structured ones; ERR_DIMENSION_COUNT for more than 8 dimensions, ERR_SIZES for
 * a size of 0, ERR_OUT_OF_RANGE, ERR_TENSOR_SIZE, ERR_FEATURE_LEVEL; ERR_ABORTED, ERR_INVALID_ARGUMENT, ERR_NOT_RECORDABLE,
 * ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY; and whatever `onProgress` throws. If it rejects, no tensor stays in memory.
 */
export function loadNpy(device: Device, path: string, options?: FileOptions): Promise<Tensor>;
export function loadNpy(device: unknown, path: unknown, options?: unknown): Promise<Tensor> {
  refuseInRecording('loadNpy');
  return fromCaller(() => load(device, path, options));
}

/**
 * Saves a tensor in a `.npy` file of version 1, bit for bit. The data goes in parts from the device to the file. The file appears
 * under its name when it is complete, and replaces one that is there, whose permissions it takes over; links are followed. Do not
 * change the tensor before the promise resolves.
 *
 * @param tensor A tensor of any data type except int4 and uint4. It is packed, or has the strides of Fortran order.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE if the file cannot be written, or is no regular one; ERR_DATA_TYPE
 * for a tensor of int4 or uint4, ERR_STRIDES for one with other strides; ERR_ABORTED, ERR_INVALID_ARGUMENT, ERR_NOT_RECORDABLE,
 * ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY; and whatever `onProgress` throws. If it rejects, it leaves no file, and one
 * that was there as it was.
 */
export function saveNpy(path: string, tensor: Tensor, options?: FileOptions): Promise<void>;
export function saveNpy(path: unknown, tensor: unknown, options?: unknown): Promise<void> {
  refuseInRecording('saveNpy');
  return fromCaller(() => save(path, tensor, options));
}

async function load(device: unknown, path: unknown, options: unknown): Promise<Tensor> {
  const context = contextFor('loadNpy', device);
  const { wait, progressOf } = readWatch('loadNpy', readOptions('loadNpy', options, watchNames), 'no tensor is loaded');
  const reader = await FileReader.open('loadNpy', readPath('loadNpy', 'path', path), wait);
  try {
    const { dataType, isFortranOrder, shape, start } = await readHeader(reader);
    const sizes = shape.length === 0 ? [1] : shape;
    const strides = isFortranOrder ? fortranStrides(sizes) : null;
    const desc = { dataType, sizes, strides: sameStrides(sizes, strides, null) ? null : strides };
    const resolved = resolveTensor(desc, reader.place, 'any', context.featureLevel);
    const expected = start + spanInBytes(dataType, sizes, strides);
    if (reader.sizeInBytes !== expected) {
      throw invalidFile(reader.place, `${expected} bytes for ${dataType} and shape ${list(shape)}`, `${reader.sizeInBytes}`);
    }
    const tensor = newTensor(context, resolved, dataType);
    try {
      const upload = new Upload(context, wait);
      await upload.fill(tensor, reader, dataType, start, progressOf(expected - start));
      await upload.end();
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
  } finally {
    await reader.close();
  }
}

async function save(givenPath: unknown, given: unknown, options: unknown): Promise<void> {
  const path = readPath('saveNpy', 'path', givenPath);
  const tensor = readTensor('saveNpy', 'tensor', given);
  const place = { operator: 'saveNpy', field: 'tensor' };
  const watch = readWatch('saveNpy', readOptions('saveNpy', options, watchNames), 'no file is written');
  const descr = descrOf(tensor.dataType);
  if (descr === undefined) throw fieldError('ERR_DATA_TYPE', place, 'a tensor of whole bytes', `one of ${tensor.dataType}`);
  const { sizes } = tensor;
  const isFortranOrder = !isPacked(tensor);
  if (isFortranOrder && !sameStrides(sizes, tensor.strides, fortranStrides(sizes))) {
    const why = 'elementWiseIdentity copies a tensor into another layout';
    throw fieldError('ERR_STRIDES', place, 'a packed tensor, or one in Fortran order', list(stridesOf(tensor)), { why });
  }
  await writeFile('saveNpy', path, headerOf({ descr, isFortranOrder, shape: sizes }), [tensor], watch);
}

/** The first dimension is the innermost one. */
function fortranStrides(sizes: readonly number[]): number[] {
  return packedStrides(sizes.toReversed()).reverse();
}
