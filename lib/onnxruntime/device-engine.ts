/** Computes a model on a device, with the graphs of `node-directml/onnx`. */
import { Tensor as OrtTensor, type InferenceSession } from 'onnxruntime-common';
import type { Device } from '../api/device.js';
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { viewElements } from '../api/memory/typed-arrays.js';
import { copyOfBytes } from '../tensors/bytes.js';
import { argumentObject, byteCount } from '../values/arguments.js';
import { describe, DirectMLError, fieldError, oneOf, shorten } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import { contextFor } from '../files/options.js';
import { copied, disposeOf, elementsIn, end, GrowingCaches } from '../onnx/growing-caches.js';
import { Elements } from '../onnx/inputs.js';
import { loadModel, type ParsedModel } from '../onnx/load-onnx.js';
import type { LoadedModel } from '../onnx/model.js';
import type { OnnxValue } from '../onnx/types.js';
import { isList, type Placement as Followed, type Result } from '../onnx/plan.js';
import { productOf } from '../tensors/tensor-size.js';
import { newTensor, type Engine, type Outputs } from './engine.js';
import { elementsOf, type GivenTensor } from './given-tensor.js';
import type { Settings } from './options.js';
import { placementOf, type Placement } from './placement.js';
import type { Request } from './request.js';

type Sizes = Readonly<Record<string, number>>;
type Fetches = Request['fetches'];
type Given = Map<string, Tensor | Elements>;
type Results = ReadonlyMap<string, Result>;

const inRun = { operator: 'session.run', field: 'feeds' };
/** The data types that onnxruntime-common has no tensors on a device for. */
const inMemoryOnly: ReadonlySet<string> = new Set(['float64', 'int16', 'uint16']);

export class DeviceEngine implements Engine {
  readonly context: DeviceContext;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  #followed: Followed | null = null;
  #placement: Placement | null = null;
  readonly #model: LoadedModel;
  /** Null if the model has none that grow. */
  readonly #caches: GrowingCaches | null;
  readonly #where: Pick<Placement, 'backend' | 'adapter'>;
  readonly #locations: InferenceSession.SessionOptions['preferredOutputLocation'];

  private constructor(
    { info }: Device,
    { inputs, outputs }: ParsedModel,
    own: { readonly context: DeviceContext; readonly model: LoadedModel; readonly caches: GrowingCaches | null },
    { rest }: Settings,
  ) {
    this.context = own.context;
    this.inputs = inputs;
    this.outputs = outputs;
    this.#model = own.model;
    this.#caches = own.caches;
    this.#where = { backend: info.backend, adapter: info.adapter?.name ?? null };
    this.#locations = rest.preferredOutputLocation;
  }

  /** Loads the model, and makes the graphs whose sizes are known. */
  static async open(method: string, device: Device, parsed: ParsedModel, settings: Settings): Promise<DeviceEngine> {
    const context = contextFor(method, device);
    const caches = GrowingCaches.of(context, parsed.proto);
    const model = await loadModel(context, { ...parsed, proto: caches?.model ?? parsed.proto }, settings);
    const engine = new DeviceEngine(device, parsed, { context, model, caches }, settings);
    try {
      for (const sizes of knownSizes(method, parsed.inputs, settings)) await engine.#prepare(method, sizes);
      return engine;
    } catch (error) {
      engine.dispose();
      throw error;
    }
  }

  get placement(): Placement | null {
    return this.#placement;
  }

  run({ feeds, fetches }: Request): Promise<Outputs> {
    const given = new Map<string, Tensor | Elements>();
    for (const [name, feed] of feeds) given.set(name, inputOf(feed));
    return this.#caches === null ? this.#compute(given, fetches) : this.#computeWithRoom(this.#caches, given, fetches);
  }

  dispose(): void {
    this.#model.dispose();
  }

