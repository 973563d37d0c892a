/** The description of a checked operator: how its cases are drawn, and how exact its results have to be. */
import type { MLGraphBuilder, MLOperand, MLOperandDataType } from 'node-directml/webnn';
import type { Tolerance } from './compare.js';
import type { Drawing } from './draw/operands.js';
import type { PlainTensor } from './plain-tensor.js';
import type { DrawnCase, OperatorName, WebnnCase } from './webnn-case.js';

export interface CheckedOperator {
  /**
   * The classes of shapes and options. The same number of cases is drawn for each: enumerations of the operator, broadcasting,
   * operands that are views, and so on.
   */
  readonly layouts: readonly string[];
  /** Draws a case whose first operand has the data type of the drawing. */
  draw(drawing: Drawing): DrawnCase;
  /** Further cases that are always run, with numbers at the edges of the data type. */
  edges?(dataType: MLOperandDataType): readonly DrawnCase[];
  /** The tolerance; that of the web platform tests, if they test the operator with the data type. */
  tolerance(test: ShapedCase, output: PlainTensor): Tolerance;
}

/** A WebNN type as formulas use it: with plain tensors in place of operands. */
export type Plain<Given> = Given extends MLOperand
  ? PlainTensor
  : Given extends object
    ? { readonly [Name in keyof Given]: Plain<Given[Name]> }
    : Given;

/**
 * Computes the results in float64 and bigint. A formula takes the same arguments as the operator's method of MLGraphBuilder.
 */
export type Formula<Name extends OperatorName> =
  Plain<Parameters<MLGraphBuilder[Name]>> extends infer Arguments extends readonly unknown[]
    ? (...args: Arguments) => Plain<ReturnType<MLGraphBuilder[Name]>>
    : never;

/** A case, and its operands after their views, as the operator gets them. */
export interface ShapedCase {
  readonly test: WebnnCase;
  readonly operands: Readonly<Record<string, PlainTensor>>;
  /** The arguments with plain tensors. */
  readonly args: readonly unknown[];
}

export type CheckedOperators = Readonly<Record<OperatorName, CheckedOperator>>;

export const exact: CheckedOperator['tolerance'] = () => ({ metric: 'exact', value: 0 });

/** A tolerance in ULP for float32, and another one for float16 if given. Integers have to be exact. */
export function ulp(float32: Ulp, float16 = float32): CheckedOperator['tolerance'] {
  return (test, output) => {
    const value = output.dataType === 'float32' ? float32 : output.dataType === 'float16' ? float16 : 0;
    return { metric: 'ulp', value: typeof value === 'number' ? value : value(test, output) };
  };
}

/** A number of ULP, or a function that computes it from the case. */
type Ulp = number | ((test: ShapedCase, output: PlainTensor) => number);

/** A tolerance as an absolute difference for float32 and for float16. */
export function difference(float32: number, float16: number): CheckedOperator['tolerance'] {
  return (_test, { dataType }) => ({ metric: 'absolute', value: dataType === 'float32' ? float32 : float16 });
}
