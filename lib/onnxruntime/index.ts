/**
 * An onnxruntime whose sessions run on DirectML, with the interface of onnxruntime-common, which is a package of the program.
 * @module node-directml/onnxruntime
 */
import * as common from 'onnxruntime-common';
import type { Device } from '../api/device.js';
import { define } from '../values/define.js';
import { create } from './create.js';
import type { SessionOptions as Options } from './options.js';
import type { Placement } from './placement.js';

export { env, Tensor } from 'onnxruntime-common';
export type * from 'onnxruntime-common';
export type { OwnOptions } from './options.js';
export type { PlacedNode, Placement } from './placement.js';
// For the declarations of devices: their `Symbol.dispose`.
export type * from '../api/disposable.js';
export type { Device };

/** Sessions, as in onnxruntime-common. */
export const InferenceSession: InferenceSessionFactory = { create };

export interface InferenceSession extends common.InferenceSession {
  /** Where the nodes run, with the sizes of the last graphs that were made or run. Null before the first graph. */
  readonly placement: Placement | null;
}

/** The types beside sessions, as in onnxruntime-common. */
// eslint-disable-next-line @typescript-eslint/no-namespace -- programs write InferenceSession.SessionOptions
export declare namespace InferenceSession {
  type SessionOptions = Options;
  type RunOptions = common.InferenceSession.RunOptions;
  type FeedsType = common.InferenceSession.FeedsType;
  type FetchesType = common.InferenceSession.FetchesType;
  type ReturnType = common.InferenceSession.ReturnType;
  type OnnxValueMapType = common.InferenceSession.OnnxValueMapType;
  type NullableOnnxValueMapType = common.InferenceSession.NullableOnnxValueMapType;
  type ExecutionProviderConfig = common.InferenceSession.ExecutionProviderConfig;
  type ValueMetadata = common.InferenceSession.ValueMetadata;
}

export interface InferenceSessionFactory {
  /**
   * Reads a model, and opens a device for it. Makes the graphs whose sizes are known; `run` makes the others.
   *
   * @param model The path or the URL of a file, or its bytes, with which `byteOffset` and `byteLength` may follow. Weights in
   * other files are found beside the file; for bytes, give them as `options.externalData`.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE, also for a node that is wrong or not supported, which it names;
   * ERR_INVALID_ARGUMENT, ERR_CPU_FALLBACK, ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST, those of `createDevice`.
   */
  create(model: string | URL | Uint8Array | ArrayBufferLike, options?: Options): Promise<InferenceSession>;
  create(model: ArrayBufferLike, byteOffset: number, byteLength?: number, options?: Options): Promise<InferenceSession>;
}

// Where transformers.js and others look for an onnxruntime.
const { env, Tensor } = common;
define(globalThis, Symbol.for('onnxruntime'), { InferenceSession, Tensor, env }, 'writable');
