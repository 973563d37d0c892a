/** Operands of a graph that is being built, and the operators that connect them. */
import type { Tensor } from '../api/memory/tensor.js';
import { bitsOf } from '../tensors/data-types.js';
import type { MLGraphBuilder, MLOperandDataType } from './generated/types.js';

export interface OperandDescriptor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
}

export type OperatorName = Exclude<keyof MLGraphBuilder, 'input' | 'constant' | 'build'>;

/** Where the elements of an operand come from. */
type OperandSource =
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'constant'; readonly data: ArrayBufferLike | Tensor }
  | { readonly kind: 'output'; readonly operator: AddedOperator; readonly index: number };

/** An operator of a graph that is being built. */
export interface AddedOperator {
  readonly name: OperatorName;
  readonly label: string;
  /** The converted arguments. */
  readonly args: readonly unknown[];
  readonly inputs: readonly Operand[];
  readonly outputs: readonly OperandDescriptor[];
}

export class Operand {
  /** The builder that made the operand. Builders compare it with themselves. */
  readonly builder: object;
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly source: OperandSource;

  constructor(builder: object, { dataType, shape }: OperandDescriptor, source: OperandSource) {
    this.builder = builder;
    this.dataType = dataType;
    this.shape = Object.freeze([...shape]);
    this.source = source;
  }

  get rank(): number {
    return this.shape.length;
  }
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((count, size) => count * size, 1);
}

export function byteLength({ dataType, shape }: OperandDescriptor): number {
  return Math.ceil((elementCount(shape) * bitsOf(dataType)) / 8);
}

/** The sizes for DirectML, which has no tensors without dimensions. */
export function sizesOf(shape: readonly number[]): readonly number[] {
  return shape.length === 0 ? [1] : shape;
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, i) => size === b[i]);
}

/** What is wrong with a descriptor; undefined if nothing is. */
export function problemOf({ dataType, shape }: OperandDescriptor): string | undefined {
  if (shape.length > maxRank) return `has ${shape.length} dimensions; at most ${maxRank} are supported`;
  const wrong = shape.find((size) => size < 1 || size > 2 ** 31 - 1);
  if (wrong !== undefined) return `has the dimension ${wrong}, which is not in the range of 1 to 2147483647`;
  const bytes = byteLength({ dataType, shape });
  return bytes > maxByteLength ? `has ${bytes} bytes; at most ${maxByteLength} are supported` : undefined;
}

/** As many as DirectML has. */
export const maxRank = 8;
export const maxByteLength = 2 ** 31 - 1;
