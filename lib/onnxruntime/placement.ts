/** Tells which parts of a model run on DirectML, and which nodes onnxruntime computes on the CPU. */
import type { Ports } from '../webnn/ml-graph.js';
import type { Model } from './model.js';
import type { ModelNode } from './onnx.js';
import { reasonFor } from './reasons.js';
import type { Rewritten } from './rewrite.js';

/** Where a model runs. */
export interface Placement {
  /** What computes the graphs; `'wasm'` is onnxruntime's own CPU provider, which then computes the whole model. */
  readonly backend: 'directml' | 'reference' | 'wasm';
  /** The adapter's name; null without DirectML. */
  readonly adapter: string | null;
  /** The number of graphs: 1 if the whole model runs on the device. */
  readonly graphs: number;
  /** The number of WebNN operators in them. onnxruntime fuses some nodes, computes others ahead, and divides some. */
  readonly operators: number;
  /**
   * The nodes that run on the CPU, in no particular order. onnxruntime's optimizations may have fused some of them. For a node
   * that the model does not have, because onnxruntime has added it, `name` is that of its output, and `opType` is empty. `why` is
   * a sentence with the reason, as far as the operator, the sizes and the data types tell it: onnxruntime itself does not.
   */
  readonly cpu: readonly { readonly name: string; readonly opType: string; readonly why: string }[];
  /** The nodes that were replaced before onnxruntime got the model, because they would run on the CPU otherwise. */
  readonly rewritten: readonly Rewritten[];
}

/** Nodes whose outputs onnxruntime knows when the sizes are known. */
const known = new Set(['Constant', 'Shape', 'Size']);

/** How the graphs were made. */
export interface Made {
  readonly graphs: readonly Ports[];
  /** Why the whole model runs on the CPU; null if it does not. */
  readonly why: string | null;
  /** The sizes of the dynamic dimensions by name. */
  readonly sizes: Readonly<Record<string, number>>;
}

/**
 * The nodes that the graphs do not compute, although a graph or the program needs their outputs. Walks from the inputs of the
 * graphs and the outputs of the model to what is known: inputs, weights and outputs of graphs.
 */
export function onCpu(model: Model, { graphs, sizes, why: all }: Made): Placement['cpu'] {
  const { sources, constants } = readNodes(model);
  const done = new Set([...model.inputs.map(({ name }) => name), ...constants]);
  for (const { outputs } of graphs) for (const name of outputs.keys()) done.add(name);
  const open = [...model.outputs.map(({ name }) => name), ...graphs.flatMap(({ inputs }) => [...inputs.keys()])];
  const found = new Set<Pick<ModelNode, 'name' | 'opType' | 'inputs'>>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (done.has(name)) continue;
    done.add(name);
    const node = sources.get(name) ?? { name, opType: '', inputs: [] };
    open.push(...node.inputs);
    // onnxruntime has replaced it by one of its branches.
    const isChosen = node.opType === 'If' && constants.has(node.inputs[0] ?? '');
    if (!isChosen) found.add(node);
  }
  const inputs = new Map(model.inputs.map((input) => [input.name, input]));
  return Array.from(found, (node) => {
    const why = all ?? reasonFor(node, inputs, sizes);
    return { name: node.name, opType: node.opType, why };
  });
}

/** The node of each value, and the values that onnxruntime computes when it creates a session. */
function readNodes({ nodes, weights }: Model) {
  const constants = new Set([...weights, '']);
  const sources = new Map<string, ModelNode>();
  // The order of the nodes in a model is topological.
  for (const node of nodes) {
    const isConstant = known.has(node.opType) || (node.inputs.length > 0 && node.inputs.every((input) => constants.has(input)));
    for (const output of node.outputs) {
      if (isConstant) constants.add(output);
      else sources.set(output, node);
    }
  }
  return { sources, constants };
}
