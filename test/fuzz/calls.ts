/** Draws calls: right ones, invalid ones, and right ones in polluted or hostile surroundings. */
import type { Random } from '../random.js';
import { rightCalls } from './actions.js';
import type { Make, Weighted } from './make.js';
import { rightGraphCalls } from './graph-actions.js';
import { hostileGraphCalls } from './graph-hostile.js';
import { hostileCalls } from './hostile-actions.js';
import { hostileRecords } from './hostile-records.js';
import { polluted } from './hostile.js';
import { profiles } from './profiles.js';
import { inSurroundings } from './surroundings.js';

const POLLUTION: readonly (readonly [string, unknown])[] = [
  ...['label', 'directmlPath', 'luid', 'adapter', 'addonDirectory', 'featureLevel', 'flags', 'dataType', 'field', 'code'].map(
    (name) => [name, '\\\\nowhere\\share\\DirectML.dll'] as const,
  ),
  ...['offset', 'size', 'totalTensorSizeInBytes', 'guaranteedBaseOffsetAlignment', 'byteLength', 'byteOffset', 'sizeInBytes'].map(
    (name) => [name, 2 ** 40] as const,
  ),
  ...[
    'strides',
    'sizes',
    'buffer',
    'initializationInputs',
    'scaleBias',
    'inputTensor',
    'biasTensor',
    'cause',
    'counts',
    'optional',
  ].map((name) => [name, {}] as const),
  // Names in the descriptors of graphs, in references to values, and in errors.
  ...['inputs', 'outputs', 'constants', 'nodes', 'value', 'data', 'name', 'source', 'node', 'expected', 'given', 'operator'].map(
    (name) => [name, { value: 'x' }] as const,
  ),
  ['debug', true],
  ['allowHalfPrecisionComputation', 5],
  ['perDispatch', 5],
  ['fusedActivation', 1],
  ['type', 'cast'],
  ['since', '9.9'],
  ['role', 'input'],
];

/** A valid call while Object.prototype has a property that might be mistaken for the caller's. */
const underPollution: Make = (random, world) => {
  const action = rightCall(random, world);
  if (action === null) return null;
  const [name, value] = random.pick(POLLUTION);
  const isEnumerable = random.chance(0.3);
  return {
    ...action,
    label: `${action.label} with Object.prototype.${name}`,
    run: () => polluted(name, value, isEnumerable, action.run),
  };
};

const allRight: Weighted = [...rightCalls, ...rightGraphCalls, ...profiles];
export const rightCall: Make = (random, world) => draw(random, allRight)(random, world);
const allHostile: Weighted = [
  ...hostileCalls,
  ...hostileGraphCalls,
  ...hostileRecords,
  [60, underPollution],
  [200, inSurroundings(rightCall)],
];

export const hostileCall: Make = (random, world) => draw(random, allHostile)(random, world);

function draw(random: Random, makers: Weighted): Make {
  let ticket = random.int(0, makers.reduce((sum, [weight]) => sum + weight, 0) - 1);
  for (const [weight, make] of makers) {
    if ((ticket -= weight) < 0) return make;
  }
  return () => null;
}
