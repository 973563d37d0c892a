/** A drawn node of ONNX with inputs, which onnxruntime's CPU computes too. */
import type { Random } from '../harness/random.js';
import type { NodeLine, Weight } from '../networks/small-model.js';

export interface OnnxCase {
  readonly opset: number;
  readonly nodes: readonly NodeLine[];
  /** By name. Those in `constants` are in the model, the others are inputs of the run. */
  readonly inputs: Readonly<Record<string, Weight>>;
  readonly constants?: readonly string[];
  /** The names of the outputs. */
  readonly outputs: readonly string[];
  /** The largest difference, relative to the largest magnitude of the output. Default: 0 for integers, 1e-5 for floats. */
  readonly tolerance?: number;
  /** The magnitude that differences are relative to at least: of the elements whose sums may be small. Default: 0. */
  readonly magnitude?: number;
}

/** Draws a case. `random` is for this case alone. */
export type Draw = (random: Random) => OnnxCase;

/** By operator, with the domain before it if there is one. */
export type Draws = Readonly<Record<string, Draw>>;
