/**
 * Valid calls in hostile surroundings: while setters and accessors are on prototypes, and while methods and globals are replaced.
 * These are there during the call itself, and then perhaps while its promise is pending.
 */
import { types } from 'node:util';
import type { Random } from '../random.js';
import { drawPatch, nothing, type Patch } from './patches.js';
import type { Action, Make } from './make.js';
import { Meddled, trapOf } from './traps.js';

const laterTurn = setImmediate;
const laterTask = queueMicrotask;
const { isPromise } = types;

/** Its files in the stack of an error. */
const FUZZER = /[\\/]tools[\\/](fuzz[\\/]|random\.js:)/;

/** The most turns of the event loop for which surroundings stay hostile. */
const LONGEST = 6;

/** Takes back the surroundings of the moment. No array holds the parts, because Array.prototype may have setters. */
let undo = nothing;

function putOn(patches: readonly Patch[]): void {
  for (let i = 0; i < patches.length; i++) {
    const before = undo;
    const off = patches[i]?.put() ?? nothing;
    undo = () => {
      off();
      before();
    };
  }
}

/** Makes the surroundings harmless again. The fuzzer calls it before it looks at a result. */
export function takeOff(): void {
  const all = undo;
  undo = nothing;
  all();
}

/** Makes a call that `draw` draws. */
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
  // The promise is watched before the surroundings can see it.
  result.then(end, end);
  if (isTask) laterTask(begin);
  else laterTurn(begin);
  return told;
}

/** An error of the fuzzer's own code, which the surroundings disturb as well, becomes theirs. */
function toldApart(error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const place = error.stack?.split('\n').find((line) => /^ +at .*\.[cm]?js:/.test(line)) ?? '';
  return FUZZER.test(place) ? new Meddled(error.message) : error;
}
