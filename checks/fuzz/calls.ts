/** Draws calls: right ones, invalid ones, and right ones in polluted or hostile surroundings. */
import { rightCalls } from './actions.js';
import { withEndings } from './endings.js';
import { oneOf, type Make } from './make.js';
import { rightGraphCalls } from './graph-actions.js';
import { malformedGraphCalls } from './malformed/graphs.js';
import { malformedCalls } from './malformed/actions.js';
import { malformedRecords } from './malformed/records.js';
import { malformedTextures } from './malformed/textures.js';
import { polluted } from './malformed/values.js';
import { words } from './patches.js';
import { profiles } from './profiles.js';
import type { Play } from './round.js';
import { inSurroundings } from './surroundings.js';

/** Names that Object.prototype gets, with a value. */
const POLLUTION: readonly (readonly [names: string, value: unknown])[] = [
  ['label directmlPath luid adapter addonDirectory featureLevel flags dataType field code', '\\\\nowhere\\share\\DirectML.dll'],
  ['offset size totalTensorSizeInBytes guaranteedBaseOffsetAlignment byteLength byteOffset sizeInBytes', 2 ** 40],
  ['strides sizes buffer initializationInputs scaleBias inputTensor biasTensor cause counts optional', {}],
  // In the descriptors of graphs, in references to values, and in errors.
  ['inputs outputs constants nodes value data name source node expected given operator', { value: 'x' }],
  // In the options of copies of textures, and of imports.
  ['channels scale layout region bytesPerRow x y width height external handle shared reuseCommandLists', { value: 'x' }],
  ['debug', true],
  ['allowHalfPrecisionComputation perDispatch', 5],
  ['fusedActivation', 1],
  ['type', 'cast'],
  ['since', '9.9'],
  ['role', 'input'],
];
const polluting = POLLUTION.flatMap(([names, value]) => words(names).map((name) => [name, value] as const));

/** A valid call while Object.prototype has a property that might be mistaken for the caller's. */
const underPollution: Make = (random, world) => {
  const action = rightCall(random, world);
  if (action === null) return null;
  const [name, value] = random.pick(polluting);
  const isEnumerable = random.chance(0.3);
  return {
    ...action,
    label: `${action.label} with Object.prototype.${name}`,
    run: () => polluted(name, value, isEnumerable, action.run),
  };
};

const rightCall: Make = oneOf([...rightCalls, ...rightGraphCalls, ...profiles]);

const wrongCall: Make = oneOf([
  ...malformedCalls,
  ...malformedGraphCalls,
  ...malformedRecords,
  ...malformedTextures,
  [60, underPollution],
  [200, inSurroundings(rightCall)],
]);

const RIGHT = 0.6;
const odds = { dispose: 1 / 900, remove: 1 / 900, open: 1 / 30, terminate: 1 / 1200 };

export const calls: Play = {
  forgets: 0.1,
  next: withEndings('calls', odds, (random, world) => (random.chance(RIGHT) ? rightCall : wrongCall)(random, world)),
};
