/**
 * Puts the caller's line into the stack of an error. The engine loses it after an `await`, in native code, and if validation
 * has more nested calls than the engine records.
 */
import { dirname } from 'node:path';
import { define } from '../define.js';
import { DirectMLError } from '../errors.js';
import { isBundled, currentFile } from '../current-file.js';
import { dueTurn } from './event-loop.js';

/** The engine's own function, saved now because a program may replace it later. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- it uses no `this`
const { captureStackTrace } = Error;
/** The folder of the package's own files; undefined in a bundle, where they are in the same file as the caller. */
const packageDirectory = isBundled ? undefined : dirname(currentFile() ?? '');
/**
 * The original stack of each error changed here. Two callers that compile the same operator at the same time get the same
 * error.
 */
const joined = new WeakMap<DirectMLError, readonly string[]>();

interface CallSite {
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
    const site: CallSite = {};
    captureStackTrace(site, fromCallerNow);
    throw withCaller(error, site);
  }
}

/** The error with the calls that led to the public method appended to its stack. Other values are returned unchanged. */
function withCaller(error: unknown, site: CallSite): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const frames = stackOf(site).filter(isFrame);
  const isOutside = (frame: string) => packageDirectory !== undefined && !frame.includes(packageDirectory);
  const outside = Math.max(1, frames.findIndex(isOutside));
  const caller = frames[outside];
  const before = joined.get(error);
  const own = before === undefined ? error : copyOf(error);
  const lines = before ?? stackOf(error);
  if (caller === undefined || lines.length === 0) return own;
  joined.set(own, lines);
  const line = lineOf(caller);
  const shared = lines.findIndex((other) => isFrame(other) && other.includes(line));
  const calls = shared < 0 ? [...lines, ...frames] : [...lines.slice(0, shared), ...frames.slice(outside)];
  define(own, 'stack', calls.join('\n'), 'writable');
  return own;
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

function copyOf(error: DirectMLError): DirectMLError {
  const cause = Object.hasOwn(error, 'cause') ? { cause: error.cause } : {};
  const copy = new DirectMLError(error.code, error.message, cause);
  for (const name of Object.keys(error)) define(copy, name, Reflect.get(error, name), 'writable', 'enumerable');
  return copy;
}
