/** `run model.onnx --compare`: the model with the same inputs on the reference and in onnxruntime, and the node where they part. */
import Module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type * as common from 'onnxruntime-common';
import { currentFile } from '../../values/current-file.js';
import { shorten } from '../../values/errors.js';
import { readWhole } from '../../files/file-reader.js';
import { contextFor } from '../../files/options.js';
import { createDevice, type Device } from '../../index.js';
import { loadModel, readFiles, type ParsedModel } from '../../onnx/load-onnx.js';
import { field } from '../../onnx/protobuf.js';
import type { NodeProto, ValueProto } from '../../onnx/proto.js';
import { avoidStall } from '../../webnn/avoid-stall.js';
import { compareOutputs, type Comparison } from './compare.js';
import type { Output } from './execute.js';
import { firstElements, inputsOf, isArrayType, outputOf, type ModelArray } from './model-arrays.js';
import type { Feed } from './model-feeds.js';

/** How the outputs of another runtime differ. */
export interface ModelComparison {
  /** `reference`, `onnxruntime-node` or `onnxruntime-web`. */
  readonly runtime: string;
  readonly outputs: readonly Comparison[];
  /** Why it could not run the model, or not with all its values as outputs; null if it could. */
  readonly error: string | null;
  /** The first node of the model whose output is not near; null if all are. */
  readonly first: { readonly node: string; readonly opType: string; readonly output: Comparison } | null;
}

type Feeds = ReadonlyMap<string, Feed>;
/** onnxruntime-node or onnxruntime-web. */
type Kind = 'node' | 'web';
type Arrays = ReadonlyMap<string, ModelArray>;
/** Runs a model, and gives these values of it; null stands for its outputs. */
type Runtime = (parsed: ParsedModel, values: readonly string[] | null) => Promise<Arrays>;

/** @param given What the device has computed. */
export async function compareModel(
  device: Device,
  parsed: ParsedModel,
  feeds: Feeds,
  given: Readonly<Record<string, ModelArray>>,
  tolerance: number | undefined,
): Promise<readonly ModelComparison[]> {
  const ours = new Map(Object.entries(given));
  const comparisons: ModelComparison[] = [];
  const { nodes } = parsed.proto.graph;
  const values = nodes.flatMap((node) => node.outputs.filter((name) => name !== ''));
  let ourValues: Promise<Arrays> | undefined;
  for (const [runtime, run] of runtimesFor(device, feeds)) {
    let compared: Omit<ModelComparison, 'runtime'> = { outputs: [], error: null, first: null };
    try {
      const outputs = compareOutputs(Array.from(await run(parsed, null), asOutput), Array.from(ours, asOutput), tolerance);
      compared = { ...compared, outputs };
      if (!outputs.every(({ isNear }) => isNear)) {
        ourValues ??= runOn(device, parsed, feeds, values);
        const known = await ourValues;
        compared = { ...compared, first: firstDifference(nodes, await run(parsed, values), known, tolerance) };
      }
    } catch (error) {
      compared = { ...compared, error: error instanceof Error ? error.message : String(error) };
    }
    comparisons.push({ runtime, ...compared });
  }
  return comparisons;
}

function runtimesFor(device: Device, feeds: Feeds): readonly (readonly [string, Runtime])[] {
  const onReference: Runtime = async (parsed, values) => {
    const reference = await createDevice({ backend: 'reference' });
    try {
      return await runOn(reference, parsed, feeds, values);
    } finally {
      reference.dispose();
    }
  };
  const others = (['node', 'web'] as const).flatMap((kind) => {
    const ort = installed(kind);
    return ort === null ? [] : [[`onnxruntime-${kind}`, runtimeOf(kind, ort, feeds)] as const];
  });
  const isReference = device.info.backend === 'reference';
  return [...(isReference ? [] : [['reference', onReference] as const]), ...others.slice(0, 1)];
}

/** A package of the program, or one beside this package. Overrides of npm may have put another one under its name. */
function installed(kind: Kind): typeof common | null {
  for (const from of [join(process.cwd(), 'index.js'), currentFile() ?? '']) {
    try {
      const ort = Module.createRequire(from)(`onnxruntime-${kind}`) as typeof common;
      if (ort.env.versions[kind] !== undefined) return ort;
    } catch {
      // The next one.
    }
  }
  return null;
}

