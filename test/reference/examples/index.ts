/** Every worked example of the public reference that this package carries. */
import type { OperatorType } from 'node-directml';
import type { WorkedExample } from '../example.js';
import * as activation from './activation.js';
import * as elementWise from './element-wise.js';
import * as fill from './fill.js';
import * as gather from './gather.js';
import * as padding from './padding.js';
import * as poolingResampling from './pooling-resampling.js';
import * as reduce from './reduce.js';
import * as scan from './scan.js';
import * as scatter from './scatter.js';
import * as slice from './slice.js';
import * as spaceDepth from './space-depth.js';
import * as splitJoin from './split-join.js';
import * as topK from './top-k.js';
import * as windows from './windows.js';

export const workedExamples: readonly WorkedExample[] = [
  activation,
  elementWise,
  fill,
  gather,
  padding,
  poolingResampling,
  reduce,
  scan,
  scatter,
  slice,
  spaceDepth,
  splitJoin,
  topK,
  windows,
].flatMap((family: Readonly<Record<string, readonly WorkedExample[]>>) => Object.values(family).flat());

/** By the operator that is computed. */
export function examplesByOperator(): ReadonlyMap<OperatorType, readonly WorkedExample[]> {
  const types = [...new Set(workedExamples.map(({ descriptor }) => descriptor.type))].sort();
  return new Map(types.map((type) => [type, workedExamples.filter(({ descriptor }) => descriptor.type === type)]));
}
