/** onnxruntime-web, set up for Node.js. */
// Not `{ createRequire }`: webpack warns about each call of it with an unknown argument.
import Module from 'node:module';
import { pathToFileURL } from 'node:url';
import * as ort from 'onnxruntime-web/webgpu';
import { currentFile } from '../current-file.js';
import { avoidStall } from '../webnn/avoid-stall.js';
import { install, MLGraphBuilder } from '../webnn/index.js';

export { ort };

// It supports only one thread in Node.js.
ort.env.wasm.numThreads = 1;
// Otherwise transformers.js lets it load its wasm from a server.
const folder = folderOfWasm();
if (folder !== undefined) ort.env.wasm.wasmPaths ??= folder;

/** `y = x`, the smallest model. */
const identity = Buffer.from('CAg6LwoQCgF4EgF5IghJZGVudGl0eRIBeVoLCgF4EgYKBAgBEgBiCwoBeRIGCgQIARIAQgQKABAR', 'base64');

let last: Promise<unknown> = Promise.resolve();

/** Runs work after all earlier work: onnxruntime-web does one thing at a time, for all sessions, and fails or hangs otherwise. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(() => work());
  last = result.catch(() => undefined);
  return result;
}

/** Creates a session of onnxruntime-web. To be called in turn. */
export async function createSession(
  model: Uint8Array,
  options: ort.InferenceSession.SessionOptions,
): Promise<ort.InferenceSession> {
  avoidStall();
  // It looks for WebNN where a browser has it. Another implementation there cannot use this package's contexts.
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  const hasML = typeof navigator === 'object' && navigator !== null && 'ml' in navigator;
  if (!hasML || Reflect.get(globalThis, 'MLGraphBuilder') !== MLGraphBuilder) install();
  try {
    return await ort.InferenceSession.create(model, options);
  } catch (error) {
    // onnxruntime-web 1.30 gives the next session, of any provider, the context and inputs of a session that failed.
    const next = ort.InferenceSession.create(identity, { executionProviders: ['wasm'] });
    await next.then((session) => session.release()).catch(() => undefined);
    throw error;
  }
}

/** The folder of onnxruntime-web's files as a URL; undefined in a bundle that cannot find it. */
function folderOfWasm(): string | undefined {
  const file = currentFile();
  try {
    return file && new URL('.', pathToFileURL(Module.createRequire(file).resolve('onnxruntime-web/webgpu'))).href;
  } catch {
    return undefined;
  }
}
