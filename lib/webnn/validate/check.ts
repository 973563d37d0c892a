/** What the validation of every operator shares: errors with its name and label, and the rules of broadcasting. */
import { shorten } from '../../values/given.js';
import { sameShape, type Operand, type OperandDescriptor, type OperatorName } from '../ml-operand.js';
import type { Operators } from '../generated/arguments.js';
import { operatorLimits, type OperandLimits } from '../limits.js';

/** The descriptors of an operator's outputs, from its arguments. @throws {TypeError} if the specification forbids them. */
type Validator<Name extends OperatorName> = (
  check: Check,
  ...args: Parameters<Operators[Name]>
) => ReturnType<Operators[Name]> extends readonly Operand[] ? readonly OperandDescriptor[] : OperandDescriptor;

export type Validators<Names extends OperatorName> = { readonly [Name in Names]: Validator<Name> };

export class Check {
  readonly operator: OperatorName;
  readonly #label: string;

  constructor(operator: OperatorName, label: string) {
    this.operator = operator;
    this.#label = label;
  }

  fail(message: string): never {
    throw new TypeError(`${this.operator}${labelText(this.#label)}: ${message}.`);
  }

  /** Fails unless the condition holds. */
  that(condition: boolean, message: () => string): void {
    if (!condition) this.fail(message());
  }

  /** Data type and rank of an operand by the table of limits. `others` has the operands by name. */
  operand(name: string, operand: Operand, others: ReadonlyMap<string, Operand>): void {
    const limits: OperandLimits | undefined = operatorLimits[this.operator][name];
    if (limits === undefined) return;
    const { dataTypes, min, max, like } = limits;
    const { dataType, rank } = operand;
    this.that(dataTypes.includes(dataType), () => `${name} has the data type ${dataType}, which is none of ${list(dataTypes)}`);
    const ranks = min === max ? `${min}` : `${min} to ${max}`;
    this.that(rank >= min && rank <= max, () => `${name} has ${rank} dimensions, not ${ranks}`);
    const other = like === undefined ? undefined : others.get(like);
    if (other === undefined || other.dataType === dataType) return;
    this.fail(`${name} has the data type ${dataType}, not that of ${like ?? ''}, ${other.dataType}`);
  }

  shape(name: string, operand: Operand | undefined, expected: readonly number[]): void {
    if (operand === undefined || sameShape(operand.shape, expected)) return;
    this.fail(`${name} has the shape ${list(operand.shape)}, not ${list(expected)}`);
  }

  length(name: string, values: readonly number[] | undefined, count: number): void {
    if (values === undefined || values.length === count) return;
    this.fail(`${name} has ${values.length} elements, not ${count}`);
  }

  /** The elements are at least 1. */
  positive(name: string, values: readonly number[] | undefined): void {
    if (values?.some((value) => value <= 0) === true) this.fail(`${name} has an element that is not positive: ${list(values)}`);
  }

  axis(name: string, axis: number, { rank }: Operand): void {
    this.that(axis < rank, () => `${name} is ${axis}, but the input has ${rank} dimensions`);
  }

  /** Axes of the operand, each of them once. */
  axes(name: string, axes: readonly number[] | undefined, operand: Operand): void {
    if (axes === undefined) return;
    for (const axis of axes) this.axis(name, axis, operand);
    this.that(new Set(axes).size === axes.length, () => `${name} has an axis twice: ${list(axes)}`);
  }

  /** The shape to which both broadcast. */
  broadcast(a: readonly number[], b: readonly number[]): readonly number[] {
    const rank = Math.max(a.length, b.length);
    return Array.from({ length: rank }, (_, i) => {
      const sizeA = a[i - rank + a.length] ?? 1;
      const sizeB = b[i - rank + b.length] ?? 1;
      this.that(sizeA === sizeB || sizeA === 1 || sizeB === 1, () => `the shapes ${list(a)} and ${list(b)} do not broadcast`);
      return Math.max(sizeA, sizeB);
    });
  }

  /** Fails unless the one shape broadcasts to the other without changing it. */
  broadcastTo(name: string, from: readonly number[], to: readonly number[]): void {
    const fits = from.length <= to.length && from.every((size, i) => size === 1 || size === to[i + to.length - from.length]);
    if (!fits) this.fail(`${name} of the shape ${list(from)} does not broadcast to ${list(to)}`);
  }
}

export function list(values: readonly (number | string)[]): string {
  return `[${values.join(', ')}]`;
}

/** Without the characters by which a label could make a message look like another one. */
function labelText(label: string): string {
  const plain = label.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
  return plain === '' ? '' : ` [${shorten(plain)}]`;
}
