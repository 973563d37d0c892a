/**
 * Keeps the caller's line in the stack of an error. Without it the line is lost after an `await`, in native code, and where
 * validation is more calls deep than the engine records.
 */
import { dirname } from 'node:path';
import { DirectMLError } from '../errors.js';

/** As the engine has it, whatever a program puts in its place later. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- it uses no `this`
const { captureStackTrace } = Error;
const packageDirectory = dirname(__dirname);
/**
 * The stacks that errors had before they were changed here. Two callers can get the same error, when they compile the same
 * operator at the same time.
 */
const joined = new WeakMap<DirectMLError, readonly string[]>();

interface CallSite {
  readonly stack?: string | undefined;
}

/** What a public method does asynchronously. It costs 3 microseconds to remember the caller. */
export async function fromCaller<T>(work: () => Promise<T>): Promise<T> {
  const site: CallSite = {};
  captureStackTrace(site, fromCaller);
  try {
    return await work();
  } catch (error) {
    throw withCaller(error, site);
  }
}

/** What a public method does at once. */
export function fromCallerNow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const site: CallSite = {};
    captureStackTrace(site, fromCallerNow);
    throw withCaller(error, site);
  }
}

/** The error with the calls that led to the public method below its own. */
function withCaller(error: unknown, site: CallSite): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const frames = stackOf(site).filter(isFrame);
  const outside = Math.max(
    1,
    frames.findIndex((frame) => !frame.includes(packageDirectory)),
  );
  const caller = frames[outside];
  const before = joined.get(error);
  const own = before === undefined ? error : copyOf(error);
  const lines = before ?? stackOf(error);
  if (caller === undefined || lines.length === 0) return own;
  joined.set(own, lines);
  const line = lineOf(caller);
  const shared = lines.findIndex((other) => isFrame(other) && other.includes(line));
  const calls = shared < 0 ? [...lines, ...frames] : [...lines.slice(0, shared), ...frames.slice(outside)];
  Object.defineProperty(own, 'stack', { value: calls.join('\n'), configurable: true, enumerable: false, writable: true });
  return own;
}

/** The lines of a stack; none where a program has its own idea of what a stack is. */
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

/** `file.js:12:` of `    at name (file.js:12:5)`: an `await` counts as another column than the call. */
function lineOf(frame: string): string {
  const place = frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2) : frame.replace(/^\s*at (?:async )?/, '');
  const end = place.lastIndexOf(':');
  return end < 0 ? frame : place.slice(0, end + 1);
}

function copyOf(error: DirectMLError): DirectMLError {
  const cause = Object.hasOwn(error, 'cause') ? { cause: error.cause } : {};
  return Object.assign(new DirectMLError(error.code, error.message, cause), error);
}
