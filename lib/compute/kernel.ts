/** The type of a kernel, and of the tensors that it gets. */
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { Resolved, ResolvedTensor } from '../descriptors/resolved.js';
import type { TensorView } from './tensor-view.js';

/**
 * Computes the outputs of an operator, or of any operator in `Type`. Tensors have the names of their fields; one that the
 * descriptor lacks is null.
 */
export type Kernel<Type extends OperatorType> = (operator: Resolved<Type>, tensors: Tensors<Type>) => void;

/** Views of an operator's tensors. */
export type Tensors<Type extends OperatorType> = { readonly [Name in Type]: TensorsOf<Resolved<Name>> }[Type];

type TensorsOf<Operator> = {
  readonly [
    Field in keyof Operator as Operator[Field] extends ResolvedTensor | readonly ResolvedTensor[] | null ? Field : never
  ]: ViewOf<Operator[Field]>;
};

type ViewOf<Field> = Field extends ResolvedTensor
  ? TensorView
  : Field extends readonly ResolvedTensor[]
    ? readonly TensorView[]
    : null;

/** An operator with one input and one output. */
export interface InputAndOutput {
  readonly inputTensor: TensorView;
  readonly outputTensor: TensorView;
}

/** An operator with two inputs and one output. */
export interface TwoInputsAndOutput {
  readonly aTensor: TensorView;
  readonly bTensor: TensorView;
  readonly outputTensor: TensorView;
}
