/**
 * DirectML takes a `dequantize` whose output is the `bTensor` of a `gemm` together with that gemm, so that a driver may multiply
 * by 4-bit weights as they are. Without such a driver, it then refuses 4-bit inputs, reads others without regard to the strides of
 * `bTensor`, and ends the process if anything else needs the floats, too. An identity between the two prevents that. It is dropped
 * afterwards, so that it costs neither time nor memory.
 */
import type { DataType } from '../../tensors/generated/enums.js';
import { isPacked, productOf } from '../../tensors/tensor-size.js';
import type { GraphNode, ResolvedGraph } from '../../graph/resolved-graph.js';

/** How a graph multiplies by what it dequantizes. */
export interface DequantizedGemms {
  /** The indices of the dequantize nodes that gemms read. */
  readonly all: ReadonlySet<number>;
  /** Those that drivers are known to take with their gemm, and the data types of their inputs. */
  readonly fusible: ReadonlyMap<number, DataType>;
}

export function dequantizedGemms({ nodes, outputs }: ResolvedGraph): DequantizedGemms {
  const all = new Set<number>();
  const fusible = new Map<number, DataType>();
  for (const gemm of nodes) {
    const factor = gemm.operator.descriptor.type === 'gemm' ? gemm.inputs[1] : null;
    const node = factor?.kind === 'node' ? nodes[factor.index] : undefined;
    if (factor?.kind !== 'node' || node?.operator.descriptor.type !== 'dequantize') continue;
    all.add(factor.index);
    const dataType = fusedDataType(node, gemm);
    if (dataType !== null) fusible.set(factor.index, dataType);
  }
  // Most graphs have no such pair.
  if (fusible.size === 0) return { all, fusible };
  const readers = new Map<number, number>();
  for (const source of [...nodes.flatMap(({ inputs }) => inputs), ...outputs.map(({ source }) => source)]) {
    if (source?.kind === 'node') readers.set(source.index, (readers.get(source.index) ?? 0) + 1);
  }
  return { all, fusible: new Map([...fusible].filter(([node]) => readers.get(node) === 1)) };
}

/** The input's data type if the pair has the form that onnxruntime's MatMulNBits builds: one packed matrix, blocks in its rows. */
function fusedDataType({ operator: { descriptor } }: GraphNode, gemm: GraphNode): DataType | null {
  const product = gemm.operator.descriptor;
  if (descriptor.type !== 'dequantize' || product.type !== 'gemm') return null;
  const { inputTensor, quantizationTensors } = descriptor;
  const { sizes } = inputTensor;
  const haveRows = quantizationTensors.every((tensor) => {
    return isPacked(tensor) && sizes.every((size, axis) => axis === sizes.length - 1 || size === tensor.sizes[axis]);
  });
  const isOneMatrix = productOf(sizes.slice(0, -2)) === 1 && isPacked(inputTensor) && isPacked(product.bTensor);
  return product.transB === 'transpose' && isOneMatrix && haveRows ? inputTensor.dataType : null;
}
