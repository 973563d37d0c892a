/** Compiles resolved graphs. */
import type { BackendGraph } from '../../backends/backend.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import { CompiledGraph, type OutputDataTypes } from './compiled-graph.js';
import { waitFor } from '../abortable.js';
import type { ReadOptions } from '../operators/compile-options.js';
import type { DeviceContext } from '../device-context.js';
import { constantMemories, type Constants } from './graph-constants.js';

export async function compileGraph<Outputs extends string | OutputDataTypes, Inputs extends string = string>(
  context: DeviceContext,
  graph: ResolvedGraph,
  { label, flags, wait }: ReadOptions,
  method: string,
): Promise<CompiledGraph<Outputs, Inputs>> {
  let constants: Constants | undefined;
  const compile = () => {
    constants = constantMemories(context, graph.constants);
    return context.backend.compileGraph(graph, { ...flags }, constants.memories);
  };
  const release = (late: BackendGraph) => {
    if (!context.isDisposed) late.dispose();
  };
  try {
    const compiled = await waitFor(wait, compile, release);
    try {
      context.check(method);
    } catch (error) {
      release(compiled);
      throw error;
    }
    if (constants === undefined) throw new TypeError('compiling begins with the constants');
    return new CompiledGraph(context, graph, { compiled, constants, label });
  } catch (error) {
    constants?.release();
    throw error;
  }
}
