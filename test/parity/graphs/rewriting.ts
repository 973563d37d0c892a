/** What the package does with graphs that DirectML would refuse as they are described. */
import { withFourBitLayout } from '#lib/backends/directml/four-bit-layout.js';
import { keptIdentities } from '#lib/backends/directml/kept-identities.js';
import { keptOutputs } from '#lib/backends/directml/kept-outputs.js';
import type { ResolvedGraph } from '#lib/graph/resolved-graph.js';
import { isReference, nameIn, type LooseGraph } from './candidate.js';
import { recurrent } from './generate.js';
import { isFourBit } from './layouts.js';
import { slotsOf, valuesOf, type Slot } from './values.js';

/** What explains that DirectML refuses the graph and accepts what the package makes of it; undefined if nothing does. */
export function rewritingOf(graph: LooseGraph, resolved: ResolvedGraph): string | undefined {
  const nodes = Object.values(graph.nodes);
  const isOwned = ({ value }: Slot) => isReference(value) && graph.constants[nameIn(value)]?.flags === 'ownedByDml';
  if (nodes.some((node) => recurrent.includes(node.type) && slotsOf(node).some(isOwned)))
    return 'constants of recurrent operators';
  if (keptOutputs(resolved).length > 0) return 'values with memory of their own';
  if (keptIdentities(resolved).size > 0) return 'tiles in the place of identities';
  const isLaidOut = resolved.nodes.some(({ operator: { descriptor } }) => withFourBitLayout(descriptor) !== descriptor);
  if (isLaidOut) return 'another layout of 4-bit tensors';
  return hasFourBitsTwice(graph) ? '4-bit values that are two outputs' : undefined;
}

function hasFourBitsTwice(graph: LooseGraph): boolean {
  const values = valuesOf(graph);
  const outputs = Object.values(graph.outputs).flatMap((reference) => values.get(nameIn(reference)) ?? []);
  const names = outputs.filter(({ tensor }) => isFourBit(tensor)).map(({ name }) => name);
  return new Set(names).size < names.length;
}
