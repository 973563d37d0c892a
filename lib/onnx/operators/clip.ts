/** Clip: elements limited to a range. */
import { isFloat, largestFloat32 } from '../../data-types/table.js';
import { scalar } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, type HostOperand, type Operand } from '../operand.js';
import { combineInMemory, constantOf } from './in-memory.js';
import { extremeOf } from './order.js';

export function clip(node: Node): Operand {
  const input = node.input(0);
  const [low, high] = node.opset < 11 ? attributesOf(node, input) : [node.optional(1), node.optional(2)];
  if (input.dataType === 'float64') return clipInMemory(node, input, low, high);
  return clipByConstants(node, input, low, high) ?? clipByOperands(node, input, low, high);
}

function attributesOf(node: Node, { dataType }: Operand): readonly Operand[] {
  const limits = [node.float('min', -largestFloat32), node.float('max', largestFloat32)];
  return limits.map((limit) => scalar(dataType, limit));
}

/** If the limits are the same in each run, they are fields. Undefined if DirectML's clip cannot have them. */
function clipByConstants(node: Node, input: Operand, low: Operand | undefined, high: Operand | undefined): Operand | undefined {
  const [constantLow, constantHigh] = [constantOf(low), constantOf(high)];
  const areOthers = (low !== undefined && constantLow === undefined) || (high !== undefined && constantHigh === undefined);
  if (areOthers || !isFloat(input.dataType)) return undefined;
  const min = limitOf(constantLow, -Infinity);
  const max = limitOf(constantHigh, Infinity);
  if (!(min <= max)) return undefined;
  return node.map('elementWiseClip1', input, { minMaxDataType: input.dataType, min, max });
}

function limitOf(limit: HostOperand | undefined, byDefault: number): number {
  return limit === undefined ? byDefault : (numbersOf(limit)[0] ?? NaN);
}

/** If the lower limit is greater than the upper one, all elements become the upper one. */
function clipByOperands(node: Node, input: Operand, low: Operand | undefined, high: Operand | undefined): Operand {
  const raised = low === undefined ? input : extremeOf(node, 'elementWiseMax', input, node.reshape(low, []));
  return high === undefined ? raised : extremeOf(node, 'elementWiseMin', raised, node.reshape(high, []));
}

function clipInMemory(node: Node, input: Operand, low: Operand | undefined, high: Operand | undefined): Operand {
  const raised = low === undefined ? input : combineInMemory(node, input, node.reshape(low, []), Math.max);
  return high === undefined ? raised : combineInMemory(node, raised, node.reshape(high, []), Math.min);
}
