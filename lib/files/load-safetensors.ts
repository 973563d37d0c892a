/** Loads tensors from safetensors files. */
import type { Device } from '../api/device.js';
import { fromCaller } from '../api/call-site.js';
import { refuseInRecording } from '../api/recording/recorded-work.js';
import type { DeviceContext } from '../api/device-context.js';
import { newTensor } from '../api/memory/new-tensor.js';
import type { Tensor } from '../api/memory/tensor.js';
import { bitsOf } from '../tensors/data-types.js';
import { shorten, type Place } from '../values/errors.js';
import { argumentError, readOptions } from '../values/arguments.js';
import type { ResolvedTensor } from '../descriptors/resolved.js';
import { resolveTensor } from '../descriptors/tensor.js';
import { readDataTypes, type DataTypes, type FloatDataType, type PackedDataType } from './data-type-option.js';
import { FileReader, invalidFile, tensorPlace } from './file-reader.js';
import { readNames, type Names } from './names-option.js';
import { contextFor, readWatch, watchNames, type FileOptions, type Watch } from './options.js';
import type { FileDataType } from './part-converter.js';
import { readHeader, supportedDtypes, type FileTensor } from './safetensors-header.js';
import { filesOf } from './safetensors-index.js';
import { Turns } from './turns.js';
import { Upload } from './upload.js';

export type { FloatDataType, PackedDataType };

/** Options of {@link loadSafetensors}. */
export interface LoadSafetensorsOptions<Name extends string = string> extends FileOptions {
  /**
   * The names of the tensors to load. Or a function that gets the name of each tensor in the files, and returns the name that it
   * has in the result, or null to leave it out. Default: all.
   */
  readonly names?: readonly Name[] | ((name: string) => Name | null) | undefined;
  /**
   * Converts tensors of float data types; for all of them, or by their name in the file. Conversions to float16, and of float64
   * to float32, round to nearest, ties to even; numbers that are too large become infinite. Other conversions are exact. Default:
   * tensors keep their data type, except that those of bfloat16, which DirectML does not have, become float32.
   *
   * By name, `'int4'` and `'uint4'` take the bytes of a U8 tensor as two elements each, the first one in the low bits, as DirectML
   * packs them; the last size is then twice that in the file. {@link saveSafetensors} saves such tensors so.
   */
  readonly dataType?: FloatDataType | Readonly<Record<string, FloatDataType | PackedDataType>> | undefined;
}

const method = 'loadSafetensors';
/** Of choosing one, in bytes of JSON that take as long to parse. */
const workPerTensor = 64;

/**
 * Loads the tensors of safetensors files. The data goes in parts from the files to the device, so that it is never in the
 * memory of JavaScript as a whole. All headers are checked before the first tensor is created.
 *
 * @param source The path of a file or of an index such as `model.safetensors.index.json`, which has paths of files relative to
 * its folder; or several paths. A path that ends with `.json` is that of an index.
 * @returns The tensors by name, in an object without a prototype. Their labels are their names in the file. A single number has
 * the sizes `[1]`, and BOOL is uint8. Dispose of the tensors when you no longer need them.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE if a file cannot be read or is wrong: the error names the file, the
 * tensor, what was expected and what was given. For a tensor that DirectML cannot have, ERR_DIMENSION_COUNT for more than 8
 * dimensions, ERR_SIZES for a size of 0, ERR_OUT_OF_RANGE, ERR_TENSOR_SIZE, ERR_FEATURE_LEVEL. ERR_ABORTED,
 * ERR_INVALID_ARGUMENT, ERR_NOT_RECORDABLE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY; and whatever the given functions
 * throw. If it rejects, all tensors that it has created are disposed of.
 */
export function loadSafetensors<Name extends string = string>(
  device: Device,
  source: string | readonly string[],
  options?: LoadSafetensorsOptions<Name>,
): Promise<Record<Name, Tensor>>;
export function loadSafetensors(device: unknown, source: unknown, options?: unknown): Promise<Record<string, Tensor>> {
  refuseInRecording('loadSafetensors');
  return fromCaller(() => load(device, source, options));
}

/** A tensor to load. */
interface Wanted {
  /** In the result. */
  readonly newName: string;
  readonly tensor: FileTensor;
  /** Of the elements in the file. It is int4 or uint4 for bytes that are taken as such. */
  readonly fileDataType: FileDataType;
  readonly desc: ResolvedTensor;
}

interface OpenFile {
  readonly reader: FileReader;
  readonly wanted: readonly Wanted[];
}

