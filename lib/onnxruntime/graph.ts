/** A session of onnxruntime-web for one set of sizes. */
import type { InferenceSession } from 'onnxruntime-web/webgpu';
import { shorten } from '../errors.js';
import type { Ports } from '../webnn/ml-graph.js';
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

async function forWebNN(source: Source, { object, context }: Location): Promise<Graph> {
  const { model, dimensions } = source;
  const { rewritten } = model;
  const graphs: Ports[] = [];
  let operators = 0;
  context.onBuilt = (ports, count) => {
    graphs.push(ports);
    operators += count;
  };
  try {
    const session = await createSession(model.bytes, {
      ...optionsOf(source),
      freeDimensionOverrides: { ...source.settings.rest.freeDimensionOverrides, ...dimensions },
      executionProviders: [{ name: 'webnn', deviceType: 'gpu', context: object }],
    });
    const { backend, adapter } = context.device.info;
    const cpu = onCpu(model, { graphs, sizes: dimensions, why: null });
    const placement = { backend, adapter: adapter?.name ?? null, graphs: graphs.length, operators, cpu, rewritten };
    return { session, inputs: model.used, placement };
  } finally {
    context.onBuilt = undefined;
  }
}

async function forWasm(source: Source, why: string): Promise<Graph> {
  const { model, dimensions } = source;
  const session = await createSession(model.bytes, { ...optionsOf(source), executionProviders: ['wasm'] });
  const cpu = onCpu(model, { graphs: [], sizes: dimensions, why });
  return {
    session,
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
