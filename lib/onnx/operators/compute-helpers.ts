/** What operators that JavaScript computes share. */
import type { Node } from '../node.js';
import type { HostOperand, Operand } from '../operand.js';

/** The elements of the operands, each in memory. */
type Given<T extends readonly (Operand | undefined)[]> = {
  [K in keyof T]: HostOperand | (undefined extends T[K] ? undefined : never);
};

/** Tensors that JavaScript computes from elements. Operands that are undefined stay undefined. */
export function computed<const T extends readonly (Operand | undefined)[]>(
  node: Node,
  operands: T,
  work: (...given: Given<T>) => readonly HostOperand[],
): readonly Operand[] {
  const present = operands.filter((operand) => operand !== undefined);
  return node.compute(present, (given) => {
    let next = 0;
    return work(...(operands.map((operand) => (operand === undefined ? undefined : given[next++])) as Given<T>));
  });
}