async function load(device: unknown, source: unknown, given: unknown): Promise<Record<string, Tensor>> {
  const context = contextFor(method, device);
  const options = readOptions(method, given, ['names', 'dataType', ...watchNames]);
  const watch = readWatch(method, options, 'no tensor is loaded');
  const turns = new Turns(watch.wait);
  const names = readNames(method, options.get('names'));
  const chooser = new Chooser(context, names, readDataTypes(method, options.get('dataType')), turns);
  const readers: FileReader[] = [];
  try {
    const files: OpenFile[] = [];
    for (const { path, names: listed } of await filesOf(method, source, watch.wait)) {
      const reader = await FileReader.open(method, path, watch.wait);
      readers.push(reader);
      const tensors = await readHeader(reader, turns);
      files.push({ reader, wanted: await chooser.choose(tensors, reader.place, listed) });
    }
    chooser.requireAll();
    return await upload(context, files, watch);
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
  }
}

/** Chooses tensors by the options, and makes sure that the device can have them. */
class Chooser {
  readonly #context: DeviceContext;
  readonly #names: Names;
  readonly #dataTypes: DataTypes;
  readonly #turns: Turns;
  /** By name of a tensor in the files so far, the path of its file. */
  readonly #paths = new Map<string, string>();
  readonly #newNames = new Set<string>();

  constructor(context: DeviceContext, names: Names, dataTypes: DataTypes, turns: Turns) {
    this.#context = context;
    this.#names = names;
    this.#dataTypes = dataTypes;
    this.#turns = turns;
  }

  /** `listed` are the names that an index has for the file; null without an index. */
  async choose(tensors: readonly FileTensor[], place: Place, listed: ReadonlySet<string> | null): Promise<readonly Wanted[]> {
    const available = listed === null ? tensors : tensors.filter(({ name }) => listed.has(name));
    if (listed !== null && available.length < listed.size) {
      const names = new Set(available.map(({ name }) => name));
      const missing = [...listed].find((name) => !names.has(name)) ?? '';
      throw invalidFile(tensorPlace(place, missing), 'a tensor of this file, as the index says', 'none');
    }
    const all: Wanted[] = [];
    for (const tensor of available) {
      const wanted = this.#wanted(tensor, place);
      if (wanted !== null) all.push(wanted);
      if (this.#turns.isDue(workPerTensor)) await this.#turns.next();
    }
    return all;
  }

  /** @throws {DirectMLError} ERR_INVALID_ARGUMENT for names in the options that no file has. */
  requireAll(): void {
    this.#names.requireAll();
    this.#dataTypes.requireAll();
  }

  #wanted(tensor: FileTensor, place: Place): Wanted | null {
    const { name, fileDataType, dtype, shape } = tensor;
    const other = this.#paths.get(name);
    if (other !== undefined) throw invalidFile(tensorPlace(place, name), 'a name in only one file', `also one in ${other}`);
    this.#paths.set(name, place.field);
    const newName = this.#names.newName(name);
    if (newName === null) return null;
    if (this.#newNames.has(newName)) {
      throw argumentError(method, `options.names('${shorten(name)}')`, 'another name for each tensor', newName);
    }
    this.#newNames.add(newName);
    if (fileDataType === undefined) {
      const why = 'convert the tensor in the file, or leave it out by options.names';
      throw invalidFile(tensorPlace(place, name, 'dtype'), supportedDtypes, `'${shorten(dtype)}'`, why);
    }
    const dataType = this.#dataTypes.of(name, fileDataType);
    const bytes = shape.length === 0 ? [1] : shape;
    const isPacked = bitsOf(dataType) === 4;
    const desc = { dataType, sizes: isPacked ? bytes.with(-1, 2 * (bytes.at(-1) ?? 1)) : bytes };
    const resolved = resolveTensor(desc, tensorPlace(place, name), 'any', this.#context.featureLevel);
    return { newName, tensor, fileDataType: isPacked ? dataType : fileDataType, desc: resolved };
  }
}

async function upload(
  context: DeviceContext,
  files: readonly OpenFile[],
  { wait, progressOf }: Watch,
): Promise<Record<string, Tensor>> {
  const total = files.flatMap(({ wanted }) => wanted).reduce((sum, { tensor }) => sum + tensor.sizeInBytes, 0);
  const tensors = new Map<string, Tensor>();
  const uploads = new Upload(context, wait);
  const onPart = progressOf(total);
  try {
    for (const { reader, wanted } of files) {
      for (const { newName, tensor, fileDataType, desc } of wanted) {
        const made = newTensor(context, desc, desc.dataType, tensor.name);
        tensors.set(newName, made);
        await uploads.fill(made, reader, fileDataType, tensor.start, onPart);
      }
    }
    await uploads.end();
  } catch (error) {
    for (const tensor of tensors.values()) tensor.dispose();
    throw error;
  }
  const result = Object.fromEntries(tensors);
  Object.setPrototypeOf(result, null);
  return result;
}
