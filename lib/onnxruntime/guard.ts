/**
 * The context that onnxruntime-web gets. Its wasm waits for promises of WebNN, and waits for ever if one rejects; then all sessions
 * hang. So these promises resolve with something that is no tensor, and the session that called onnxruntime takes the error here.
 */
import { define } from '../define.js';
import type { MLContext, MLTensor } from '../webnn/index.js';
import { contextType } from '../webnn/interface-types.js';
import type { Context } from '../webnn/ml-context.js';

export interface Guard {
  /** For onnxruntime-web. */
  readonly object: object;
  readonly note: (error: unknown) => void;
  /** The first error since the last call; undefined if there was none. */
  readonly take: () => Error | undefined;
}

/** onnxruntime-web uses a tensor again in another session only if the context is the same object. */
const guards = new WeakMap<Context, Guard>();

/** What onnxruntime gets in the place of a tensor. Each use of it is an error. */
const noTensor = { destroy: () => undefined };

export function guardOf(context: Context, own: MLContext): Guard {
  const guard = guards.get(context) ?? newGuard(context, own);
  guards.set(context, guard);
  return guard;
}

/** The result of onnxruntime's work, or the error that its wasm could not be told. */
export async function guarded<T>(guard: Guard | undefined, work: () => Promise<T>): Promise<T> {
  guard?.take();
  const [result] = await Promise.allSettled([work()]);
  const failure = guard?.take();
  if (failure !== undefined) throw failure;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

function newGuard(context: Context, own: MLContext): Guard {
  let failure: Error | undefined;
  const note = (error: unknown): void => {
    failure ??= error instanceof Error ? error : new Error(String(error));
  };
  const take = (): Error | undefined => {
    const taken = failure;
    failure = undefined;
    return taken;
  };
  const object = contextType.aliasOf(context);
  const createTensor = async (...args: Parameters<MLContext['createTensor']>): Promise<object> => {
    try {
      return await own.createTensor(...args);
    } catch (error) {
      note(error);
      return noTensor;
    }
  };
  // The wasm always gives memory to read into. Without it, the program waits, which has to get the error.
  const readTensor = async (tensor: MLTensor, output?: ArrayBufferView<ArrayBuffer>): Promise<unknown> =>
    output === undefined ? own.readTensor(tensor) : own.readTensor(tensor, output).catch(note);
  define(object, 'createTensor', createTensor);
  define(object, 'readTensor', readTensor);
  return { object, note, take };
}
