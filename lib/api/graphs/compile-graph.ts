/**
 * Compiles resolved graphs. No function that waits has the graph among its variables: its nodes can be collected while the device
 * compiles.
 */
import type { BackendGraph } from '../../backends/backend.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import { improved } from '../../graph/improve/index.js';
import { CompiledGraph, keptParts, type Compiled, type KeptParts, type OutputDataTypes } from './compiled-graph.js';
import { begin, waitFor } from '../abortable.js';
import type { DeviceContext } from '../device-context.js';
import { constantMemories, type Constants } from './graph-constants.js';
import type { ReadGraphOptions } from './graph-options.js';

export function compileGraph<Outputs extends string | OutputDataTypes, Inputs extends string = string>(
  context: DeviceContext,
  written: ResolvedGraph,
  { label, flags, wait, optimize }: ReadGraphOptions,
  method: string,
): Promise<CompiledGraph<Outputs, Inputs>> {
  const graph = improved(written, optimize, context.featureLevel);
  const compile = () => {
    const constants = constantMemories(context, graph.constants);
    return withConstants(
      begin(() => context.backend.compileGraph(graph, { ...flags }, constants.memories)),
      constants,
    );
  };
  const compiling = waitFor(wait, compile, (late) => {
    release(context, late);
  });
  return finish(context, keptParts(graph), compiling, { label, method });
}

function release(context: DeviceContext, { compiled, constants }: Compiled): void {
  if (!context.isDisposed) compiled.dispose();
  constants.release();
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
  { label, method }: { readonly label: string; readonly method: string },
): Promise<CompiledGraph<Outputs, Inputs>> {
  let compiled: Compiled | null = null;
  try {
    compiled = await compiling;
    context.check(method);
    return new CompiledGraph(context, parts, compiled, label);
  } catch (error) {
    if (compiled !== null) release(context, compiled);
    throw context.explain(method, error);
  }
}
