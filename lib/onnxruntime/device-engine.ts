/** Computes a model on a device, with the graphs of `node-directml/onnx`. */
import { Tensor as OrtTensor, type InferenceSession } from 'onnxruntime-common';
import type { Device } from '../api/device.js';
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { viewElements } from '../api/memory/typed-arrays.js';
import { copyOfBytes } from '../tensors/bytes.js';
import { DirectMLError, fieldError, shorten } from '../values/errors.js';
import { contextFor } from '../files/options.js';
import { copied, disposeOf, elementsIn, end, GrowingCaches, type Given, type Grown } from '../onnx/growing-caches.js';
import { loadModel, type ParsedModel } from '../onnx/load-onnx.js';
import { Elements, type LoadedModel, type OnnxValue } from '../onnx/model.js';
import { isList, type Computed, type Placement as Followed, type Result } from '../onnx/plan.js';
import { productOf } from '../tensors/tensor-size.js';
import { newTensor, type Engine, type Outputs } from './engine.js';
import { elementsOf } from './given-tensor.js';
import type { Settings } from './options.js';
import { placementOf, type Placement } from './placement.js';
import type { Feed, Request } from './request.js';

type Sizes = Readonly<Record<string, number>>;

/** The data types that onnxruntime-common has no tensors on a device for. */
const inMemoryOnly: ReadonlySet<string> = new Set(['float64', 'int16', 'uint16']);

export class DeviceEngine implements Engine {
  readonly context: DeviceContext;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  #followed: Followed | null = null;
  #placement: Placement | null = null;
  readonly #model: LoadedModel;
  readonly #caches: GrowingCaches;
  readonly #where: Pick<Placement, 'backend' | 'adapter'>;
  readonly #locations: InferenceSession.SessionOptions['preferredOutputLocation'];

  private constructor(
    { info }: Device,
    { inputs, outputs }: ParsedModel,
    own: { readonly context: DeviceContext; readonly model: LoadedModel; readonly caches: GrowingCaches },
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
    const caches = new GrowingCaches(context, parsed.proto);
    const model = await loadModel(context, { ...parsed, proto: caches.model }, settings);
    const engine = new DeviceEngine(device, parsed, { context, model, caches }, settings);
    try {
      for (const sizes of knownSizes(parsed.inputs, settings)) await engine.#prepare(method, sizes);
      return engine;
    } catch (error) {
      engine.dispose();
      throw error;
    }
  }

  get placement(): Placement | null {
    return this.#placement;
  }

  async run({ feeds, fetches }: Request): Promise<Outputs> {
    const given = new Map(Array.from(feeds, ([name, feed]) => [name, inputOf(feed)]));
    const outputs = await this.#computeWithRoom(given);
    const unwanted = Array.from(outputs).flatMap(([name, result]) => (fetches.has(name) ? [] : [result].flat()));
    for (const result of unwanted) if (result?.tensor) disposeOf(result.tensor);
    const results = Array.from(fetches, async ([name, fetch]) => {
      const result = outputs.get(name) ?? null;
      if (result === null) return [];
      if (isList(result)) {
        for (const each of result) each.tensor?.dispose();
        throw notTensor(name);
      }
      return [[name, await this.#tensorOf(name, result, fetch !== null)] as const];
    });
    return new Map((await Promise.all(results)).flat());
  }

  dispose(): void {
    this.#model.dispose();
  }

  async #computeWithRoom(given: Given): Promise<ReadonlyMap<string, Result>> {
    const grown = await this.#caches.enter(given);
    try {
      return await this.#compute(grown, given);
    } catch (error) {
      if (grown === null || !(error instanceof DirectMLError) || error.code !== 'ERR_INVALID_FILE') throw error;
      this.#caches.stop();
      return this.#compute(null, given);
    }
  }

  async #compute(grown: Grown | null, feeds: Given): Promise<ReadonlyMap<string, Result>> {
    const copies: Tensor[] = [];
    try {
      const given: Record<string, Tensor | Elements> = {};
      for (const [name, input] of grown?.given ?? feeds) {
        given[name] = input;
        if (!Tensor.is(input) || input.strides === null) continue;
        copies.push((given[name] = await copied(this.context, input)));
      }
      const { outputs, placement } = await this.#model.compute({ operator: 'session.run', field: 'feeds' }, given, grown?.roomy);
      this.#follow(placement);
      return grown === null ? outputs : this.#caches.leave(outputs, grown, placement);
    } finally {
      for (const copy of copies) copy.dispose();
      end(grown?.held ?? []);
    }
  }

