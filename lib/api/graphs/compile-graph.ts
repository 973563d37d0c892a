/** Compiles resolved graphs. */
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import { CompiledGraph, type OutputDataTypes } from './compiled-graph.js';
import type { ReadOptions } from '../operators/compile-options.js';
import type { DeviceContext } from '../device-context.js';
import { constantMemories } from './graph-constants.js';

export async function compileGraph<Outputs extends string | OutputDataTypes>(
  context: DeviceContext,
  graph: ResolvedGraph,
  { label, flags }: ReadOptions,
  method: string,
): Promise<CompiledGraph<Outputs>> {
  const compiled = await context.backend.compileGraph(graph, { ...flags }, constantMemories(context, graph.constants));
  try {
    context.check(method);
  } catch (error) {
    if (!context.isDisposed) compiled.dispose();
    throw error;
  }
  return new CompiledGraph(context, graph, compiled, label);
}
