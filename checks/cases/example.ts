/** The types of an example, from DirectML's public reference or our own: a descriptor, input values and output values. */
import type { OperatorDescriptor, OperatorType, TensorDesc } from 'node-directml';
import { isOperatorType } from '#lib/operators/resolve.js';

export interface WorkedExample {
  /** The file name of its reference page. */
  readonly page: string;
  readonly title: string;
  readonly descriptor: ExampleDescriptor;
  readonly inputs: ExampleTensors;
  /** The outputs as the page shows them. */
  readonly outputs: ExampleTensors;
  /** DirectML's outputs, if they contradict the page. `docs/differences.md` lists these cases. */
  readonly directml?: ExampleTensors;
  /** How the page's example was completed or corrected to be a valid descriptor. */
  readonly note?: string;
  /** The original values of the corrected fields. With them, DirectML refuses the descriptor. */
  readonly asWritten?: Readonly<Record<string, unknown>>;
}

/** An example of our own, which is on no page of that reference. */
export type OwnExample = Omit<WorkedExample, 'page' | 'title'>;

/** Makes the example that a sentence states: takes the numbers before and after "gives". */
export type Stated = (input: readonly number[], output: readonly number[]) => OwnExample;

export function isWorked(example: WorkedExample | OwnExample): example is WorkedExample {
  return 'page' in example;
}

/** A descriptor whose tensors are those of `inputs` and `outputs`. */
interface ExampleDescriptor {
  readonly type: OperatorType;
  readonly [field: string]: unknown;
}

/** Tensors by field name; a list for a tensor array. */
export type ExampleTensors = Readonly<Record<string, ExampleTensor | readonly ExampleTensor[]>>;

export interface ExampleTensor {
  readonly dataType: TensorDesc['dataType'];
  readonly sizes: readonly number[];
  /** In row-major order. An element is null if the operator leaves it undefined or the page does not show it. */
  readonly values: readonly Element[] | null;
  /** The number of decimals that the page prints; undefined if the values are exact. */
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

/** A tensor whose values the page prints with `decimals` decimals. */
export function rounded(decimals: number, exact: ExampleTensor): ExampleTensor {
  return { ...exact, decimals };
}

export interface PageEntry extends Omit<WorkedExample, 'page' | 'descriptor'> {
  /** The fields of the descriptor that are not tensors. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The operator, if the page shows another than its own. */
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

/** The note of examples whose page does not give the pixel offsets. */
export const UNTOLD_OFFSETS = 'The page tells no pixel offsets: these give its result, where the usual 0.5 and -0.5 do not.';

/** Checks only the type; compile() validates the fields. */
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