  async #computeWithRoom(caches: GrowingCaches, given: Given, fetches: Fetches): Promise<Outputs> {
    const grown = await caches.enter(given);
    if (grown === null) return this.#compute(given, fetches);
    try {
      return await this.#compute(grown.given, fetches, grown.roomy, (outputs, placement) =>
        caches.leave(outputs, grown, placement),
      );
    } catch (error) {
      if (!(error instanceof DirectMLError) || error.code !== 'ERR_INVALID_FILE') throw error;
      caches.stop();
      return await this.#compute(given, fetches);
    } finally {
      end(grown.held);
    }
  }

  /** `leave` gives the outputs for the program. */
  async #compute(given: Given, fetches: Fetches, roomy?: ReadonlySet<unknown>, leave = unchanged): Promise<Outputs> {
    const copies: Tensor[] = [];
    try {
      for (const [name, input] of given) {
        if (!Tensor.is(input) || input.strides === null) continue;
        const copy = await copied(this.context, input);
        copies.push(copy);
        given.set(name, copy);
      }
      const use = (outputs: Results, placement: Followed) => {
        this.#follow(placement);
        return this.#resultsOf(leave(outputs, placement), fetches);
      };
      return await this.#model.compute(inRun, given, use, roomy);
    } finally {
      for (const copy of copies) copy.dispose();
    }
  }

  async #prepare(method: string, sizes: Sizes): Promise<void> {
    const inputs = this.inputs.map(({ name, type, dims = [] }) => {
      const dataType = elementsOf(type as OrtTensor.Type);
      if (dataType === undefined) throw notTensor(name);
      const known = dims.map((dim, axis) => sizeOf(dim, `${name}[${axis}]`, sizes));
      return [name, new Elements(dataType, known, null)] as const;
    });
    const placement = await this.#model.prepare({ operator: method, field: 'model' }, new Map(inputs));
    if (placement !== null) this.#follow(placement);
  }

  #follow(followed: Followed): void {
    if (followed !== this.#followed) this.#placement = placementOf(followed, this.#where);
    this.#followed = followed;
  }

  /** The wanted outputs for the program. The others are disposed of. */
  #resultsOf(outputs: Results, fetches: Fetches): Promise<Outputs> {
    for (const [name, result] of outputs) if (!fetches.has(name)) disposeOfAll(result);
    const wanted: Promise<Outputs[number]>[] = [];
    for (const [name, fetch] of fetches) {
      const result = outputs.get(name) ?? null;
      if (result !== null) wanted.push(this.#resultOf(name, result, fetch !== null));
    }
    return Promise.all(wanted);
  }

  /** With `isFetched`, the elements are wanted in memory. */
  async #resultOf(name: string, result: Exclude<Result, null>, isFetched: boolean): Promise<Outputs[number]> {
    if (isList(result)) {
      disposeOfAll(result);
      throw notTensor(name);
    }
    const { dataType, isBool, dims, tensor, bytes } = result;
    const type = isBool ? 'bool' : dataType;
    const wanted = typeof this.#locations === 'string' ? this.#locations : this.#locations?.[name];
    const stays = wanted !== undefined && wanted !== 'cpu' && !isFetched && !inMemoryOnly.has(type) && !dims.includes(0);
    if (stays) {
      const mlTensor = tensor ?? this.#model.upload(result, bytes);
      const own = { download: () => elementsIn(mlTensor), dispose: () => disposeOf(mlTensor) };
      return [name, newTensor(OrtTensor, { location: 'ml-tensor', type, mlTensor, dims, ...own })];
    }
    const view = (elements: Uint8Array<ArrayBuffer>) => viewElements(dataType, elements.buffer, productOf(dims));
    const data = tensor === null ? view(copyOfBytes(bytes)) : await elementsIn(tensor);
    if (tensor !== null) disposeOf(tensor);
    return [name, newTensor(OrtTensor, type, data, dims)];
  }
}

/** The outputs of a run whose caches have no room. */
function unchanged(outputs: Results, _placement: Followed): Results {
  return outputs;
}

function disposeOfAll(result: Result): void {
  for (const each of [result].flat()) if (each?.tensor) disposeOf(each.tensor);
}

/** The sets of sizes for which the graphs can be made now. */
function knownSizes(method: string, inputs: readonly OnnxValue[], { sizes, rest }: Settings): readonly Sizes[] {
  const names = inputs.flatMap(({ name, dims = [null] }) =>
    dims.flatMap((dim, axis) => (typeof dim === 'number' ? [] : (dim ?? `${name}[${axis}]`))),
  );
  for (const [i, given] of sizes.entries()) requireSizes(method, `options.sizes[${i}]`, given, names);
  const all = [{}, ...sizes].map((given) => ({ ...rest.freeDimensionOverrides, ...given }));
  return all.filter((given) => names.every((name) => Object.hasOwn(given, name)));
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT for a name that no dimension has, and for anything other than a size. */
function requireSizes(method: string, field: string, given: unknown, names: readonly string[]): void {
  for (const [name, size] of Object.entries(argumentObject(method, field, given))) {
    if (names.includes(name)) byteCount(method, `${field}.${shorten(name)}`, size);
    else {
      const expected = names.length === 0 ? 'no name: the model has no dynamic dimensions' : oneOf([...new Set(names)]);
      const why = didYouMean(name, names);
      throw fieldError('ERR_INVALID_ARGUMENT', { operator: method, field }, expected, describe(name), { why });
    }
  }
}

function sizeOf(dim: number | string | null, place: string, sizes: Sizes): number {
  return typeof dim === 'number' ? dim : (sizes[dim ?? place] ?? 1);
}

function inputOf({ type, dims, content }: GivenTensor): Tensor | Elements {
  if (Tensor.is(content)) return content.strides === null ? content.view({ sizes: dims.length === 0 ? [1] : dims }) : content;
  const dataType = elementsOf(type);
  if (dataType === undefined || !ArrayBuffer.isView(content)) throw notTensor(type);
  return new Elements(dataType, dims, new Uint8Array(content.buffer, content.byteOffset, content.byteLength));
}

function notTensor(name: string): Error {
  const place = { operator: 'session.run', field: shorten(name) };
  return fieldError('ERR_INVALID_FILE', place, 'a tensor of numbers', 'strings or a sequence', {
    why: 'use node-directml/onnx for sequences, and onnxruntime-web for strings',
  });
}
