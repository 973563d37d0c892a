/**
 * DirectML takes a `dequantize` whose output is the `bTensor` of a `gemm` together with that gemm. It then refuses 4-bit inputs,
 * reads others without regard to the strides of `bTensor`, and ends the process if anything else needs the floats, too. An identity
 * between the two prevents that. It is dropped afterwards, so that it costs neither time nor memory.
 */
import type { ResolvedGraph } from '../../graph/resolved-graph.js';

/** The indices of the dequantize nodes that need an identity behind them. */
export function separateDequantizes({ nodes }: ResolvedGraph): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { operator, inputs } of nodes) {
    const factor = operator.descriptor.type === 'gemm' ? inputs[1] : null;
    if (factor?.kind === 'node' && nodes[factor.index]?.operator.descriptor.type === 'dequantize') found.add(factor.index);
  }
  return found;
}
