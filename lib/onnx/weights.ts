/** The weights of a model: large ones are tensors on the device, small ones elements in memory. */
import type { DeviceContext } from '../api/device-context.js';
import { newTensor } from '../api/memory/new-tensor.js';
import type { Tensor } from '../api/memory/tensor.js';
import { scaledRows } from '../graph/improve/batch-normalization.js';
import { copyOfBytes, partOfBytes } from '../tensors/bytes.js';
import { bitsOf } from '../tensors/data-types.js';
import { at, fieldError, shorten, type Place } from '../values/errors.js';
import { FileReader, invalidFile, readWhole, tensorPlace, type FilePath } from '../files/file-reader.js';
import { NamedFiles } from '../files/named-files.js';
import { Upload } from '../files/upload.js';
import type { DataType } from '../tensors/generated/enums.js';
import { resolveTensor } from '../descriptors/tensor.js';
import { productOf, spanInBytes } from '../tensors/tensor-size.js';
import { elementTypeName, elementTypeOf } from './element-types.js';
import { leastLarge } from './model-file.js';
import type { GraphProto, ModelProto, NodeProto, TensorProto } from './proto.js';

export interface Weights {
  /** On the device, with one dimension. */
  readonly tensors: ReadonlyMap<TensorProto, Tensor>;
  /** The elements of the others. @throws {DirectMLError} ERR_INVALID_FILE. */
  readonly bytesOf: (tensor: TensorProto) => Uint8Array;
}

/**
 * Uploads the weights of a model.
 *
 * @param place The method, and the file of the model for errors.
 * @param file The model's own file; null if its bytes were given.
 * @param given The contents of files of weights by their names; null for those beside the model's file.
 */
export async function loadWeights(
  context: DeviceContext,
  model: ModelProto,
  place: Place,
  file: FileReader | null,
  given: ReadonlyMap<string, Uint8Array> | null,
): Promise<Weights> {
  const tensors = new Map<TensorProto, Tensor>();
  const contents = new Map<TensorProto, Uint8Array>();
  const files = new Map<string, FileReader>();
  const upload = new Upload(context, null);
  const find = finderOf(place, file !== null, given);
  /** The bytes, or the file, that have the elements; null if the tensor itself has them. */
  const sourceOf = async (tensor: TensorProto, where: Place): Promise<Uint8Array | FileReader | null> => {
    const name = tensor.external?.get('location');
    if (name === undefined) return tensor.external === null ? null : file;
    const open = files.get(name);
    if (open !== undefined) return open;
    const found = await find(name, where);
    if (found instanceof Uint8Array) return found;
    const opened = await FileReader.open(place.operator, found);
    files.set(name, opened);
    return opened;
  };
  const bytesOf = (tensor: TensorProto) => contents.get(tensor) ?? ownBytes(tensor, tensorPlace(place, tensor.name));
  try {
    for (const tensor of weightsOf(model)) {
      const own = tensorPlace(place, tensor.name);
      const type = elementTypeOf(tensor.elementType);
      if (type === undefined) throw invalidFile(own, 'a data type of DirectML', elementTypeName(tensor.elementType));
      const { dataType } = type;
      const size = spanInBytes(dataType, tensor.dims, null);
      const source = await sourceOf(tensor, own);
      const offset =
        source === null ? 0 : offsetOf(tensor, own, source instanceof FileReader ? source.sizeInBytes : source.length, size);
      const bytes = async () => {
        if (source === null) return ownBytes(tensor, own);
        return source instanceof FileReader ? source.bytes(offset, size) : partOfBytes(source, offset, offset + size);
      };
      const { factors } = tensor;
      if (size < leastLarge || bitsOf(dataType) < 8) {
        if (factors !== undefined) contents.set(tensor, scaled(await bytes(), factors));
        else if (source !== null) contents.set(tensor, await bytes());
        continue;
      }
      const made = tensorOn(context, { dataType, sizes: [productOf(tensor.dims)] }, own);
      tensors.set(tensor, made);
      if (factors !== undefined) made.buffer.write(scaled(await bytes(), factors), made.offset);
      else if (source instanceof FileReader) await upload.fill(made, source, dataType, offset);
      else made.buffer.write(await bytes(), made.offset);
    }
    await upload.end();
    return { tensors, bytesOf };
  } catch (error) {
    for (const tensor of tensors.values()) tensor.dispose();
    throw error;
  } finally {
    await Promise.all(Array.from(files.values(), (reader) => reader.close()));
  }
}

