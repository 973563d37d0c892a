/** What computes the model of a session. */
import type { Tensor } from 'onnxruntime-common';
import type { DeviceContext } from '../api/device-context.js';
import type { Placement } from './placement.js';
import type { Request, Values } from './request.js';

/** The constructor of tensors has a signature for each data type, and none for all of them. */
export function newTensor(type: typeof Tensor, ...args: readonly unknown[]): Tensor {
  return Reflect.construct(type, args) as Tensor;
}

export type Outputs = readonly (readonly [name: string, tensor: Tensor])[];

export interface Engine extends Values {
  /** The device that has the tensors; null for onnxruntime-web. */
  readonly context: DeviceContext | null;
  /** With the sizes of the last graphs; null before the first one. */
  readonly placement: Placement | null;
  /** The wanted outputs by name, in order. */
  run(request: Request): Promise<Outputs>;
  dispose(): Promise<void> | void;
}
