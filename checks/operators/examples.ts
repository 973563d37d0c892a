/** The examples of Microsoft's reference pages that this package carries, of all families. */
import type { OperatorType } from 'node-directml';
import { isWorked, type OwnExample, type WorkedExample } from '../cases/example.js';
import { families } from './families.js';

export const workedExamples: readonly WorkedExample[] = Object.values(families)
  .flatMap(({ examples }): readonly (readonly (WorkedExample | OwnExample)[])[] => Object.values(examples))
  .flat()
  .filter(isWorked);

/** The examples by the operator that they compute. */
export function examplesByOperator(): ReadonlyMap<OperatorType, readonly WorkedExample[]> {
  const types = [...new Set(workedExamples.map(({ descriptor }) => descriptor.type))].sort();
  return new Map(types.map((type) => [type, workedExamples.filter(({ descriptor }) => descriptor.type === type)]));
}
