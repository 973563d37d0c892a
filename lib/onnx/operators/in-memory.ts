/** What JavaScript computes from elements in memory, for data types and operators that DirectML lacks. */
import type { DataType } from '../../schema/generated/enums.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { broadcast, broadcastDims, isHost, numbersOf, type HostOperand, type Operand } from '../operand.js';

/** Undefined for elements that are not the same in each run. */
export function constantOf(operand: Operand | undefined): HostOperand | undefined {
  return operand !== undefined && isHost(operand) && operand.data.supply === null ? operand : undefined;
}

type MapNumber = (element: number) => number;

/** Computes each number of a tensor by itself. */
export function mapInMemory(node: Node, input: Operand, map: MapNumber): Operand {
  return node.computeOne([input], (given) => hostOperand(input.dataType, input.dims, numbersOf(given).map(map)));
}

export function testInMemory(node: Node, input: Operand, test: (element: number) => boolean): Operand {
  return node.computeOne([input], (given) => {
    const elements = numbersOf(given).map((element) => Number(test(element)));
    return hostOperand('uint8', input.dims, elements, true);
  });
}

/** Combines the elements of two tensors that broadcast. */
export function combineInMemory(
  node: Node,
  a: Operand,
  b: Operand,
  combine: (a: number, b: number) => number | boolean,
  dataType: DataType = a.dataType,
  isBool = false,
): Operand {
  const dims = broadcastDims(a.dims, b.dims);
  return node.computeOne([a, b], (...given) => {
    const [left = [], right = []] = given.map((operand) => numbersOf(broadcast(operand, dims)));
    const elements = left.map((element, i) => Number(combine(element, right[i] ?? NaN)));
    return hostOperand(dataType, dims, elements, isBool);
  });
}
