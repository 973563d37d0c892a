/** What is known of each operator: how cases are drawn, what the results are, and how exact these have to be. */
import type { MLGraphBuilder, MLOperand, MLOperandDataType } from 'node-directml/webnn';
import type { Tolerance } from './compare.js';
import type { Drawing } from './draw/operands.js';
import type { PlainTensor } from './plain-tensor.js';
import type { DrawnCase, OperatorName, WebnnCase } from './webnn-case.js';

export interface CheckedOperator {
  /**
   * The classes of shapes and options of which enough cases are drawn: enumerations of the operator, broadcasting, operands
   * that are views, and so on.
   */
  readonly layouts: readonly string[];
  /** A case whose first operand has the data type that it is drawn with. */
  draw(drawing: Drawing): DrawnCase;
  /** Further cases, which are always run: numbers at the edges. */
  edges?(dataType: MLOperandDataType): readonly DrawnCase[];
  /** Of the tests of the web platform, if they have the operator and data type. */
  tolerance(test: ShapedCase, output: PlainTensor): Tolerance;
}

/** What WebNN's types are in formulas: an operand is a plain tensor. */
export type Plain<Given> = Given extends MLOperand
  ? PlainTensor
  : Given extends object
    ? { readonly [Name in keyof Given]: Plain<Given[Name]> }
    : Given;

/**
 * The results in the exact arithmetic of float64 and bigint. A formula takes the arguments of the operator's method of
 * MLGraphBuilder.
 */
export type Formula<Name extends OperatorName> =
  Plain<Parameters<MLGraphBuilder[Name]>> extends infer Arguments extends readonly unknown[]
    ? (...args: Arguments) => Plain<ReturnType<MLGraphBuilder[Name]>>
    : never;

/** A case and its operands as the operator gets them. */
export interface ShapedCase {
  readonly test: WebnnCase;
  readonly operands: Readonly<Record<string, PlainTensor>>;
  /** The arguments with plain tensors. */
  readonly args: readonly unknown[];
}

export type CheckedOperators = Readonly<Record<OperatorName, CheckedOperator>>;

export const exact: CheckedOperator['tolerance'] = () => ({ metric: 'exact', value: 0 });

/** ULP for float32, and for float16 if it has its own. Integers have to be exact. */
export function ulp(float32: Ulp, float16 = float32): CheckedOperator['tolerance'] {
  return (test, output) => {
    const value = output.dataType === 'float32' ? float32 : output.dataType === 'float16' ? float16 : 0;
    return { metric: 'ulp', value: typeof value === 'number' ? value : value(test, output) };
  };
}

/** How many, or how they follow from the case. */
type Ulp = number | ((test: ShapedCase, output: PlainTensor) => number);

/** The difference for float32 and for float16. */
export function difference(float32: number, float16: number): CheckedOperator['tolerance'] {
  return (_test, { dataType }) => ({ metric: 'absolute', value: dataType === 'float32' ? float32 : float16 });
}
