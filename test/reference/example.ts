/**
 * The form of an example, one of DirectML's public reference or one of ours: a descriptor, the values that go in and
 * those that come out.
 */
import type { OperatorDescriptor, OperatorType, TensorDesc } from 'node-directml';
import { isOperatorType } from '#lib/validation/index.js';

export interface WorkedExample {
  /** The file name of its reference page. */
  readonly page: string;
  readonly title: string;
  readonly descriptor: ExampleDescriptor;
  readonly inputs: ExampleTensors;
  /** As the page has them. */
  readonly outputs: ExampleTensors;
  /** What DirectML gives where it contradicts the page: listed in `docs/differences.md`. */
  readonly directml?: ExampleTensors;
  /** Where the example had to be completed or corrected to be a valid descriptor. */
  readonly note?: string;
  /** The fields that were corrected, as the page has them: with these DirectML refuses the descriptor. */
  readonly asWritten?: Readonly<Record<string, unknown>>;
}

/** Of ours, which is on no page of that reference. */
export type OwnExample = Omit<WorkedExample, 'page' | 'title'>;

export function isWorked(example: WorkedExample | OwnExample): example is WorkedExample {
  return 'page' in example;
}

/** Its tensors are those of `inputs` and `outputs`. */
export interface ExampleDescriptor {
  readonly type: OperatorType;
  readonly [field: string]: unknown;
}

/** By field name; a list for a tensor array. */
export type ExampleTensors = Readonly<Record<string, ExampleTensor | readonly ExampleTensor[]>>;

export interface ExampleTensor {
  readonly dataType: TensorDesc['dataType'];
  readonly sizes: readonly number[];
  /** In row-major order; null where the operator leaves an element undefined or the page does not tell it. */
  readonly values: readonly Element[] | null;
  /** How many decimals the page prints; without it the values are exact. */
  readonly decimals?: number;
}

export type Element = number | bigint | null;

export function tensor(
  dataType: ExampleTensor['dataType'],
  sizes: readonly number[],
  values: ExampleTensor['values'],
): ExampleTensor {
  return { dataType, sizes, values };
}

/** A tensor whose page prints its values with so many decimals. */
export function rounded(decimals: number, exact: ExampleTensor): ExampleTensor {
  return { ...exact, decimals };
}

export interface PageEntry extends Omit<WorkedExample, 'page' | 'descriptor'> {
  /** The descriptor's fields that are no tensors. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Where the page shows another operator than its own. */
  readonly type?: OperatorType;
}

/** The examples of one reference page, in its order. */
export function examplesOf(type: OperatorType, page: string, entries: readonly PageEntry[]): readonly WorkedExample[] {
  return entries.map(({ fields, type: other, ...entry }) => ({
    page,
    ...entry,
    descriptor: descriptorOf(other ?? type, entry.inputs, entry.outputs, fields),
  }));
}

export function descriptorOf(
  type: OperatorType,
  inputs: ExampleTensors,
  outputs: ExampleTensors,
  fields: PageEntry['fields'],
): ExampleDescriptor {
  return { type, ...describe(inputs), ...describe(outputs), ...fields };
}

/** The note of examples whose page leaves out what places the samples. */
export const UNTOLD_OFFSETS = 'The page tells no pixel offsets: these give its result, where the usual 0.5 and -0.5 do not.';

/** What its fields hold is for compile() to say. */
export function isDescriptor(descriptor: ExampleDescriptor): descriptor is ExampleDescriptor & OperatorDescriptor {
  return isOperatorType(descriptor.type);
}

function describe(tensors: ExampleTensors): Record<string, TensorDesc | TensorDesc[]> {
  const desc = ({ dataType, sizes }: ExampleTensor): TensorDesc => ({ dataType, sizes });
  return Object.fromEntries(
    Object.entries(tensors).map(([name, value]) => [name, isList(value) ? value.map(desc) : desc(value)]),
  );
}

export function isList(value: ExampleTensor | readonly ExampleTensor[]): value is readonly ExampleTensor[] {
  return Array.isArray(value);
}