function runtimeOf(kind: Kind, ort: typeof common, feeds: Feeds): Runtime {
  if (kind === 'web') {
    avoidStall();
    ort.env.wasm.numThreads = 1;
  }
  return async (parsed, values) => {
    const session = await sessionOf(kind, ort, parsed, values ?? []);
    try {
      const tensors: Record<string, common.Tensor> = {};
      for (const [input, { type, data, dims }] of feeds) {
        tensors[input] = Reflect.construct(ort.Tensor, [type, data, dims]) as common.Tensor;
      }
      const names = session.outputMetadata.flatMap((output) => (output.isTensor && isArrayType(output.type) ? output.name : []));
      const results = await session.run(tensors, names);
      return new Map(
        Object.entries(results).map(([output, { type, dims, data }]) => [output, { type, dims, data } as ModelArray]),
      );
    } finally {
      await session.release();
    }
  };
}

/** A session that also gives these values. */
async function sessionOf(
  kind: Kind,
  ort: typeof common,
  parsed: ParsedModel,
  values: readonly string[],
): Promise<common.InferenceSession> {
  const path = String(parsed.source.model);
  const more = values.filter((value) => !parsed.outputs.some(({ name }) => name === value));
  const options = { executionProviders: [kind === 'web' ? 'wasm' : 'cpu'], logSeverityLevel: 4 } as const;
  if (kind === 'node' && more.length === 0) return ort.InferenceSession.create(path, options);
  const bytes = withOutputs(await readWhole('run', path), more);
  const weights =
    kind === 'web'
      ? { externalData: await readFiles(parsed) }
      : { extra: { session: { model_external_initializers_file_folder_path: dirname(resolve(path)) } } };
  return ort.InferenceSession.create(bytes, { ...options, ...weights });
}

/** The model with more outputs: readers of protocol buffers join fields of one message that are there twice, such as the graph. */
function withOutputs(model: Uint8Array, names: readonly string[]): Uint8Array {
  return Buffer.concat([model, field(7, ...names.map((name) => field(12, field(1, name))))]);
}

async function runOn(device: Device, parsed: ParsedModel, feeds: Feeds, values: readonly string[] | null): Promise<Arrays> {
  const { graph } = parsed.proto;
  const outputs = values?.map((name): ValueProto => ({ name, kind: 'tensor', elementType: 0, dims: undefined })) ?? graph.outputs;
  const model = await loadModel(contextFor('run', device), {
    ...parsed,
    proto: { ...parsed.proto, graph: { ...graph, outputs } },
  });
  try {
    return await model.compute({ operator: 'run', field: 'inputs' }, inputsOf(feeds), async (results) => {
      const arrays = Array.from(
        results,
        async ([name, result]) => [name, await outputOf(name, result).catch(() => null)] as const,
      );
      return new Map((await Promise.all(arrays)).filter((each): each is readonly [string, ModelArray] => each[1] !== null));
    });
  } finally {
    model.dispose();
  }
}

/** Compares one value after the other, because all of them as numbers would need much more memory than as arrays. */
function firstDifference(
  nodes: readonly NodeProto[],
  expected: Arrays,
  given: Arrays,
  tolerance: number | undefined,
): ModelComparison['first'] {
  for (const { name, opType, outputs: made } of nodes) {
    for (const value of made) {
      const [theirs, ours] = [expected.get(value), given.get(value)];
      if (theirs === undefined || ours === undefined) continue;
      const [output] = compareOutputs([asOutput([value, theirs])], [asOutput([value, ours])], tolerance);
      if (output?.isNear === false) return { node: shorten(name), opType, output };
    }
  }
  return null;
}

function asOutput([name, array]: readonly [name: string, array: ModelArray]): Output {
  const dataType = array.type === 'bool' ? 'uint8' : array.type;
  return { name, dataType, sizes: array.dims, strides: null, elements: firstElements(array, array.data.length) };
}
