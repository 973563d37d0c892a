/** A session of onnxruntime-web for one set of sizes. */
import type { InferenceSession } from 'onnxruntime-web/webgpu';
import { shorten } from '../errors.js';
import type { BuiltGraph } from '../webnn/ml-graph.js';
import { guarded } from './guard.js';
import { endOf, type Location } from './location.js';
import type { Model } from './model.js';
import type { Settings } from './options.js';
import { onCpu, type Placement } from './placement.js';
import { createSession } from './runtime.js';

/** What onnxruntime-web needs beside the model's bytes. */
export type ExternalData = NonNullable<InferenceSession.SessionOptions['externalData']>;

/** The sizes of dynamic dimensions by name. */
export type Dimensions = Readonly<Record<string, number>>;

export interface Graph {
  readonly session: InferenceSession;
  /** onnxruntime-web leaves its graphs to garbage collection. */
  readonly built: readonly BuiltGraph[];
  /** The inputs that it takes. */
  readonly inputs: ReadonlySet<string>;
  readonly placement: Placement;
}

/** What a graph is made from. */
export interface Source {
  readonly model: Model;
  readonly externalData: ExternalData;
  readonly settings: Settings;
  readonly dimensions: Dimensions;
}

/**
 * Makes the graph for WebNN; on onnxruntime's wasm if there is no location, or if onnxruntime-web cannot make it for WebNN and the
 * options allow that. To be called in turn.
 */
export async function makeGraph(source: Source, location: Location | null): Promise<Graph> {
  if (location === null) return forWasm(source, 'the whole session runs on the CPU');
  try {
    return await forWebNN(source, location);
  } catch (error) {
    if (source.settings.fallback === 'error' || endOf(location.context) !== undefined) throw error;
    const message = error instanceof Error ? shorten(error.message) : 'an error';
    return await forWasm(source, `onnxruntime-web cannot make the model for WebNN: ${message}`).catch(() => {
      throw error;
    });
  }
}

/** Frees what the graph needs. */
export async function releaseGraph({
  session,
  built,
}: Pick<Graph, 'built'> & { session: InferenceSession | undefined }): Promise<void> {
  await session?.release();
  for (const graph of built) graph.destroy();
}

async function forWebNN(source: Source, { context, guard }: Location): Promise<Graph> {
  const { model, dimensions } = source;
  const { rewritten } = model;
  const built: BuiltGraph[] = [];
  let operators = 0;
  context.onBuilt = (graph, count) => {
    built.push(graph);
    operators += count;
  };
  context.onBuildFailed = guard.note;
  const options = {
    ...optionsOf(source),
    freeDimensionOverrides: { ...source.settings.rest.freeDimensionOverrides, ...dimensions },
    executionProviders: [{ name: 'webnn', deviceType: 'gpu', context: guard.object } as const],
  };
  let session: InferenceSession | undefined;
  const create = async () => (session = await createSession(model.bytes, options));
  try {
    const made = await guarded(guard, create);
    const { backend, adapter } = context.device.info;
    const cpu = onCpu(model, { graphs: built.map(({ ports }) => ports), sizes: dimensions, why: null });
    const placement = { backend, adapter: adapter?.name ?? null, graphs: built.length, operators, cpu, rewritten };
    return { session: made, built, inputs: model.used, placement };
  } catch (error) {
    await releaseGraph({ session, built });
    throw error;
  } finally {
    context.onBuilt = context.onBuildFailed = undefined;
  }
}

async function forWasm(source: Source, why: string): Promise<Graph> {
  const { model, dimensions } = source;
  const options = { ...optionsOf(source), executionProviders: ['wasm'] };
  // There is no device on which outputs could stay.
  delete options.preferredOutputLocation;
  const session = await createSession(model.bytes, options);
  const cpu = onCpu(model, { graphs: [], sizes: dimensions, why });
  return {
    session,
    built: [],
    inputs: model.used,
    placement: { backend: 'wasm', adapter: null, graphs: 0, operators: 0, cpu, rewritten: model.rewritten },
  };
}

function optionsOf({ settings: { rest }, externalData }: Source): InferenceSession.SessionOptions {
  return {
    logSeverityLevel: 3,
    ...rest,
    // onnxruntime-web writes its own entries into them.
    extra: structuredClone(rest.extra ?? {}),
    ...(externalData.length === 0 ? {} : { externalData }),
  };
}
