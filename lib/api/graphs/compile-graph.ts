/** Compiles resolved graphs. */
import type { BackendGraph } from '../../backends/backend.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import { CompiledGraph, type OutputDataTypes } from './compiled-graph.js';
import { waitFor } from '../abortable.js';
import type { ReadOptions } from '../operators/compile-options.js';
import type { DeviceContext } from '../device-context.js';
import { constantMemories } from './graph-constants.js';

export async function compileGraph<Outputs extends string | OutputDataTypes, Inputs extends string = string>(
  context: DeviceContext,
  graph: ResolvedGraph,
  { label, flags, wait }: ReadOptions,
  method: string,
): Promise<CompiledGraph<Outputs, Inputs>> {
  const compile = () => context.backend.compileGraph(graph, { ...flags }, constantMemories(context, graph.constants));
  const release = (late: BackendGraph) => {
    if (!context.isDisposed) late.dispose();
  };
  const compiled = await waitFor(wait, compile, release);
  try {
    context.check(method);
  } catch (error) {
    release(compiled);
    throw error;
  }
  return new CompiledGraph(context, graph, compiled, label);
}
