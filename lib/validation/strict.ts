/**
 * Where validation is stricter than DirectML on purpose: each rule has a name and a reason, and its errors are marked,
 * so that the comparison with the real DirectML can count them apart.
 */
import { DirectMLError } from '../errors.js';

export const strictRules = {
  'attention-head-sizes':
    'Where the heads do not divide the elements of one place, DirectML rounds their share down and leaves some out',
  'attention-data-types':
    'DirectML documents one data type for all tensors; with stacked queries, keys and values it takes some of another one without promising how',
  'fused-softmax-axes':
    'Where B is one matrix for the whole batch DirectML joins the batch and the rows, and a fused softmax1 then runs along other elements than its axes say',
  'overlapping-output': 'DirectML writes such elements in no defined order, so the result would depend on luck',
  'matrix-scale-types':
    'With scales of another data type than the output, DirectML refuses to compile most such products, and of some the result is 0',
  'never-compiled': 'DirectML takes such a descriptor and then refuses to compile it, on whatever device',
  'repeated-axes': 'DirectML says nothing about an axis that is named twice; it is a mistake more often than a wish',
  'dimension-counts':
    'DirectML documents that the tensors have the same dimension count; it takes others without promising what they mean',
  'convolution-dimensions':
    'DirectML documents a stride, a dilation and paddings for each dimension after batch and channels; it takes more and fewer without promising what these mean',
  'convolution-places':
    'DirectML computes outputs of any sizes, as if the input went on with zeros, with strides of 0 too; other sizes than the number of places that the window has are a mistake more often than a wish',
  'convolution-of-whole-input':
    'Where a window is as large as the input and has one place, DirectML forgets its dilation, and with padding at the start its products: the result is wrong',
  'gather-batch-sizes':
    'DirectML documents that input and indices have the same batch sizes; it does not compare them, and past the last batch it reads one element again and again',
  'gather-index-sizes':
    'Where sizes before the index dimensions are not 1, DirectML ends the process, refuses, or accepts, depending on where they are',
  'gather-cut-output':
    'Where the output has too few dimensions, DirectML leaves the leading ones out and computes only the first part of the result',
  'pooling-sizes':
    'DirectML documents the sizes and checks them in maxPoolingGrad alone; elsewhere it pools windows without elements, and places past the padding',
  'quantized-pooling-parameters': 'Scales of other sizes DirectML refuses to compile, or reads something else than documented',
  'clip-limit-type':
    'DirectML documents that the limits have the data type of the tensors; it reads the bits of others without promising how',
  'window-dimensions':
    'DirectML does not compare the number of windowSizes with the tensors, and ends the process where they do not fit',
  'window-elements':
    'DirectML takes all elements of a window one after the other, those in the padding too, so that a few numbers keep the GPU busy until Windows takes the device away',
  'window-positions':
    'DirectML counts positions as signed numbers of 32 bits; one step beyond, the result is wrong or there is no end to it',
  'zero-dilation': 'a window with a dilation of 0 takes one element again and again; it is a mistake more often than a wish',
  'slice-gradient-window':
    'DirectML documents the window as the part that the slice took; gradients beyond it belong to no element of it',
  'slice-least-stride':
    'no signed number is the magnitude of -2147483648, and DirectML lets slices with it pass that leave their window',
  'slice-whole-window':
    'where a slice takes only the first part of a window that is a whole dimension, DirectML takes the wrong elements',
  'gradient-neighbours':
    'DirectML takes all elements of a neighbourhood one after the other, those outside of the tensor too, and in a plane their square: a single number keeps the GPU busy until Windows takes the device away',
  'image-data-type':
    'Without a gradient of the image DirectML does not compare the data type of the image with the others, and computes something else from it',
  'region-samples':
    'however small a region is, DirectML takes the square of the minimum for each output element: thousands keep the GPU busy for seconds to hours, and the sum of so many is wrong',
  'unused-input':
    'where neither the gradient for the regions nor a maximum needs the input, DirectML takes one and removes the device at the first dispatch',
} as const;

export type StrictRule = keyof typeof strictRules;

const marks = new WeakMap<DirectMLError, StrictRule>();

export function strict(rule: StrictRule, error: DirectMLError): DirectMLError {
  marks.set(error, rule);
  return error;
}

/** The strict rule that threw this error; undefined where DirectML refuses too. */
export function strictRuleOf(error: DirectMLError): StrictRule | undefined {
  return marks.get(error);
}

/** Marks what `check` throws. */
export function strictly(rule: StrictRule, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof DirectMLError ? strict(rule, error) : error;
  }
}
