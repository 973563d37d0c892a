/**
 * Valid calls in hostile surroundings, in which prototypes have setters and accessors, or methods and globals are replaced. The
 * surroundings are hostile during the call, while its promise is pending, or both.
 */
import { types } from 'node:util';
import type { Random } from '../harness/random.js';
import { Meddled } from './meddled.js';
import { drawPatch, type Patch } from './patches.js';
import type { Action, Make } from './make.js';
import { trapOf } from './traps.js';
import { putOn, takeOff } from './undo.js';

const laterTurn = setImmediate;
const laterTask = queueMicrotask;
const { isPromise } = types;

/** Matches the fuzzer's own files in the stack of an error. */
const FUZZER = /[\\/]build[\\/]tools[\\/]/;

/** The maximum number of turns of the event loop for which the surroundings stay hostile. */
const LONGEST = 6;

/** Makes a drawn call in hostile surroundings. */
export const inSurroundings =
  (draw: Make): Make =>
  (random, world) => {
    const action = draw(random, world);
    if (action === null) return null;
    const patches = Array.from({ length: random.int(1, 2) }, () => drawPatch(random, trapOf(random, world)));
    const turns = random.chance(0.5) ? 0 : random.int(1, LONGEST);
    const where = random.pick(['both', 'later'] as const);
    const when = turns === 0 ? '' : where === 'both' ? `, and ${turns} turns` : `, only in ${turns} turns after it`;
    return {
      label: `${action.label} with ${patches.map(({ label }) => label).join(' and ')}${when}`,
      outcome: 'any',
      isAlone: true,
      run: () => runIn(patches, action, turns, where === 'both' || turns === 0, random),
    };
  };

function runIn(patches: readonly Patch[], { run }: Action, turns: number, isAtOnce: boolean, random: Random): unknown {
  const isTask = random.chance(0.5);
  let result: unknown;
  try {
    if (isAtOnce) putOn(patches);
    result = run();
  } catch (error) {
    takeOff();
    throw toldApart(error);
  } finally {
    takeOff();
  }
  if (!isPromise(result)) return result;
  const told = result.catch((error: unknown) => {
    takeOff();
    throw toldApart(error);
  });
  if (turns === 0) return told;
  const begin = () => {
    if (isOver) return;
    putOn(patches);
    wait(turns);
  };
  const wait = (left: number) => {
    if (left === 0 || isOver) takeOff();
    else laterTurn(() => wait(left - 1));
  };
  let isOver = false;
  const end = () => {
    isOver = true;
    takeOff();
  };
  // Watches the promise before the surroundings turn hostile.
  result.then(end, end);
  if (isTask) laterTask(begin);
  else laterTurn(begin);
  return told;
}

/** Blames the surroundings for a TypeError or RangeError of the fuzzer's own code, which they disturb as well. */
function toldApart(error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const place = error.stack?.split('\n').find((line) => /^ +at .*\.[cm]?js:/.test(line)) ?? '';
  return FUZZER.test(place) ? new Meddled(error.message) : error;
}
