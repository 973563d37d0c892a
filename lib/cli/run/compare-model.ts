/** `run model.onnx --compare`: the model with the same inputs on the reference and in onnxruntime, and the node where they part. */
import Module from 'node:module';
import { join } from 'node:path';
import type * as common from 'onnxruntime-common';
import { contextOf } from '../../api/device.js';
import { currentFile } from '../../current-file.js';
import { shorten } from '../../errors.js';
import { readWhole } from '../../files/file-reader.js';
import { createDevice, type Device } from '../../index.js';
import { loadModel, type ParsedModel } from '../../onnx/load-onnx.js';
import { field, fieldsOf, partsWith } from '../../onnx/protobuf.js';
import type { ValueProto } from '../../onnx/proto.js';
import { compareOutputs, type Comparison } from './compare.js';
import type { Output } from './execute.js';
import { elementsOf, firstElements, outputOf, type ModelArray } from './model-arrays.js';
import type { Feed } from './model-feeds.js';

/** How the outputs of another runtime differ. */
export interface ModelComparison {
  /** `reference`, `onnxruntime-node` or `onnxruntime-web`. */
  readonly runtime: string;
  readonly outputs: readonly Comparison[];
  /** Why it could not run the model; null if it could. */
  readonly error: string | null;
  /** The first node of the model whose output is not near; null if all are. */
  readonly first: { readonly node: string; readonly opType: string; readonly output: Comparison } | null;
}

type Feeds = ReadonlyMap<string, Feed>;
/** Runs a model, and gives these values of it; null stands for its outputs. */
type Runtime = (parsed: ParsedModel, values: readonly string[] | null) => Promise<readonly Output[]>;

/** @param given What the device has computed. */
export async function compareModel(
  device: Device,
  parsed: ParsedModel,
  feeds: Feeds,
  given: Readonly<Record<string, ModelArray>>,
  tolerance: number | undefined,
): Promise<readonly ModelComparison[]> {
  const ours = Object.entries(given).map(([name, array]) => asOutput(name, array));
  const comparisons: ModelComparison[] = [];
  for (const [runtime, run] of runtimesFor(device, feeds)) {
    try {
      const outputs = compareOutputs(await run(parsed, null), ours, tolerance);
      const first = outputs.every(({ isNear }) => isNear) ? null : await firstDifference(device, run, parsed, feeds, tolerance);
      comparisons.push({ runtime, outputs, error: null, first });
    } catch (error) {
      comparisons.push({ runtime, outputs: [], error: error instanceof Error ? error.message : String(error), first: null });
    }
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
  const others = ['onnxruntime-node', 'onnxruntime-web'].flatMap((name) => {
    const ort = installed(name);
    return ort === null ? [] : [[name, runtimeOf(name, ort, feeds)] as const];
  });
  const isReference = device.info.backend === 'reference';
  return [...(isReference ? [] : [['reference', onReference] as const]), ...others.slice(0, 1)];
}

/** A package of the program, or one beside this package. */
function installed(name: string): typeof common | null {
  for (const from of [join(process.cwd(), 'index.js'), currentFile() ?? '']) {
    try {
      return Module.createRequire(from)(name) as typeof common;
    } catch {
      // The next one.
    }
  }
  return null;
}

function runtimeOf(name: string, ort: typeof common, feeds: Feeds): Runtime {
  if (name === 'onnxruntime-web') ort.env.wasm.numThreads = 1;
  return async ({ source, outputs }, values) => {
    const path = String(source.model);
    const more = values?.filter((value) => !outputs.some((output) => output.name === value)) ?? [];
    const options = { executionProviders: [name === 'onnxruntime-web' ? 'wasm' : 'cpu'], logSeverityLevel: 4 } as const;
    const bytes = more.length === 0 && name === 'onnxruntime-node' ? null : withOutputs(await readWhole('run', path), more);
    const session = await (bytes === null
      ? ort.InferenceSession.create(path, options)
      : ort.InferenceSession.create(bytes, options));
    try {
      const tensors: Record<string, common.Tensor> = {};
      for (const [input, { type, data, dims }] of feeds) {
        tensors[input] = Reflect.construct(ort.Tensor, [type, data, dims]) as common.Tensor;
      }
      const results = await session.run(tensors, values ?? session.outputNames);
      return Object.entries(results).flatMap(([output, { type, dims, data }]) =>
        ArrayBuffer.isView(data) ? [asOutput(output, { type, dims, data } as ModelArray)] : [],
      );
    } finally {
      await session.release();
    }
  };
}

/** The model with more outputs. */
function withOutputs(model: Uint8Array, names: readonly string[]): Uint8Array {
  const graph = [...fieldsOf(model)].find(({ number }) => number === 7);
  if (graph === undefined || names.length === 0) return model;
  return Buffer.concat(
    partsWith(model, new Map([[graph, field(7, graph.bytes, ...names.map((name) => field(12, field(1, name))))]])),
  );
}

async function runOn(
  device: Device,
  parsed: ParsedModel,
  feeds: Feeds,
  values: readonly string[] | null,
): Promise<readonly Output[]> {
  const context = contextOf(device);
  if (context === undefined) throw new TypeError('a device has a context');
  const { graph } = parsed.proto;
  const outputs = values?.map((name): ValueProto => ({ name, kind: 'tensor', elementType: 0, dims: undefined })) ?? graph.outputs;
  const model = await loadModel(context, { ...parsed, proto: { ...parsed.proto, graph: { ...graph, outputs } } });
  try {
    const given = Object.fromEntries(Array.from(feeds, ([name, feed]) => [name, elementsOf(feed)]));
    const { outputs: results } = await model.compute({ operator: 'run', field: 'inputs' }, given);
    const arrays = Array.from(results, async ([name, result]) => [name, await outputOf(name, result).catch(() => null)] as const);
    return (await Promise.all(arrays)).flatMap(([name, array]) => (array === null ? [] : [asOutput(name, array)]));
  } finally {
    model.dispose();
  }
}

async function firstDifference(
  device: Device,
  run: Runtime,
  parsed: ParsedModel,
  feeds: Feeds,
  tolerance: number | undefined,
): Promise<ModelComparison['first']> {
  const { nodes } = parsed.proto.graph;
  const values = nodes.flatMap((node) => node.outputs.filter((name) => name !== ''));
  const ours = await runOn(device, parsed, feeds, values);
  const theirs = await run(parsed, values);
  const compared = compareOutputs(theirs, ours, tolerance);
  for (const { name, opType, outputs: made } of nodes) {
    const output = compared.find((each) => made.includes(each.name) && !each.isNear);
    if (output !== undefined) return { node: shorten(name), opType, output };
  }
  return null;
}

function asOutput(name: string, array: ModelArray): Output {
  const dataType = array.type === 'bool' ? 'uint8' : array.type;
  return { name, dataType, sizes: array.dims, strides: null, elements: firstElements(array, array.data.length) };
}
