/**
 * The order of int64. Where DirectML emulates 64 bits, it compares the low halves as signed numbers, but it compares uint64 right:
 * so int64 is compared as the uint64 that is larger by 2^63.
 */
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { scalar } from '../make-data.js';
import type { Node } from '../node.js';
import type { Operand } from '../operand.js';

const least = -(2n ** 63n);

/** Elements in the same order, which DirectML compares right. */
export function orderKeys(node: Node, operand: Operand): Operand {
  if (operand.dataType !== 'int64') return operand;
  return node.cast(node.arithmetic('elementWiseBitXor', operand, scalar('int64', least)), 'uint64');
}

/** The elements of keys. */
export function fromOrderKeys(node: Node, keys: Operand, { dataType }: Operand): Operand {
  if (dataType !== 'int64') return keys;
  return node.arithmetic('elementWiseBitXor', node.cast(keys, 'int64'), scalar('int64', least));
}

/** The larger or smaller of two elements. */
export function extremeOf(
  node: Node,
  type: Extract<OperatorType, 'elementWiseMax' | 'elementWiseMin'>,
  a: Operand,
  b: Operand,
): Operand {
  return fromOrderKeys(node, node.arithmetic(type, orderKeys(node, a), orderKeys(node, b)), a);
}
