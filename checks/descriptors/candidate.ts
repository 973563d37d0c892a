/** A descriptor that both our validation and DirectML judge. It may be wrong in any way, so its types promise little. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import { elementSpan } from '#lib/tensors/tensor-size.js';
import { writeJson, type DataType } from '../cases/case.js';
import { sizeInBytes } from '../cases/layout.js';
import type { Random } from '../harness/random.js';

export interface LooseTensor {
  dataType: DataType;
  sizes: number[];
  strides?: readonly number[] | null | undefined;
  totalTensorSizeInBytes?: number | undefined;
  guaranteedBaseOffsetAlignment?: number | undefined;
  flags?: 'none' | 'ownedByDml' | undefined;
}

export interface LooseDescriptor {
  type: OperatorType;
  [field: string]: unknown;
}

export interface Candidate {
  /** What was changed. It begins with `valid` if the descriptor must stay valid, with `open` if only DirectML can tell. */
  readonly rule: string;
  readonly descriptor: LooseDescriptor;
}

/** A named change of a descriptor. It does nothing if the descriptor has nothing to change in this way. */
export type Mutation = readonly [rule: string, mutate: (random: Random, descriptor: LooseDescriptor) => void];

export function isTensor(value: unknown): value is LooseTensor {
  return typeof value === 'object' && value !== null && 'dataType' in value && 'sizes' in value;
}

/** Applies one of the mutations that change the descriptor. */
export function mutated(random: Random, descriptor: LooseDescriptor, mutations: readonly Mutation[]): Candidate {
  const before = writeJson(descriptor);
  for (;;) {
    const [rule, mutate] = random.pick(mutations);
    const changed = structuredClone(descriptor);
    mutate(random, changed);
    if (writeJson(changed) !== before) return { rule, descriptor: changed };
  }
}

/** Operators that refuse tensors that DirectML owns. */
export const recurrent: readonly OperatorType[] = ['rnn', 'gru', 'lstm'];

export function fieldsOf(descriptor: LooseDescriptor): readonly FieldSchema[] {
  return operatorTable[descriptor.type].fields;
}

/** The tensors of the descriptor, including those in arrays. */
export function tensorsOf(descriptor: LooseDescriptor, role?: 'input' | 'output'): LooseTensor[] {
  return fieldsOf(descriptor)
    .filter((field) => field.role !== undefined && (role === undefined || field.role === role))
    .flatMap(({ name }) => descriptor[name])
    .filter(isTensor);
}

/** Gives the tensor other sizes, packed. */
export function repack(tensor: LooseTensor, sizes: readonly number[], dataType = tensor.dataType): void {
  delete tensor.strides;
  delete tensor.totalTensorSizeInBytes;
  tensor.dataType = dataType;
  tensor.sizes = [...sizes];
}

/** A mutation that changes one random tensor, of the given role if there is one. */
export function changeTensor(change: (random: Random, tensor: LooseTensor) => void, role?: 'input' | 'output'): Mutation[1] {
  return (random, descriptor) => {
    const tensors = tensorsOf(descriptor, role);
    if (tensors.length > 0) change(random, random.pick(tensors));
  };
}

/** The bytes that the elements take, without padding behind them. */
export function leastBytes({ dataType, sizes, strides }: LooseTensor): number {
  return sizeInBytes(dataType, sizes, strides ?? null);
}

/** The number of elements from the first to the last one in memory. */
export function spanOf({ sizes, strides = null }: Pick<TensorDesc, 'sizes' | 'strides'>): number {
  return elementSpan(sizes, strides);
}
