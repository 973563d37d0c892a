/** The types that programs see of a model. */
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import type { Tensor } from '../api/memory/tensor.js';
import type { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';

/** The data type in which normalizations and softmax of 16-bit floats are computed. */
export type Sums = 'float16' | 'float32';

/** A tensor without elements, which DirectML does not have. */
export interface EmptyTensor {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
}

/** An input or an output of a model. */
export interface OnnxValue {
  readonly name: string;
  /** The data type in ONNX, such as `float32`, `bool` or `string`; or `sequence`, `optional` or `other` for what is no tensor. */
  readonly type: string;
  /** Sizes, names of dimensions, and null for those without a name; undefined if the model does not say how many there are. */
  readonly dims: readonly (number | string | null)[] | undefined;
}

/** What a run of a model takes for an input: a sequence has several tensors. */
export type OnnxInput = Tensor | EmptyTensor | readonly (Tensor | EmptyTensor)[] | null;

/** What a run of a model gives for an output: an array for a sequence, null for an optional without a value. */
export type OnnxResult = Tensor | EmptyTensor | readonly (Tensor | EmptyTensor)[] | null;

/**
 * The outputs of a call: a promise of all of them by name, which also has a promise of each by its name. The results of a model
 * thus go into functions of operators as they are: `softmax(model({ pixels }).logits)`.
 */
export type OnnxCall<Names extends string = string> = Promise<Readonly<Record<Names, Tensor>>> &
  Readonly<Record<Names, Promise<Tensor>>>;

/**
 * A model as a function. Called with values of a graph, as in a function of `device.jit`, it adds its nodes to that graph.
 * Called with tensors, it runs. `Names` are the names of its outputs, if the program states them.
 */
export interface OnnxModel<Names extends string = string> {
  (inputs: Readonly<Record<string, Value>>): Readonly<Record<Names, Value>>;
  (inputs: Readonly<Record<string, OnnxInput | Promise<Tensor>>>): OnnxCall<Names>;

  /**
   * Computes the outputs. The first run with other sizes of inputs compiles graphs for them, which are kept.
   *
   * @param inputs By name. A tensor for a single number has the sizes `[1]`.
   * @returns By name. Dispose of the tensors when you no longer need them. Most outputs are tensors. State the type of those that
   * may be a sequence (an array), null, or without elements: `model.run<{ boxes: OnnxResult }>(inputs)`.
   * @throws {DirectMLError} (as a rejection) ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_INVALID_ARGUMENT, ERR_DATA_TYPE,
   * ERR_DIMENSION_COUNT, ERR_SIZES; ERR_INVALID_FILE for a node that is wrong or not supported, which the error names;
   * ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  run<Outputs extends Readonly<Record<string, OnnxResult>> = Readonly<Record<Names, Tensor>>>(
    inputs: Readonly<Record<string, OnnxInput | Promise<Tensor>>>,
  ): Promise<Outputs>;

  /** Compiles the first graph for inputs with these descriptions, ahead of the run. */
  compile(inputs: Readonly<Record<string, EmptyTensor>>): Promise<void>;

  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** The compiled graphs, for their memory and their times in a profile. */
  readonly graphs: readonly CompiledGraph[];

  /** Frees the weights and the graphs. Runs that are called later fail. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What became of a node of the model. A node in a function counts as its caller. */
export interface NodePlacement {
  readonly name: string;
  readonly opType: string;
  /** The graph that computes it, or the first part of it: 0 for the first one. Null if none does. */
  readonly graph: number | null;
  /** The operators of DirectML that it has become: several if none does the same. */
  readonly operators: readonly string[];
  /** True if JavaScript computes it in each run. */
  readonly isOnHost: boolean;
  /** Why it does not run on the device, or why a new graph begins with it; null for others. */
  readonly why: string | null;
}
