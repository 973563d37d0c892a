/** onnxruntime-web on WebNN, and on its own wasm provider, in this process. */
import { setFlagsFromString } from 'node:v8';
import { env, InferenceSession, type Tensor } from 'onnxruntime-web/webgpu';
import { MLContext, MLGraphBuilder } from 'node-directml/webnn';
import type { Model } from './model-writer.js';

// onnxruntime-web supports only one thread in Node.js.
env.wasm.numThreads = 1;
// Node.js 20 does not end before it has optimized onnxruntime's 27 MB of wasm, which takes minutes.
setFlagsFromString('--liftoff-only');

type Results = InferenceSession.OnnxValueMapType;
type Numbers = Readonly<Record<string, readonly number[]>>;

/** The options of a WebNN session whose creation fails if a node would have to run on the CPU. */
export function onWebnn(model: Model, context?: MLContext): InferenceSession.SessionOptions {
  return {
    executionProviders: [{ name: 'webnn', deviceType: 'gpu', ...(context === undefined ? {} : { context }) }],
    freeDimensionOverrides: model.dimensions,
    extra: { session: { disable_cpu_ep_fallback: '1' } },
  };
}

/** The results of models for their own inputs. */
const expected = new WeakMap<Model, Promise<Numbers>>();

/** Runs the model on the wasm provider, with its own inputs only once. */
export function expectedOf(model: Model, feeds = model.feeds): Promise<Numbers> {
  if (feeds !== model.feeds) return runOnWasm(model, feeds);
  const known = expected.get(model) ?? runOnWasm(model, feeds);
  expected.set(model, known);
  return known;
}

async function runOnWasm(model: Model, feeds: Model['feeds']): Promise<Numbers> {
  const session = await InferenceSession.create(model.bytes, { executionProviders: ['wasm'] });
  const results = await session.run(feeds);
  await session.release();
  return numbersOf(results);
}

/** Reads the results as numbers, by name, from the CPU or from a device. */
export async function read(results: Results): Promise<Numbers> {
  const tensors = Object.entries(results).map(async ([name, tensor]) => [name, elementsOf(await tensor.getData())] as const);
  return Object.fromEntries(await Promise.all(tensors));
}

/** The numbers of results on the CPU, by name. */
export function numbersOf(results: Results): Numbers {
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, elementsOf(data)]));
}

function elementsOf(data: Tensor.DataType): number[] {
  return Array.from<number | bigint | string, number>(data, Number);
}

/** The largest difference between two numbers of any output, relative to the largest magnitude in that output. */
export function distance(given: Numbers, expected: Numbers): number {
  const names = Object.keys(expected);
  if (Object.keys(given).join() !== names.join()) return Infinity;
  return Math.max(...names.map((name) => distanceOf(given[name] ?? [], expected[name] ?? [])));
}

function distanceOf(given: readonly number[], expected: readonly number[]): number {
  if (given.length !== expected.length) return Infinity;
  const distances = expected.map((number, i) => Math.abs(number - (given[i] ?? NaN)));
  const farthest = Math.max(...distances) / Math.max(...expected.map(Math.abs));
  return Number.isNaN(farthest) ? Infinity : farthest;
}

/** Counts the graphs that WebNN builds and dispatches while `work` runs. */
export async function counting<T>(work: () => Promise<T>): Promise<{ result: T; builds: number; dispatches: number }> {
  const { build } = MLGraphBuilder.prototype;
  const { dispatch } = MLContext.prototype;
  const counts = { builds: 0, dispatches: 0 };
  MLGraphBuilder.prototype.build = function (this: MLGraphBuilder, outputs) {
    counts.builds++;
    return build.call(this, outputs);
  };
  MLContext.prototype.dispatch = function (this: MLContext, graph, inputs, outputs) {
    counts.dispatches++;
    dispatch.call(this, graph, inputs, outputs);
  };
  try {
    return { result: await work(), ...counts };
  } finally {
    MLGraphBuilder.prototype.build = build;
    MLContext.prototype.dispatch = dispatch;
  }
}
