/** How the function of an operator is called. The generator of the functions asks the same. */
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { CallSchema } from '../descriptors/types.js';

/** What the form of a function depends on: a field of the operator table. */
interface Field {
  readonly name: string;
  readonly kind: string;
  readonly role?: 'input' | 'output';
  readonly optional?: boolean;
}

/** A descriptor with tensors, values, numbers or promises of tensors in the fields of inputs. */
export type Request = Record<string, unknown> & { readonly type: OperatorType };

export interface Form {
  /** True if the device or the graph comes first, because the operator needs no input tensor. */
  readonly takesPlace: boolean;
  /** The fields of the input tensors that are given by position. */
  readonly positions: readonly string[];
  /** The fields of all input tensors. */
  readonly inputs: readonly string[];
  /** Those of them that are arrays of tensors. */
  readonly lists: readonly string[];
  /** The inputs that take a number, and that are broadcast. */
  readonly broadcast: readonly string[];
  /** The field of the only output; null if there are several. */
  readonly output: string | null;
}

interface Operator {
  readonly call?: CallSchema;
  readonly fields: readonly Field[];
}

export function formOf(type: string, { call = {}, fields }: Operator): Form {
  const inputs = fields.filter(({ role }) => role === 'input');
  const names = inputs.map(({ name }) => name);
  const [output, ...more] = fields.filter(({ role }) => role === 'output');
  const isByElement = type.startsWith('elementWise') && inputs.length > 1;
  return {
    takesPlace: call.takesPlace === true,
    positions: inputs.filter(({ optional }) => optional !== true).map(({ name }) => name),
    inputs: names,
    lists: inputs.filter(({ kind }) => kind === 'tensorArray').map(({ name }) => name),
    broadcast: call.broadcast ?? (isByElement ? names : []),
    output: output === undefined || more.length > 0 ? null : output.name,
  };
}
