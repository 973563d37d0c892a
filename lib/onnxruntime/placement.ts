/** Tells where the nodes of a model run. */
import type { Placement as Followed } from '../onnx/plan.js';
import type { NodePlacement } from '../onnx/types.js';

/** A node of the model. One in a function of the model counts as its caller; one in a loop is there once. */
export interface PlacedNode extends Omit<NodePlacement, 'isOnHost'> {
  /**
   * `'graph'` on the device; `'host'` if JavaScript computes it in each run, between two graphs; `'ahead'` if it is known before
   * the graphs run, or is another view of a tensor; `'wasm'` in onnxruntime-web.
   */
  readonly where: 'graph' | 'host' | 'ahead' | 'wasm';
}

/** Where a model runs. */
export interface Placement {
  /** What computes the graphs; `'wasm'` is onnxruntime-web's CPU provider, which then computes the whole model. */
  readonly backend: 'directml' | 'reference' | 'wasm';
  /** The adapter's name; null without DirectML. */
  readonly adapter: string | null;
  /** The number of graphs: 1 if the whole model runs at once. */
  readonly graphs: number;
  /** The number of DirectML's operators in them. */
  readonly operators: number;
  /** All nodes, in their order. */
  readonly nodes: readonly PlacedNode[];
  /** The nodes that do not run on the device, each with the reason. */
  readonly cpu: readonly { readonly name: string; readonly opType: string; readonly why: string }[];
}

/** @internal */
export function placementOf({ graphs, nodes }: Followed, where: Pick<Placement, 'backend' | 'adapter'>): Placement {
  const placed = nodes.map(({ isOnHost, ...node }): PlacedNode => {
    return { ...node, where: isOnHost ? 'host' : node.graph === null ? 'ahead' : 'graph' };
  });
  const cpu = placed.filter((node) => node.where === 'host').map(({ name, opType, why }) => ({ name, opType, why: why ?? '' }));
  const operators = nodes.reduce((sum, node) => sum + node.operators.length, 0);
  return { ...where, graphs, operators, nodes: placed, cpu };
}
