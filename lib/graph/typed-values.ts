/** The types of what a node of a graph takes and gives, made from the types of descriptors. Nothing here runs. */
import type { OutputsOf, WithInputs } from '../schema/field-roles.js';
import type { OperatorDescriptor, OperatorType } from '../schema/generated/descriptors.js';
import type { Value } from './value.js';

/** What `graph.add` takes: the descriptor of an operator with a value in the field of each input. */
export type NodeDescriptor<Type extends OperatorType> = { [Name in Type]: WithInputs<OperatorDescriptor<Name>, Value> }[Type];

/** The outputs of a node by field name. */
export type OutputValues<Type extends OperatorType> = OperatorType extends Type
  ? Readonly<Record<string, Value | readonly Value[]>>
  : { [Name in Type]: OutputsOf<OperatorDescriptor<Name>, Value> }[Type];
