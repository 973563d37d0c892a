/**
 * Compiles resolved graphs. No function that waits has the graph among its variables: its nodes can be collected while the device
 * compiles.
 */
import type { BackendGraph } from '../../backends/backend.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import { CompiledGraph, keptParts, type KeptParts, type OutputDataTypes } from './compiled-graph.js';
import { waitFor } from '../abortable.js';
import type { ReadOptions } from '../operators/compile-options.js';
import type { DeviceContext } from '../device-context.js';
import { constantMemories, type Constants } from './graph-constants.js';

interface Compiled {
  readonly compiled: BackendGraph;
  readonly constants: Constants;
}

export function compileGraph<Outputs extends string | OutputDataTypes, Inputs extends string = string>(
  context: DeviceContext,
  graph: ResolvedGraph,
  { label, flags, wait }: ReadOptions,
  method: string,
): Promise<CompiledGraph<Outputs, Inputs>> {
  const release = releaserFor(context);
  const compiling = waitFor(wait, () => begin(context, graph, flags), release);
  return finish(context, keptParts(graph), compiling, { label, method, release });
}

function releaserFor(context: DeviceContext): (late: Compiled) => void {
  return ({ compiled, constants }) => {
    if (!context.isDisposed) compiled.dispose();
    constants.release();
  };
}

function begin(context: DeviceContext, graph: ResolvedGraph, flags: ReadOptions['flags']): Promise<Compiled> {
  const constants = constantMemories(context, graph.constants);
  try {
    return withConstants(context.backend.compileGraph(graph, { ...flags }, constants.memories), constants);
  } catch (error) {
    constants.release();
    throw error;
  }
}

async function withConstants(compiling: Promise<BackendGraph>, constants: Constants): Promise<Compiled> {
  try {
    return { compiled: await compiling, constants };
  } catch (error) {
    constants.release();
    throw error;
  }
}

async function finish<Outputs extends string | OutputDataTypes, Inputs extends string>(
  context: DeviceContext,
  parts: KeptParts,
  compiling: Promise<Compiled>,
  { label, method, release }: { label: string; method: string; release: (unused: Compiled) => void },
): Promise<CompiledGraph<Outputs, Inputs>> {
  const compiled = await compiling;
  try {
    context.check(method);
    return new CompiledGraph(context, parts, { ...compiled, label });
  } catch (error) {
    release(compiled);
    throw error;
  }
}
