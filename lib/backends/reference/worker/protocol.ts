/**
 * The protocol between the JavaScript thread and the worker of the reference backend. Commands go to the worker as numbers, in
 * the order in which they were recorded: a command's own number, its arguments, and lists of ranges.
 *
 * | part | numbers |
 * | --- | --- |
 * | a range of a buffer | the buffer's number, offset, size in bytes; for no range a single 0 |
 * | ranges | their count, then each of them |
 * | a dispatch | the number of the operator or graph, ranges of the inputs, ranges of the outputs |
 */
import type { ThreadPoolOptions } from '../thread-pool/thread-pool.js';

/** The commands, and what follows each. `+` stands for the next of {@link Batch.values}. */
export const commands = {
  /** number + shared memory: a buffer */
  buffer: 0,
  /** number, owned ranges + resolved operator */
  operator: 1,
  /** number, ranges of the constants + resolved graph */
  graph: 2,
  /** number, count of dispatches, dispatches: a recording */
  recording: 3,
  /** number of a graph, ranges of the constants */
  initialize: 4,
  /** number: disposes of anything that has a number */
  dispose: 5,
  /** a dispatch */
  dispatch: 6,
  /** number of a recording */
  replay: 7,
  /** range, range */
  copy: 8,
  /** number of a buffer, offset + bytes */
  write: 9,
  /** number of the request, range: answers with a copy of the bytes */
  read: 10,
  /** number of the request, range: answers when everything before has run, and reports a lack of memory */
  report: 11,
  /** number of the request: answers when everything before has run */
  reached: 12,
  /** count: waits until the JavaScript thread has taken so many reads from shared memory */
  wait: 13,
} as const;

export interface Batch {
  readonly numbers: Float64Array;
  readonly values: Values;
}

/** Values that are not numbers, from 0 in the order of the commands. */
export type Values = Readonly<Record<string, unknown>>;

/** The worker's answer to a request. */
export interface Answer {
  readonly request: number;
  /** The bytes that were read, or null for another request. */
  readonly bytes: ArrayBuffer | null;
  /** Why there are none, or for another request why something was not computed; else null. */
  readonly lack: Lack | null;
}

/** There was no memory for something. */
export interface Lack {
  readonly message: string;
  readonly operator: string | null;
}

/** Places in the shared counters. They wrap around at 2³². */
export const counters = {
  /** How many commands the worker has run. */
  run: 0,
  /** How many reads the JavaScript thread has taken from shared memory. */
  taken: 1,
  /** Not 0 as long as ranges of buffers are lacking, or a request is to be told of a lack. */
  lacking: 2,
} as const;

/** What the worker is started with. */
export interface Start {
  readonly role: 'worker';
  readonly threadPool: ThreadPoolOptions;
  readonly counters: Int32Array;
  /** {@link protocolVersion} of the JavaScript thread: a bundle may start a worker of another version of the package. */
  readonly version: number;
}

/** To be raised with every change of this file. */
export const protocolVersion = 5;
