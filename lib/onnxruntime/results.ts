/** Gives onnxruntime what a request has, and the program what onnxruntime computed. All of it happens in turn. */
import type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { at, fieldError, list } from '../errors.js';
import { guard } from '../validation/input.js';
import { viewOf } from '../webnn/buffer-data.js';
import type { Context } from '../webnn/ml-context.js';
import { checkDevice, ownTensor } from './given-tensor.js';
import type { Fetch, Request } from './request.js';
import { inTurn, ort } from './runtime.js';

type Values = InferenceSession.OnnxValueMapType;

/** Runs a request in a session of onnxruntime-web that takes some of its inputs. Without a context, its wasm computes. */
export async function runRequest(
  session: InferenceSession,
  { feeds, fetches, options }: Request,
  inputs: ReadonlySet<string>,
  context: Context | null,
): Promise<Values> {
  // While the run waited, a tensor may have been disposed of.
  for (const each of [...feeds.values(), ...fetches.values()]) if (each !== null) checkDevice(each.given, context);
  const taken = Array.from(feeds, ([name, { tensor }]) => [name, tensor] as const).filter(([name]) => inputs.has(name));
  const wanted = Array.from(
    fetches,
    ([name, fetch]) => [name, fetch !== null && isOnDevice(fetch) ? ownTensor(fetch.given) : null] as const,
  );
  const results = await session.run(Object.fromEntries(taken), Object.fromEntries(wanted), options);
  const own: [string, Tensor][] = [];
  for (const [name, fetch] of fetches) {
    const result = results[name];
    if (result === undefined) continue;
    if (fetch !== null && !isOnDevice(fetch)) await fill(fetch, result);
    // an object with the properties of a tensor
    own.push([name, fetch === null ? disposedInTurn(result) : (fetch.object as Tensor)]);
  }
  return Object.fromEntries(own);
}

function isOnDevice({ given }: Fetch): boolean {
  return given.onDevice !== undefined;
}

/** onnxruntime-web does not write into arrays of the program. */
async function fill({ given: { place, dims, content } }: Fetch, result: Tensor): Promise<void> {
  const data = await result.getData(true);
  const inside = at(place, 'data');
  if (list(result.dims) !== list(dims)) throw fieldError('ERR_SIZES', at(place, 'dims'), list(result.dims), list(dims));
  if (Array.isArray(data)) {
    guard('ERR_INVALID_ARGUMENT', inside, () => data.forEach((text, i) => Reflect.set(content, i, text)));
    return;
  }
  const [from, to] = [viewOf(data), ArrayBuffer.isView(content) ? viewOf(content) : undefined];
  if (to?.length !== from.length) throw fieldError('ERR_SIZES', inside, `${from.length} bytes`, `${to?.length ?? 0} bytes`);
  to.set(from);
}

/**
 * onnxruntime-web gives the memory of a tensor that was disposed of to the next run, even if a run that has begun reads it. So it
 * hears of that in turn.
 */
function disposedInTurn(result: Tensor): Tensor {
  if (result.location !== 'ml-tensor') return result;
  const dispose = () => {
    void inTurn(() => Promise.resolve(undefined).then(() => result.dispose())).catch(() => undefined);
  };
  const { type, mlTensor, dims } = result;
  const made: unknown = Reflect.construct(ort.Tensor, [
    { location: 'ml-tensor', type, mlTensor, dims, dispose, download: () => result.getData() },
  ]);
  return made instanceof ort.Tensor ? made : result;
}
