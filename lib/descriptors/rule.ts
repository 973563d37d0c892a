/** The types of rules and of the operators that they check, access to an operator's fields, and the error of a rule. */
import { fieldError, type DirectMLError, type ErrorCode } from '../values/errors.js';
import type { OperatorType } from './generated/descriptors.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import type { Drafted, TensorOrDraft } from './drafted.js';
import type { ResolvedTensor } from './resolved.js';

/**
 * The rule of one operator, or of several that share it. It states the data types and sizes of the outputs: each
 * statement is compared with the descriptor, or fills in what the descriptor left out. It throws if fields contradict
 * each other.
 */
export type Rule<Type extends OperatorType> = (operator: Drafted<Type>, featureLevel: FeatureLevel) => void;

export type Rules = { readonly [Type in OperatorType]: Rule<Type> };

/** Any operator. */
export interface Typed {
  readonly type: OperatorType;
}

/** Any operator with these fields. A field that the operator lacks, or that has another kind, does not compile. */
export type WithField<Name extends string, Value> = Typed & Readonly<Record<Name, Value>>;
export type WithInputs<Name extends string> = WithField<Name, ResolvedTensor>;
export type WithTensors<Name extends string> = WithField<Name, TensorOrDraft>;
/** The value is null if the descriptor has no such tensor. */
export type WithOptionalTensors<Name extends string> = WithField<Name, TensorOrDraft | null>;
export type WithNumbers<Name extends string> = WithField<Name, readonly number[]>;
export type WithNumber<Name extends string> = WithField<Name, number>;

/** The value of the field `name`. */
export function fieldOf<Name extends string, Value>(operator: Readonly<Record<Name, Value>>, name: Name): Value {
  return operator[name];
}

/** The tensor in the field `name`. */
export function tensorOf<Name extends string, Tensor extends TensorOrDraft | null>(
  operator: Readonly<Record<NoInfer<Name>, Tensor>>,
  name: Name,
): Tensor {
  return fieldOf<Name, Tensor>(operator, name);
}

/** A tensor of an operator, with the name of its field. */
export interface NamedTensor {
  readonly name: string;
  readonly tensor: TensorOrDraft;
}

/** The named tensors that are not null. */
export function namedTensors<Name extends string>(
  operator: Readonly<Record<Name, TensorOrDraft | null>>,
  names: readonly Name[],
): NamedTensor[] {
  return names.flatMap((name) => {
    const tensor = operator[name];
    return tensor === null ? [] : { name, tensor };
  });
}

/** True if the descriptor has this tensor. */
export function has<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, name: Name): boolean {
  return tensorOf<Name, TensorOrDraft | null>(operator, name) !== null;
}

/** The error of a rule. `field` is a path such as `inputTensor.sizes`; `why` is added in parentheses. */
export function refuse(
  operator: Typed,
  code: ErrorCode,
  field: string,
  expected: string,
  given: string,
  why?: string,
): DirectMLError {
  return fieldError(code, { operator: operator.type, field }, expected, given, { why });
}
