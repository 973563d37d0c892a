/** A descriptor with nothing left out, as plain data. */
import type { OperatorDescriptors, OperatorType } from './schema/generated/descriptors.js';
import type { OutputTensorDesc, ResolvedTensorDesc, TensorDesc } from './schema/tensor-desc.js';
import { isOperatorType } from './validation/index.js';
import { isOperator, type ResolvedOperator, type ResolvedValue } from './validation/resolved.js';

/**
 * The descriptor of any operator, or of those that are named, with every field: outputs and counts are filled in, what is
 * optional and was left out is null.
 */
export type ResolvedDescriptor<Type extends OperatorType = OperatorType> = {
  readonly [Name in Type]: Resolved<OperatorDescriptors[Name]>;
}[Type];

type Resolved<Descriptor> = { readonly [Name in keyof Descriptor]-?: ResolvedField<Exclude<Descriptor[Name], undefined>> };

type ResolvedField<Field> = Field extends TensorDesc | OutputTensorDesc
  ? 'dataType' extends keyof Field
    ? ResolvedTensorDesc
    : Field
  : Field extends readonly (infer Element)[]
    ? readonly ResolvedField<Element>[]
    : Field;

export function descriptorOf(operator: ResolvedOperator): ResolvedDescriptor {
  const descriptor = plain(operator);
  if (!isDescriptor(descriptor)) throw new TypeError(`no descriptor of type ${operator.type}`);
  return descriptor;
}

function plain({ type, fields }: ResolvedOperator): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [name, plainValue(value)]);
  return Object.freeze({ type, ...Object.fromEntries<unknown>(entries) });
}

function plainValue(value: ResolvedValue): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map((element: unknown) => (isOperator(element) ? plain(element) : element)));
  return isOperator(value) ? plain(value) : value;
}

/** A resolved operator has every field that its descriptor's type asks for. */
function isDescriptor(value: unknown): value is ResolvedDescriptor {
  return typeof value === 'object' && value !== null && 'type' in value && isOperatorType(value.type);
}
