/** A case: one call of MLGraphBuilder as plain data. It prints as JSON that can be pasted back. */
import type { MLGraphBuilder, MLOperandDataType } from 'node-directml/webnn';
import { readJson } from '../cases/case.js';
import type { Element, Shape } from './plain-tensor.js';

/** The name of an operator of MLGraphBuilder. */
export type OperatorName = Exclude<keyof MLGraphBuilder, 'input' | 'constant' | 'build'>;

/** An operator that rearranges an operand, or takes a part of it, before the operator of the case gets it. */
export type View =
  | { readonly reshape: Shape }
  | { readonly transpose: Shape }
  | { readonly expand: Shape }
  | { readonly slice: { readonly starts: Shape; readonly sizes: Shape } };

export interface CaseOperand {
  readonly kind: 'input' | 'constant';
  readonly dataType: MLOperandDataType;
  readonly shape: Shape;
  /** Each element is exactly representable in the data type. */
  readonly data: readonly Element[];
  /** The views, which are applied one after the other. */
  readonly views?: readonly View[];
}

/** Stands for an operand in the arguments. */
interface OperandReference {
  readonly operand: string;
}

/** An argument of the method. References stand for operands, also in lists and in options. */
export type Argument = OperandReference | number | string | boolean | bigint | readonly Argument[] | ArgumentOptions;

export interface ArgumentOptions {
  readonly [name: string]: Argument | undefined;
}

export type Operands = Readonly<Record<string, CaseOperand>>;

export interface WebnnCase {
  readonly operator: OperatorName;
  readonly operands: Operands;
  readonly args: readonly Argument[];
}

/** A case of the operator that it is drawn for, or of another one. */
export type DrawnCase = Omit<WebnnCase, 'operator'> & Partial<WebnnCase>;

/** A case whose method takes all operands first, then the other arguments. Omits options without members. */
export function caseOf(operands: Operands, ...rest: readonly Argument[]): DrawnCase {
  const given = rest.filter((argument) => typeof argument !== 'object' || isList(argument) || Object.keys(argument).length > 0);
  return { operands, args: [...Object.values(referencesTo(operands)), ...given] };
}

/** A case whose method takes the required operands, then other arguments, and finally options with the optional operands. */
export function caseWithOptions(
  required: Operands,
  optional: Operands,
  options: ArgumentOptions,
  between: readonly Argument[] = [],
): DrawnCase {
  const args = [...Object.values(referencesTo(required)), ...between, { ...options, ...referencesTo(optional) }];
  return { operands: { ...required, ...optional }, args };
}

function referencesTo(operands: Operands): Readonly<Record<string, OperandReference>> {
  return Object.fromEntries(Object.keys(operands).map((operand) => [operand, { operand }]));
}

/** Replaces each reference in the arguments by what `resolve` returns for it. */
export function resolveArguments(args: readonly Argument[], resolve: (operand: string) => unknown): readonly unknown[] {
  const resolved = (argument: Argument | undefined): unknown => {
    if (isList(argument)) return argument.map(resolved);
    if (typeof argument !== 'object') return argument;
    if (isReference(argument)) return resolve(argument.operand);
    return Object.fromEntries(Object.entries(argument).map(([name, value]) => [name, resolved(value)]));
  };
  return args.map(resolved);
}

function isList(argument: Argument | undefined): argument is readonly Argument[] {
  return Array.isArray(argument);
}

function isReference(argument: OperandReference | ArgumentOptions): argument is OperandReference {
  return 'operand' in argument && typeof argument.operand === 'string';
}

export function readCase(text: string): WebnnCase {
  const read = readJson(text);
  if (typeof read !== 'object' || read === null || !('operator' in read) || !('operands' in read) || !('args' in read)) {
    throw new TypeError('a case of WebNN has operator, operands and args');
  }
  // MLGraphBuilder validates the content.
  return read as WebnnCase;
}
