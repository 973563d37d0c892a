/** Gives the program what was computed: new tensors, or in those that it gave for outputs. */
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { Tensor as DeviceTensor } from '../api/memory/tensor.js';
import { at, fieldError, list } from '../values/errors.js';
import { guard } from '../values/input.js';
import { viewOf } from '../webnn/buffer-data.js';
import type { Outputs } from './engine.js';
import type { Fetch, Request } from './request.js';

type Values = InferenceSession.OnnxValueMapType;

export function deliver({ fetches }: Request, outputs: Outputs): Values {
  return Object.fromEntries(outputs.map(([name, result]) => [name, filled(fetches.get(name) ?? null, result)]));
}

/** The result, or the program's tensor with its elements. */
function filled(fetch: Fetch | null, result: Tensor): Tensor {
  if (fetch === null) return result;
  fill(fetch, result);
  // an object with the properties of a tensor
  return fetch.object as Tensor;
}

function fill({ given: { place, dims, content } }: Fetch, result: Tensor): void {
  const { data } = result;
  const inside = at(place, 'data');
  if (list(result.dims) !== list(dims)) throw fieldError('ERR_SIZES', at(place, 'dims'), list(result.dims), list(dims));
  if (Array.isArray(data)) {
    guard('ERR_INVALID_ARGUMENT', inside, () => data.forEach((text, i) => Reflect.set(content, i, text)));
    return;
  }
  const from = viewOf(data);
  if (DeviceTensor.is(content)) {
    content.write(from.buffer);
    return;
  }
  const to = ArrayBuffer.isView(content) ? viewOf(content) : undefined;
  if (to?.length !== from.length) throw fieldError('ERR_SIZES', inside, `${from.length} bytes`, `${to?.length ?? 0} bytes`);
  to.set(from);
}
