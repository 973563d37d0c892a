/**
 * Makes the stack of an error lead to the program. Of the calls that the engine records, most may be the package's own; it loses
 * the program's after an `await`, in native code, and beyond its limit of ten.
 */
import { dirname, join, sep } from 'node:path';
import { define } from '../values/define.js';
import { DirectMLError } from '../values/errors.js';
import { isBundled, currentFile } from '../values/current-file.js';
import { dueTurn } from './event-loop.js';

/** The engine's own function, saved now because a program may replace it later. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- it uses no `this`
const { captureStackTrace } = Error;
/**
 * The folders of the package's own files, also those that source maps name; none in a bundle, where they are in the same file as
 * the caller.
 */
const ownFolders = isBundled ? [] : ['', join('..', 'lib')].map((path) => join(dirname(currentFile() ?? ''), path) + sep);
/** The most calls of the package between a public method and what throws, or between the program's function and its caller. */
const maxOwnCalls = 40;
/**
 * The original stack of each error changed here. Two callers that compile the same operator at the same time get the same
 * error.
 */
const joined = new WeakMap<DirectMLError, readonly string[]>();

/** The calls that led to a place. */
export interface CallSite {
  readonly stack?: string | undefined;
}

/**
 * Runs the work of an asynchronous public method. Capturing the caller's stack takes 3 microseconds, and ten times as long
 * after a pause. So it is captured after the work has begun, and the device does not wait for it. If the event loop is due for
 * a turn, settles after it.
 */
export async function fromCaller<T>(work: () => Promise<T>): Promise<T> {
  // Decided at the call, so that promises settle in the order in which they were made.
  const turn = dueTurn();
  const begun = work();
  const site: CallSite = {};
  captureStackTrace(site, fromCaller);
  try {
    return await begun;
  } catch (error) {
    throw withCaller(error, site);
  } finally {
    if (turn !== null) await turn;
  }
}

/** Runs the work of a synchronous public method. */
export function fromCallerNow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withCaller(error, callerOf(fromCallerNow));
  }
}

/**
 * An error that came out of the program's own code: a function that it gave, or its promise. A copy, if a method has added calls
 * to the stack, so that it keeps them when methods around add theirs. Other values are returned unchanged.
 */
export function fromProgram(error: unknown, message = error instanceof DirectMLError ? error.message : ''): unknown {
  if (!(error instanceof DirectMLError) || (!joined.has(error) && message === error.message)) return error;
  const copy = copyOf(error, message);
  const lines = stackOf(error);
  if (lines.length > 0)
    define(
      copy,
      'stack',
      lines.join('\n').replace(error.message, () => message),
      'writable',
    );
  return copy;
}

/** Removes the calls that led to a place from the stack of an error, which several callers get. */
export function withoutCaller(error: DirectMLError, site: CallSite): void {
  const lines = stackOf(error);
  const [caller] = callsOfProgram(stackOf(site).filter(isFrame));
  const end = caller === undefined ? -1 : placeIn(lines, caller);
  // A function that the program made in that line may be all that is left.
  const isFirst = lines.slice(0, end).every((line) => !isFrame(line));
  if (end >= 0 && !isFirst) define(error, 'stack', lines.slice(0, end).join('\n'), 'writable');
}

/**
 * The calls that led to the function `above`, or to this call: more than the program's limit, because those of the package do not
 * count.
 */
export function callerOf(above: (...args: never[]) => unknown = callerOf): CallSite {
  const site: CallSite = {};
  const limit: unknown = Error.stackTraceLimit;
  const isRaised = typeof limit === 'number' && limit > 0 && setLimit(limit + maxOwnCalls);
  try {
    captureStackTrace(site, above);
  } finally {
    // Also if the stack is full, and the engine throws.
    if (isRaised) setLimit(limit);
  }
  return site;
}

/** False if the program has made the limit constant. */
function setLimit(limit: number): boolean {
  try {
    return Reflect.set(Error, 'stackTraceLimit', limit);
  } catch {
    return false;
  }
}

/** The error with the calls of the program that led to the public method. Other values are returned unchanged. */
function withCaller(error: unknown, site: CallSite): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const before = joined.get(error);
  const own = before === undefined ? error : copyOf(error, error.message);
  const lines = before ?? stackOf(error);
  const frames = stackOf(site).filter(isFrame);
  if (frames.length === 0 || lines.length === 0) return own;
  joined.set(own, lines);
  define(own, 'stack', joinedLines(lines, frames).join('\n'), 'writable');
  return own;
}

/** The lines of a stack with the calls that led to the public method, without the package's own calls if they are known. */
function joinedLines(lines: readonly string[], frames: readonly string[]): readonly string[] {
  const callers = callsOfProgram(frames).slice(0, Error.stackTraceLimit);
  // The first one is the public method.
  if (callers.length === 0) return joinedAt(lines, frames.length > 1 ? frames.slice(1) : frames);
  const text = lines.filter((line) => !isFrame(line));
  return joinedAt([...text, ...callsOfProgram(lines.filter(isFrame))], callers);
}

/** The lines, and the callers after them or from the place where the lines have the first of them. */
function joinedAt(lines: readonly string[], callers: readonly string[]): readonly string[] {
  const shared = placeIn(lines, callers[0] ?? '');
  return [...(shared < 0 ? lines : lines.slice(0, shared)), ...callers];
}

/** The index of a call in a stack; -1 if it is not there. */
function placeIn(lines: readonly string[], frame: string): number {
  const line = lineOf(frame);
  return lines.findIndex((other) => isFrame(other) && other.includes(line));
}

/** Leaves out what the package and Node.js call, also the engine's functions that these call; nothing in a bundle. */
function callsOfProgram(frames: readonly string[]): readonly string[] {
  if (ownFolders.length === 0) return [];
  let isOfProgram = false;
  const calls = frames.toReversed().filter((frame) => {
    // Such as `at Array.map (<anonymous>)`: it belongs to what calls it.
    if (/\((?:<anonymous>|index \d+)\)$/.test(frame)) return isOfProgram;
    isOfProgram = !/[ (]node:/.test(frame) && !ownFolders.some((folder) => frame.includes(folder));
    return isOfProgram;
  });
  return calls.reverse();
}

/** The lines of a stack; none if a program replaced it with something other than a string, or a getter that throws. */
function stackOf(object: CallSite): readonly string[] {
  try {
    const { stack } = object;
    return typeof stack === 'string' ? stack.split('\n') : [];
  } catch {
    return [];
  }
}

function isFrame(line: string): boolean {
  return /^\s*at /.test(line);
}

/** `file.js:12:` for `    at name (file.js:12:5)`, without the column, which differs between an `await` and its call. */
function lineOf(frame: string): string {
  const place = frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2) : frame.replace(/^\s*at (?:async )?/, '');
  const end = place.lastIndexOf(':');
  return end < 0 ? frame : place.slice(0, end + 1);
}

function copyOf(error: DirectMLError, message: string): DirectMLError {
  const cause = Object.hasOwn(error, 'cause') ? { cause: error.cause } : {};
  const copy = new DirectMLError(error.code, message, cause);
  for (const name of Object.keys(error)) define(copy, name, Reflect.get(error, name), 'writable', 'enumerable');
  return copy;
}