function scaled(bytes: Uint8Array, factors: Float64Array): Uint8Array {
  return new Uint8Array(scaledRows(new Float32Array(copyOfBytes(bytes).buffer), factors).buffer);
}

export function tensorOn(context: DeviceContext, desc: { dataType: DataType; sizes: readonly number[] }, place: Place): Tensor {
  return newTensor(context, resolveTensor(desc, place, 'any', context.featureLevel), desc.dataType);
}

/** The weights of the graph, and of the graphs in its nodes. */
function weightsOf({ graph }: ModelProto): readonly TensorProto[] {
  const inner = ({ attributes }: NodeProto): GraphProto[] =>
    [...attributes.values()].flatMap((attribute) => (attribute.graph === undefined ? [] : all(attribute.graph)));
  const all = (each: GraphProto): GraphProto[] => [each, ...each.nodes.flatMap(inner)];
  return all(graph).flatMap(({ initializers }) => [...initializers.values()].filter(({ elementType }) => elementType !== 8));
}

/** The files of weights that the model names, whole. @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE. */
export async function readWeightFiles(
  model: ModelProto,
  place: Place,
  hasFile: boolean,
  given: ReadonlyMap<string, Uint8Array> | null,
): Promise<{ readonly path: string; readonly data: Uint8Array }[]> {
  const find = finderOf(place, hasFile, given);
  const files = new Map<string, Uint8Array>();
  for (const tensor of weightsOf(model)) {
    const path = tensor.external?.get('location');
    if (path === undefined || files.has(path)) continue;
    const found = await find(path, tensorPlace(place, tensor.name));
    files.set(path, found instanceof Uint8Array ? found : await readWhole(place.operator, found));
  }
  return Array.from(files, ([path, data]) => ({ path, data }));
}

/** Finds a file of weights by its name in the model: among those that are given, or beside the model's file. */
function finderOf(place: Place, hasFile: boolean, given: ReadonlyMap<string, Uint8Array> | null) {
  let named: Promise<NamedFiles> | undefined;
  return async (name: string, where: Place): Promise<Uint8Array | FilePath> => {
    const known = given?.get(name);
    if (known !== undefined) return known;
    if (!hasFile || given !== null)
      throw invalidFile(where, 'weights in the model', `weights in another file, '${shorten(name)}'`);
    named ??= NamedFiles.by(place, 'the model');
    return (await named).find(name, where);
  };
}

/** @throws {DirectMLError} ERR_INVALID_FILE unless the file has the elements there. */
function offsetOf({ external }: TensorProto, where: Place, sizeInBytes: number, size: number): number {
  const offset = Number(external?.get('offset') ?? 0);
  const length = Number(external?.get('length') ?? sizeInBytes - offset);
  const isInside = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (!isInside || offset + length > sizeInBytes) {
    throw invalidFile(at(where, 'external_data'), `at most ${sizeInBytes} bytes`, `${offset} + ${length}`);
  }
  if (length !== size) throw invalidFile(at(where, 'external_data'), `${size} bytes`, `${length}`);
  return offset;
}

/** @throws {DirectMLError} ERR_INVALID_FILE if the model has other elements than the tensor. */
export function ownBytes(tensor: TensorProto, place: Place): Uint8Array {
  try {
    return tensor.bytes();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw fieldError('ERR_INVALID_FILE', place, 'the elements of the tensor', 'others', { cause, why: cause.message });
  }
}
