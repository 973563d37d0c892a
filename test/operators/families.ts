/**
 * The families of operators. A family has one name: that of its rules in lib/validation/rules, of its kernels in
 * lib/backends/reference/kernels, and of its folder here, which holds its cases, its tolerance, its examples and, where
 * there are some, its counterparts in ONNX.
 */

export const families = [
  'activation',
  'along-axis',
  'attention',
  'batch-normalization',
  'convolution',
  'depth-space',
  'element-wise',
  'element-wise-binary',
  'element-wise-quantize',
  'element-wise-unary',
  'fill-join',
  'fold',
  'matrix-multiply',
  'nonzero',
  'normalization',
  'optimizer',
  'padding',
  'pooling',
  'quantize',
  'random',
  'recurrent',
  'reduce',
  'resample',
  'roi',
  'scan',
  'scatter-gather',
  'sequence',
  'slice',
  'softmax',
  'top-k',
] as const;

export type Family = (typeof families)[number];

/** What each family has for each of its operators. */
export type ByFamily<Entry> = Readonly<Record<Family, Readonly<Record<string, Entry>>>>;

/** All of them in one record, by operator. */
export function together<Parts extends Readonly<Record<string, object>>>(parts: Parts): Together<Parts[keyof Parts]>;
export function together(parts: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.values(parts).flatMap((part) => Object.entries(part)));
}

/** An intersection of a union's members. */
type Together<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer All) => void ? All : never;
