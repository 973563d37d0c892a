/** How the tensors of a descriptor are given: as descriptions, as tensors of a device, or as values of a graph. */
import type { Place } from '../values/errors.js';
import type { ObjectWords } from '../values/input.js';
import { tensorWords } from './tensor.js';

export interface TensorReader {
  /** Returns the description for the value of a tensor field: that of a `Tensor`, or else the value itself. */
  readonly describe: (value: unknown, place: Place) => unknown;
  /** How errors describe inputs. */
  readonly input: ObjectWords;
  /** What errors call several inputs, such as `an array of tensors`. */
  readonly inputs: string;
  /** How errors describe outputs. */
  readonly output: ObjectWords;
}

/** For descriptors whose tensors are descriptions. */
export const descriptions: TensorReader = {
  describe: (value) => value,
  input: tensorWords,
  inputs: 'an array of tensor descriptions',
  output: tensorWords,
};
