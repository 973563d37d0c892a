/**
 * `node-directml/onnxruntime`: an onnxruntime whose sessions run on DirectML, with the interface of onnxruntime-common.
 * onnxruntime-web is a package of the program.
 */
import type * as common from 'onnxruntime-web/webgpu';
import type { Device } from '../api/device.js';
import { define } from '../define.js';
import { create } from './create.js';
import type { SessionOptions as Options } from './options.js';
import type { Placement } from './placement.js';
import { ort } from './runtime.js';

export { env, Tensor } from 'onnxruntime-web/webgpu';
export type * from 'onnxruntime-web/webgpu';
export type { OwnOptions } from './options.js';
export type { Placement } from './placement.js';
// For the declarations of devices: their `Symbol.dispose`.
export type * from '../api/disposable.js';
export type { Device };

/** Sessions, as in onnxruntime-common. */
export const InferenceSession: InferenceSessionFactory = { create };

export interface InferenceSession extends common.InferenceSession {
  /** Where the model runs, with the sizes for which the last graph was made. Null before the first graph. */
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
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE, ERR_INVALID_ARGUMENT, ERR_CPU_FALLBACK,
   * ERR_DISPOSED, ERR_DEVICE_LOST, those of `createDevice`; and errors of onnxruntime.
   */
  create(model: string | URL | Uint8Array | ArrayBufferLike, options?: Options): Promise<InferenceSession>;
  create(model: ArrayBufferLike, byteOffset: number, byteLength?: number, options?: Options): Promise<InferenceSession>;
}

// Where transformers.js and others look for an onnxruntime.
define(globalThis, Symbol.for('onnxruntime'), { InferenceSession, Tensor: ort.Tensor, env: ort.env }, 'writable');