  async #prepare(method: string, sizes: Sizes): Promise<void> {
    const inputs = this.inputs.map(({ name, type, dims = [] }) => {
      const dataType = elementsOf(type as OrtTensor.Type);
      if (dataType === undefined) throw notTensor(name);
      const known = dims.map((dim, axis) => sizeOf(dim, `${name}[${axis}]`, sizes));
      return [name, new Elements(dataType, known, null)] as const;
    });
    const placement = await this.#model.prepare({ operator: method, field: 'model' }, Object.fromEntries(inputs));
    if (placement !== null) this.#follow(placement);
  }

  #follow(followed: Followed): void {
    if (followed !== this.#followed) this.#placement = placementOf(followed, this.#where);
    this.#followed = followed;
  }

  /** The tensor for the program. With `isFetched`, its elements are wanted in memory. */
  async #tensorOf(name: string, result: Computed, isFetched: boolean): Promise<OrtTensor> {
    const { dataType, isBool, dims, tensor, bytes } = result;
    const type = isBool ? 'bool' : dataType;
    const wanted = typeof this.#locations === 'string' ? this.#locations : this.#locations?.[name];
    const stays = wanted !== undefined && wanted !== 'cpu' && !isFetched && !inMemoryOnly.has(type) && !dims.includes(0);
    if (stays) {
      const mlTensor = tensor ?? this.#model.upload(result, bytes);
      const own = { download: () => elementsIn(mlTensor), dispose: () => disposeOf(mlTensor) };
      return newTensor(OrtTensor, { location: 'ml-tensor', type, mlTensor, dims, ...own });
    }
    const view = (elements: Uint8Array<ArrayBuffer>) => viewElements(dataType, elements.buffer, productOf(dims));
    const data = tensor === null ? view(copyOfBytes(bytes)) : await elementsIn(tensor);
    if (tensor !== null) disposeOf(tensor);
    return newTensor(OrtTensor, type, data, dims);
  }
}

/** The sets of sizes for which the graphs can be made now. */
function knownSizes(inputs: readonly OnnxValue[], { sizes, rest }: Settings): readonly Sizes[] {
  const names = inputs.flatMap(({ name, dims = [null] }) =>
    dims.flatMap((dim, axis) => (typeof dim === 'number' ? [] : (dim ?? `${name}[${axis}]`))),
  );
  const all = [{}, ...sizes].map((given) => ({ ...rest.freeDimensionOverrides, ...given }));
  return all.filter((given) => names.every((name) => Object.hasOwn(given, name)));
}

function sizeOf(dim: number | string | null, place: string, sizes: Sizes): number {
  return typeof dim === 'number' ? dim : (sizes[dim ?? place] ?? 1);
}

function inputOf({ given: { type, dims, content }, copy }: Feed): Tensor | Elements {
  if (Tensor.is(content)) return content.strides === null ? content.view({ sizes: dims.length === 0 ? [1] : dims }) : content;
  const dataType = elementsOf(type);
  if (dataType === undefined || !ArrayBuffer.isView(copy)) throw notTensor(type);
  return new Elements(dataType, dims, new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength));
}

function notTensor(name: string): Error {
  const place = { operator: 'session.run', field: shorten(name) };
  return fieldError('ERR_INVALID_FILE', place, 'a tensor of numbers', 'strings or a sequence', {
    why: 'use node-directml/onnx for sequences, and onnxruntime-web for strings',
  });
}
