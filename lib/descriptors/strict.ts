/**
 * The rules that are stricter than DirectML on purpose, each with a name and a reason. Errors of such a rule are marked with
 * its name, so that the comparison with the real DirectML counts them separately.
 */
import { DirectMLError } from '../values/errors.js';

/** The reason of each strict rule, which the operators' pages quote. */
export const strictRules = {
  'attention-head-sizes':
    'If the number of heads does not divide the last size, DirectML rounds the head size down and ignores the remaining elements',
  'attention-data-types':
    'DirectML documents one data type for all tensors; with stacked queries, keys and values it accepts some other types without documenting the result',
  'fused-softmax-axes':
    'If B is one matrix for the whole batch, DirectML merges the batch and the rows, and a fused softmax1 then runs along other elements than its axes say',
  'overlapping-output': 'DirectML writes overlapping elements in no defined order, so the result would be undefined',
  'matrix-scale-types':
    'If the scales have another data type than the output, DirectML refuses to compile most of these products, and some give 0',
  'never-compiled': 'DirectML creates such an operator and then fails to compile it, on every device',
  'repeated-axes': 'DirectML does not document the meaning of an axis that is listed twice; it is usually a mistake',
  'dimension-counts':
    'DirectML documents that the tensors have the same dimension count; it accepts others without documenting the result',
  'convolution-dimensions':
    'DirectML documents one stride, dilation and padding for each spatial dimension; it accepts more and fewer without documenting the result',
  'convolution-places':
    'DirectML accepts any output sizes, as if the input continued with zeros, and also strides of 0; an output size other than the number of window positions is usually a mistake',
  'convolution-of-whole-input':
    'If a window is as large as the input and has one position, DirectML ignores its dilation, and with start padding it gives 0: the result is wrong',
  'graph-alignment': 'DirectML decides where the tensors inside a graph lie, and does not document what an alignment means there',
  'graph-data-types':
    'DirectML does not compare the data types of connected tensors, and refuses some whose elements differ in width; to change the data type is the task of a node such as cast',
  'graph-four-bit-strides':
    'DirectML refuses 4-bit tensors inside a graph if their strides, or those of the other tensors of the operator, are in another order',
  'graph-names': 'DirectML has no names, so duplicates mean nothing to it',
  'graph-output-names': 'An input and an output of one name could not both be bound, because bindings go by name',
  'graph-owned-inputs': 'A tensor that DirectML owns is given once, when the graph is compiled: that is a constant',
  'graph-padding':
    'DirectML compares the sizes in bytes of connected tensors, and with padding it refuses some of them although the sizes are equal',
  'graph-unused-input':
    'DirectML accepts an input that nothing reads, and removes the device if a buffer is bound to it; it is usually a mistake',
  'graph-view-sizes':
    'DirectML does not compare the sizes in bytes of an input of the graph and of its readers: a view could leave the tensor, or silently leave out a part',
  'gather-batch-sizes':
    'DirectML documents that input and indices have the same batch sizes; it does not compare them, and past the last batch of the input it reads its last element repeatedly',
  'gather-index-sizes':
    'If sizes before the index dimensions are not 1, DirectML ends the process, refuses the operator or accepts it, depending on which sizes they are',
  'gather-cut-output':
    'If the output has too few dimensions, DirectML drops the leading ones and computes only the first part of the result',
  'pooling-sizes':
    'DirectML documents the output sizes but checks them in maxPoolingGrad only; elsewhere it also pools empty windows and positions past the padding',
  'quantized-pooling-parameters': 'DirectML refuses to compile scales of other sizes, or reads other elements than documented',
  'clip-limit-type':
    'DirectML documents that the limits have the data type of the tensors; it reads the bits of other types without documenting how',
  'window-dimensions':
    'DirectML does not compare the number of windowSizes with the dimensions of the tensors, and ends the process if they do not match',
  'window-elements':
    'DirectML visits all elements of a window one after the other, including those in the padding; a few large numbers keep the GPU busy until Windows removes the device',
  'window-positions':
    'DirectML counts positions as signed 32-bit numbers; one step beyond their range, the result is wrong or the shader never ends',
  'zero-dilation': 'With a dilation of 0, a window takes the same element repeatedly; it is usually a mistake',
  'slice-gradient-window':
    'DirectML documents the window as the part that the slice copied; gradients beyond it belong to no element of it',
  'slice-least-stride':
    'The magnitude of -2147483648 is not a signed 32-bit number, and with this stride DirectML accepts slices that leave their window',
  'slice-whole-window':
    'If a slice takes only the first part of a window that spans a whole dimension, DirectML reads the wrong elements',
  'gradient-neighbours':
    'DirectML visits all elements of a neighbourhood one after the other, including those outside the tensor, and in a plane their square; a single large number keeps the GPU busy until Windows removes the device',
  'image-data-type':
    'If there is no gradient of the image, DirectML does not compare the data type of the image with the others, and the result is wrong',
  'region-samples':
    'DirectML takes at least the square of the minimum in samples for each output element, however small a region is; thousands keep the GPU busy for seconds to hours, and the sum of so many samples is wrong',
  'thread-groups':
    'A dispatch has at most 65,535 groups of 256 threads, one for each element; of more elements nonzeroCoordinates counts 0, and the others dispatch more groups than Direct3D allows, for which a GPU may remove the device',
  'unused-input':
    'If neither a gradient of the regions nor a maximum needs the input, DirectML accepts it and removes the device at the first dispatch',
} as const;

export type StrictRule = keyof typeof strictRules;

const marks = new WeakMap<DirectMLError, StrictRule>();

/** Marks an error as thrown by a strict rule. */
export function strict(rule: StrictRule, error: DirectMLError): DirectMLError {
  marks.set(error, rule);
  return error;
}

/** The strict rule that threw this error, or the one that it repeats; undefined if DirectML refuses the descriptor too. */
export function strictRuleOf(error: DirectMLError): StrictRule | undefined {
  return marks.get(error) ?? (error.cause instanceof DirectMLError ? strictRuleOf(error.cause) : undefined);
}

/** Runs `check` and marks the error that it throws. */
export function strictly(rule: StrictRule, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof DirectMLError ? strict(rule, error) : error;
  }
}
